import type { Socket } from 'node:net'
import pg from 'pg'

export function openPool(config: pg.PoolConfig, log: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: 500, ...config })
  pool.on('error', log)
  pool.on('connect', (client) => {
    client.on('error', log)
    // The types of pg do not have the socket.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.setTimeout(15_000, () => stream.destroy()) // Longer than the `timeout` of the lists.
  })
  return pool
}
