import type { AssessmentColumns, ListingTables, PaymentColumns } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

interface DB {
  users: { user_id: number; deleted_at: Date | null }
  assessments: AssessmentColumns
  payments: PaymentColumns
}

/**
 * The lists without the records of deleted people. `not in` alone would also drop those of guests, whose `user_id` is null.
 * A deleted person can still have a token, so let `resolveRole` return null for such a person.
 */
export const tablesOf = (db: Kysely<DB>): ListingTables => {
  const deleted = db.selectFrom('users').select('user_id').where('deleted_at', 'is not', null)
  return {
    assessments: db
      .selectFrom('assessments')
      .selectAll()
      .where(({ eb, or }) => or([eb('user_id', 'is', null), eb('user_id', 'not in', deleted)])),
    payments: db
      .selectFrom('payments')
      .selectAll()
      .where(({ eb, or }) => or([eb('user_id', 'is', null), eb('user_id', 'not in', deleted)]))
  }
}
