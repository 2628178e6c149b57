/**
 * A schema that stores no status: a sitting is what its dates say, and so is a payment. What the mapping has to
 * solve: three states from two dates, and two statuses of a payment from three dates.
 *
 * `resolveRole` returns the user's id: `{ userId: user.id, role }`.
 *
 * Own, linked and newest-first pages stay indexed. With a filter on the status MySQL, MariaDB and SQLite read the
 * newest sittings along the index until the page is full; PostgreSQL reads and sorts all. And an Admin's count of one
 * status reads all everywhere. If that becomes slow, store what is computed, with an index, and map the new column:
 *
 *     alter table sittings add status varchar(9) generated always as (case when … end) stored
 *     create index sittings_status on sittings (status, booked_at, id)
 *
 * PostgreSQL can do without the column: `create index … on sittings ((case when … end), booked_at, id)`.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, sql } from 'kysely'

export interface DB {
  users: { id: number; first_name: string; last_name: string; email: string; avatar_url: string | null }
  user_groups: { user_id: number; name: string }
  supervisions: { supervisor_id: number; user_id: number }
  sittings: {
    id: number
    licence: string
    test: string
    user_id: number
    examiner_id: number | null
    booked_at: Date
    invited_at: Date | null
    submitted_at: Date | null
  }
  purchases: {
    id: number
    user_id: number
    amount: string
    seats: number
    intent: string
    method: string
    started_at: Date
    captured_at: Date | null
    failed_at: Date | null
  }
}

export const tablesOf = (db: Kysely<DB>): ListingTables => ({
  users: db.selectFrom('users').select(['id as user_id', 'first_name', 'last_name', 'email', 'avatar_url']),
  memberships: db.selectFrom('user_groups').select(['user_id', 'name as org_name']),
  links: db.selectFrom('supervisions').select(['supervisor_id as owner_id', 'user_id']),
  assessments: db
    .selectFrom('sittings')
    .select(['id as assessment_id', 'licence', 'test as assessment_type', 'user_id'])
    .select(['examiner_id as practitioner_id', 'invited_at as date_assignment', 'submitted_at as date_conclusion'])
    .select('booked_at as created_at')
    .select(
      sql<'completed' | 'pending' | 'reserved'>`case
        when submitted_at is not null then 'completed'
        when invited_at is not null then 'pending'
        else 'reserved' end`.as('status')
    ),
  payments: db
    .selectFrom('purchases')
    .select(['id as payment_id', 'user_id', 'amount', 'seats as quantity', 'intent as payment_intent'])
    .select(['captured_at as paid_at', 'method as payment_method', 'started_at as created_at'])
    .select(sql<string>`case when captured_at is null then 'open' else 'paid' end`.as('payment_status'))
    .select(
      sql<string>`case
        when captured_at is not null then 'succeeded'
        when failed_at is not null then 'failed'
        else 'pending' end`.as('processor_status')
    )
})
