import type { Socket } from 'node:net'
import pg from 'pg'

/** Kysely makes clients of its own to stop statements, and does not listen to them. */
export const listeningClient = (log: (error: Error) => void): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.on('error', log)
      this.on('connect', () => {
        // The types of pg do not have the socket.
        const { stream } = this.connection as unknown as { stream: Socket }
        stream.setTimeout(15_000, () => stream.destroy()) // Longer than the `timeout` of the lists.
      })
    }
  }

export function openPool(config: pg.PoolConfig, log: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: 500, Client: listeningClient(log), ...config })
  pool.on('error', log)
  return pool
}
