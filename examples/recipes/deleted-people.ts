import type { ListingTables, PaymentColumns } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

interface DB {
  users: { user_id: number; deleted_at: Date | null }
  payments: PaymentColumns
}

/** The payments without those of deleted people. `not in` alone would also drop guests, whose `user_id` is null. */
export const tablesOf = (db: Kysely<DB>): ListingTables => ({
  payments: db
    .selectFrom('payments')
    .selectAll()
    .where(({ eb, or, selectFrom }) => {
      const deleted = selectFrom('users').select('user_id').where('deleted_at', 'is not', null)
      return or([eb('user_id', 'is', null), eb('user_id', 'not in', deleted)])
    })
})
