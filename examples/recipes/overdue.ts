import type { FastifyInstance } from 'fastify'
import listing, { column, type PaymentColumns, payments, type ResolveRole } from 'fastify-assessment-payment-listing'
import { type Kysely, sql } from 'kysely'

interface DB {
  payments: PaymentColumns & { due_at: Date | null }
}

const duePayments = payments.extend({
  fields: { overdue: column.boolean({ description: 'Whether the payment is overdue.', examples: [false] }) },
  filters: { overdue: { description: 'Only payments that are overdue, or only the others.', examples: [true] } }
})

export const addLists = (app: FastifyInstance, db: Kysely<DB>, resolveRole: ResolveRole) =>
  app.register(listing, {
    db,
    resolveRole,
    lists: [duePayments],
    tables: (db: Kysely<DB>) => ({
      payments: db
        .selectFrom('payments')
        .selectAll()
        // The database reads its clock for each request. A `new Date()` here would stay at the time of the boot.
        .select(sql<boolean>`coalesce(paid_at is null and due_at < current_timestamp, false)`.as('overdue'))
    })
  })
