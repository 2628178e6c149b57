import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'

/** Running requests get their answers, and the pool closes after the last answer. */
export function closeOnSignals<DB>(app: FastifyInstance, db: Kysely<DB>) {
  app.addHook('onClose', () => db.destroy())
  const close = () => {
    // A connection that its client keeps open would delay the end by 72 seconds.
    setInterval(() => app.server.closeIdleConnections(), 100).unref()
    return app.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close)
}
