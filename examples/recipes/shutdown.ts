import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'

/**
 * Running requests get their answers, and the pool closes after the last answer.
 *
 * @param patience the milliseconds for these answers, more than the option `timeout`
 */
export function closeOnSignals<DB>(app: FastifyInstance, db: Kysely<DB>, patience = 15_000) {
  app.addHook('onClose', () => db.destroy())
  const close = () => {
    // A connection that its client keeps open would delay the end by 72 seconds.
    setInterval(() => app.server.closeIdleConnections(), 100).unref()
    // Browsers and scanners open connections without a request. For Node.js these are not idle, and it waits forever.
    setTimeout(() => app.server.closeAllConnections(), patience).unref()
    return app.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close)
}
