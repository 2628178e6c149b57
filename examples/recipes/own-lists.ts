import type { FastifyInstance } from 'fastify'
import listing, {
  assessments,
  column,
  defineOptions,
  payments,
  type ResolveRole
} from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'
import { certificates } from './certificates.js'

interface DB {
  certs: {
    id: number
    user_id: number
    name: string
    level: 'basic' | 'expert' | null
    points: number | null
    issued: Date
  }
}

const morePayments = payments.extend({
  fields: { currency: column.text({ description: 'Code of the currency.', examples: ['EUR'] }) },
  filters: {
    payment_method: { description: 'Only payments by this method.', examples: ['card'] },
    created: { column: 'created_at', range: true }
  }
})

export function addLists(app: FastifyInstance, db: Kysely<DB>, resolveRole: ResolveRole) {
  const options = defineOptions({
    db,
    resolveRole,
    lists: [assessments, morePayments, certificates],
    tables: (db) => ({
      certificates: db
        .selectFrom('certs')
        .select([
          'id as certificate_id',
          'user_id as holder_id',
          'name as title',
          'level',
          'points as score',
          'issued as issued_at'
        ])
    })
  })
  return app.register(listing, { ...options, prefix: '/api' })
}
