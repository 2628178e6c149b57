/**
 * An old MySQL or MariaDB schema: prefixes, latin1, codes for statuses, 0 and '' and '0000-00-00' for what
 * is missing, and times of an office in Tokyo, some in DATETIME columns (the digits of the clock on the wall) and
 * some in TIMESTAMP columns (an instant, which the old application saw in its session's time zone).
 *
 * `resolveRole` returns the user's number: `{ userId: user.usr_id, role }`.
 *
 * What the mapping has to solve is which of the times to convert. The statements of the lists run in UTC, so a
 * TIMESTAMP comes out in UTC, and a DATETIME as it stands:
 *
 * - date_assignment and date_conclusion are to be UTC: the DATETIME is converted, the TIMESTAMP is not.
 * - paid_at and created_at are wall-clock times: the TIMESTAMP is converted, the DATETIME is not.
 * - created_at of the assessments is not shown, but only sorts the list, so an instant is as good.
 *
 * So no `created_at` is converted, and none must be: a list that is ordered by a computed column is read and sorted
 * whole for each page. Where the creation date of payments is a TIMESTAMP and wanted in local time, add a DATETIME
 * column with an index (ord_created_local, ord_id) and let a trigger fill it, whatever session writes:
 *
 *     set new.ord_created_local = convert_tz(new.ord_created, @@session.time_zone, '+09:00')
 *
 * A generated column does not do: it has the TIMESTAMP in the time zone of whichever session writes.
 *
 * Tokyo knows no summer time, so '+09:00' is exact. Elsewhere name the zone ('Europe/Berlin'), and have the server's
 * time zone tables filled (`mysql_tzinfo_to_sql`): without them `convert_tz` gives NULL, a missing date.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, sql } from 'kysely'

export interface DB {
  tbl_user: { usr_id: number; usr_fname: string; usr_lname: string; usr_mail: string; usr_pic: string }
  tbl_user_org: { usr_id: number; org_name: string }
  tbl_coach_user: { coach_id: number; usr_id: number }
  tbl_test: {
    tst_id: number
    tst_code: string
    tst_kind: string
    usr_id: number
    coach_id: number
    tst_state: number
    tst_assigned_local: Date
    tst_done: Date | null
    tst_created: Date
  }
  tbl_order: {
    ord_id: number
    usr_id: number
    ord_total: string
    ord_qty: number
    ord_code: string
    ord_paid: Date | null
    ord_method: string
    ord_state: string
    psp_state: string
    ord_created_local: Date
  }
}

export const tablesOf = (db: Kysely<DB>): ListingTables => ({
  users: db
    .selectFrom('tbl_user')
    .select(['usr_id as user_id', 'usr_fname as first_name', 'usr_lname as last_name', 'usr_mail as email'])
    .select((eb) => eb.fn<string | null>('nullif', ['usr_pic', eb.val('')]).as('avatar_url')),
  memberships: db.selectFrom('tbl_user_org').select(['usr_id as user_id', 'org_name']),
  links: db.selectFrom('tbl_coach_user').select(['coach_id as owner_id', 'usr_id as user_id']),
  assessments: db
    .selectFrom('tbl_test')
    .select(['tst_id as assessment_id', 'tst_code as licence', 'tst_kind as assessment_type', 'usr_id as user_id'])
    .select(sql<number | null>`nullif(coach_id, 0)`.as('practitioner_id'))
    .select(sql<string>`elt(tst_state, 'reserved', 'pending', 'completed')`.as('status'))
    .select(sql<Date | null>`convert_tz(tst_assigned_local, '+09:00', '+00:00')`.as('date_assignment'))
    .select(['tst_done as date_conclusion', 'tst_created as created_at']),
  payments: db
    .selectFrom('tbl_order')
    .select(['ord_id as payment_id', 'usr_id as user_id', 'ord_total as amount', 'ord_qty as quantity'])
    .select(['ord_code as payment_intent', 'ord_method as payment_method', 'ord_state as payment_status'])
    .select(sql<Date | null>`convert_tz(ord_paid, '+00:00', '+09:00')`.as('paid_at'))
    .select(['psp_state as processor_status', 'ord_created_local as created_at'])
})
