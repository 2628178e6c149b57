import type { Socket } from 'node:net'
import pg from 'pg'

/** To stop statements, Kysely makes clients of its own, and does not listen to their errors. */
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

/**
 * With these settings, which also apply to your own statements, a request makes one round trip to the database. Behind
 * PgBouncer, set them for the role: `alter role … set timezone = 'UTC'`.
 */
const options = '-c timezone=UTC -c statement_timeout=10s -c listing.transactions=off'

export function openPool(config: pg.PoolConfig, log: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ connectionTimeoutMillis: 500, Client: listeningClient(log), options, ...config })
  pool.on('error', log)
  return pool
}
