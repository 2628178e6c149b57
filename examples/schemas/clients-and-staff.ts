/**
 * People of two kinds in two tables whose ids overlap: there is a client 7 and a member of staff 7. Clients take
 * the tests and pay for them; staff have a caseload of clients. What the mapping has to solve: staff 7 must never
 * be taken for client 7, and the many rows of tests and orders must stay indexed by their client.
 *
 * So clients keep their ids, and staff are called by the negative of theirs, in a column of the small table:
 *
 *     alter table staff add caller_id bigint generated always as (-id) stored unique
 *
 * MySQL and MariaDB refuse this for an AUTO_INCREMENT id. Then the links have the column:
 *
 *     alter table caseload add owner_id bigint generated always as (-staff_id) stored, add index (owner_id, client_id)
 *
 *     resolveRole: ({ user }) => user.kind === 'staff'
 *       ? { userId: -user.id, role: user.role }
 *       : { userId: user.id, role: 'Individual' }
 *
 * Whatever is compared with a caller is then a plain column with an index. Without the new column, with `-staff.id`
 * as `owner_id`, the answers are the same; but MySQL cannot know that this is one of the staff, expects everybody's
 * caseload and reads all tests. With `'c' || id` as `user_id`, every database reads all of them for any caller.
 *
 * Practitioners are a table with ids of their own: there a member of staff stays the number 7.
 *
 * If staff pay as well, give the orders a column that an index can hold, (payer_id, ordered_at, id), and map it as
 * `user_id`:
 *
 *     alter table orders add payer_id bigint generated always as (coalesce(client_id, -staff_id)) stored
 *
 * and let the users be the clients `union all` the staff with `-id`. MySQL and MariaDB then read both whole for each
 * page: a matter of milliseconds for some thousand people, but no longer for a million.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

export interface DB {
  clients: { id: number; first_name: string; last_name: string; email: string; photo_url: string | null }
  staff: { id: number; caller_id: number; first_name: string; last_name: string; email: string }
  practices: { id: number; name: string }
  practice_clients: { practice_id: number; client_id: number }
  caseload: { staff_id: number; client_id: number }
  tests: {
    id: number
    licence: string
    kind: string
    client_id: number
    staff_id: number | null
    status: 'completed' | 'pending' | 'reserved'
    assigned_at: Date | null
    concluded_at: Date | null
    created_at: Date
  }
  orders: {
    id: number
    client_id: number
    amount: string
    quantity: number
    intent: string
    paid_at: Date | null
    method: string
    status: string
    processor_status: string
    ordered_at: Date
  }
}

export const tablesOf = (db: Kysely<DB>): ListingTables => ({
  users: db
    .selectFrom('clients')
    .select(['id as user_id', 'first_name', 'last_name', 'email', 'photo_url as avatar_url']),
  practitioners: db.selectFrom('staff').select(['id as practitioner_id', 'first_name', 'last_name']),
  memberships: db
    .selectFrom('practice_clients')
    .innerJoin('practices', 'practices.id', 'practice_clients.practice_id')
    .select(['practice_clients.client_id as user_id', 'practices.name as org_name']),
  links: db
    .selectFrom('staff')
    .innerJoin('caseload', 'caseload.staff_id', 'staff.id')
    .select(['staff.caller_id as owner_id', 'caseload.client_id as user_id']),
  assessments: db
    .selectFrom('tests')
    .select(['id as assessment_id', 'licence', 'kind as assessment_type', 'client_id as user_id', 'status'])
    .select(['staff_id as practitioner_id', 'assigned_at as date_assignment', 'concluded_at as date_conclusion'])
    .select('created_at'),
  payments: db
    .selectFrom('orders')
    .select(['id as payment_id', 'client_id as user_id', 'amount', 'quantity', 'intent as payment_intent'])
    .select(['paid_at', 'method as payment_method', 'status as payment_status', 'processor_status'])
    .select('ordered_at as created_at')
})
