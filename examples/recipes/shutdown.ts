import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'

/** Running requests get their answers, and the pool closes after the last answer. */
export function closeOnSignals<DB>(app: FastifyInstance, db: Kysely<DB>) {
  app.addHook('onClose', () => db.destroy())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => app.close())
}
