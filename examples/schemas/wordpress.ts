/**
 * WordPress on MySQL or MariaDB: its users, the orders of WooCommerce in tables of their own (HPOS), the groups of the
 * plugin Groups, and the assessments of your own plugin. What the mapping has to solve: names are rows of
 * `wp_usermeta`, guests are customer 0, a payment is in three tables, and most columns can be null.
 *
 * `resolveRole` returns the user's ID: `{ userId: user.ID, role }`.
 *
 * - A left join adds no rows as long as it finds one row at most. WordPress writes one row for each name.
 * - The join with `wp_users` makes null of a guest's 0, and the orders of a customer are still found by the index
 *   `customer_id_billing_email`. With `nullif(customer_id, 0)` MySQL and MariaDB read all orders for one customer.
 * - WooCommerce keeps the sum of `wp_wc_order_product_lookup.product_qty` in `num_items_sold`. A subquery with
 *   `sum(product_qty)` gives the same quantity, but MySQL then builds the whole table of payments for each page.
 * - `coalesce` gives a missing value. Lists are ordered by `created_at`, and only a plain column has an index: there a
 *   `where` leaves out the nulls, and `$narrowType` tells TypeScript so.
 * - Groups puts everybody into `Registered`, which is no organization.
 *
 * Orders in the trash and unfinished checkouts have the type `shop_order` too, so the status tells them
 * apart. The times of payments are GMT.
 *
 * WordPress lacks an index for the links, because a number in a longtext has none. Without the first statement each
 * page of a Practitioner reads the coaches of all users. The second is for the pages of one user:
 *
 *     alter table wp_usermeta
 *       add coach_id bigint unsigned generated always as
 *         (case when meta_key = 'coach_id' and meta_value regexp '^[0-9]+$' then meta_value end) virtual,
 *       add key coach_id (coach_id, user_id)
 *     create index user_id_date_created on wp_talent_assessments (user_id, date_created_gmt)
 *
 * WooCommerce has all indexes that the payments need: `type_status_date` serves each status, as the type is always the
 * same. The start-up check does not see that, and proposes an index (status, date_created_gmt, id) all the same. An
 * Admin's count reads all orders, and on MySQL the three tables that are joined as well. The status of an assessment is
 * computed, so an Admin's count of one status reads all assessments.
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, type NotNull, sql } from 'kysely'

export interface DB {
  wp_users: { ID: number; user_email: string }
  wp_usermeta: {
    umeta_id: number
    user_id: number
    meta_key: string | null
    meta_value: string | null
    coach_id: number | null
  }
  wp_groups_group: { group_id: number; name: string }
  wp_groups_user_group: { user_id: number; group_id: number }
  wp_talent_assessments: {
    id: number
    user_id: number | null
    coach_id: number | null
    licence: string | null
    type: string | null
    status: 'completed' | 'pending' | 'reserved' | null
    date_assigned_gmt: Date | null
    date_concluded_gmt: Date | null
    date_created_gmt: Date | null
  }
  wp_wc_orders: {
    id: number
    status: string | null
    type: string | null
    total_amount: string | null
    customer_id: number | null
    date_created_gmt: Date | null
    payment_method: string | null
    transaction_id: string | null
  }
  wp_wc_order_operational_data: { order_id: number | null; date_paid_gmt: Date | null }
  wp_wc_order_stats: { order_id: number; num_items_sold: number }
}

export const tablesOf = (db: Kysely<DB>): ListingTables => ({
  users: db
    .selectFrom('wp_users')
    .leftJoin('wp_usermeta as first', (join) =>
      join.onRef('first.user_id', '=', 'wp_users.ID').on('first.meta_key', '=', 'first_name')
    )
    .leftJoin('wp_usermeta as last', (join) =>
      join.onRef('last.user_id', '=', 'wp_users.ID').on('last.meta_key', '=', 'last_name')
    )
    .leftJoin('wp_usermeta as avatar', (join) =>
      join.onRef('avatar.user_id', '=', 'wp_users.ID').on('avatar.meta_key', '=', 'avatar_url')
    )
    .select(['wp_users.ID as user_id', 'first.meta_value as first_name', 'last.meta_value as last_name'])
    .select(['user_email as email', 'avatar.meta_value as avatar_url']),
  memberships: db
    .selectFrom('wp_groups_user_group')
    .innerJoin('wp_groups_group', 'wp_groups_group.group_id', 'wp_groups_user_group.group_id')
    .where('wp_groups_group.name', '<>', 'Registered')
    .select(['wp_groups_user_group.user_id', 'wp_groups_group.name as org_name']),
  links: db
    .selectFrom('wp_usermeta')
    .where('coach_id', 'is not', null)
    .select(['coach_id as owner_id', 'user_id'])
    .$narrowType<{ owner_id: NotNull }>(),
  assessments: db
    .selectFrom('wp_talent_assessments')
    .where('date_created_gmt', 'is not', null)
    .select(['id as assessment_id', 'licence', 'type as assessment_type', 'user_id', 'coach_id as practitioner_id'])
    .select((eb) => eb.fn.coalesce('status', sql.lit('reserved' as const)).as('status'))
    .select(['date_assigned_gmt as date_assignment', 'date_concluded_gmt as date_conclusion'])
    .select('date_created_gmt as created_at')
    .$narrowType<{ created_at: NotNull }>(),
  payments: db
    .selectFrom('wp_wc_orders')
    .leftJoin('wp_users', 'wp_users.ID', 'wp_wc_orders.customer_id')
    .leftJoin('wp_wc_order_operational_data', 'wp_wc_order_operational_data.order_id', 'wp_wc_orders.id')
    .leftJoin('wp_wc_order_stats', 'wp_wc_order_stats.order_id', 'wp_wc_orders.id')
    .where('wp_wc_orders.type', '=', 'shop_order')
    .where('wp_wc_orders.date_created_gmt', 'is not', null)
    .select(['wp_wc_orders.id as payment_id', 'wp_users.ID as user_id', 'transaction_id as payment_intent'])
    .select((eb) => eb.fn.coalesce('total_amount', sql.lit(0)).as('amount'))
    .select((eb) => eb.fn.coalesce('num_items_sold', sql.lit(0)).as('quantity'))
    .select(['date_paid_gmt as paid_at', 'payment_method'])
    .select(sql<string>`if(date_paid_gmt is null, 'open', 'paid')`.as('payment_status'))
    .select(['wp_wc_orders.status as processor_status', 'wp_wc_orders.date_created_gmt as created_at'])
    .$narrowType<{ created_at: NotNull }>()
})
