/**
 * A schema without organizations: there is only the column `company` on the user, often empty. And no links: a
 * user has at most one coach, in a column as well. What the mapping has to solve: two tables that are no tables,
 * both out of the users.
 *
 * `resolveRole` returns the user's id: `{ userId: user.id, role }`. An Institutional caller is a user too; who is
 * to see everybody of a company gets there by the same way, with `company_owner_id` in place of `coach_id`.
 *
 * An empty company is left out, so that it gives no organization rather than one without a name. The links need an
 * index on `coach_id`; as every index of MySQL's InnoDB has the primary key at its end, (coach_id) is enough.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import type { Kysely, NotNull } from 'kysely'

export interface DB {
  users: {
    id: number
    first_name: string
    last_name: string
    email: string
    avatar_url: string | null
    company: string | null
    coach_id: number | null
  }
  assessments: {
    id: number
    licence: string
    type: string
    user_id: number
    status: 'completed' | 'pending' | 'reserved'
    assigned_at: Date | null
    concluded_at: Date | null
    created_at: Date
    coach_id: number | null
  }
  payments: {
    id: number
    user_id: number
    amount: string
    quantity: number
    intent: string
    paid_at: Date | null
    method: string
    status: string
    processor_status: string
    created_at: Date
  }
}

export const tablesOf = (db: Kysely<DB>): ListingTables => ({
  users: db.selectFrom('users').select(['id as user_id', 'first_name', 'last_name', 'email', 'avatar_url']),
  memberships: db.selectFrom('users').where('company', '<>', '').select(['id as user_id', 'company as org_name']),
  links: db
    .selectFrom('users')
    .where('coach_id', 'is not', null)
    .select(['coach_id as owner_id', 'id as user_id'])
    .$narrowType<{ owner_id: NotNull }>(),
  assessments: db
    .selectFrom('assessments')
    .select(['id as assessment_id', 'licence', 'type as assessment_type', 'user_id', 'status', 'created_at'])
    .select(['coach_id as practitioner_id', 'assigned_at as date_assignment', 'concluded_at as date_conclusion']),
  payments: db
    .selectFrom('payments')
    .select(['id as payment_id', 'user_id', 'amount', 'quantity', 'intent as payment_intent', 'paid_at'])
    .select(['method as payment_method', 'status as payment_status', 'processor_status', 'created_at'])
})
