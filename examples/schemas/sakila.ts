/**
 * Sakila, the DVD rental of MySQL, which has ports for PostgreSQL and SQLite. Its rentals stand for the assessments.
 * What the mapping has to solve: the ids of customers and staff overlap, the film of a rental is two joins away, a
 * rental has no status, and a payment has no quantity, no method and no order code.
 *
 * Customers keep their ids, and staff are called by the negative of theirs:
 *
 *     resolveRole: ({ user }) => user.kind === 'staff'
 *       ? { userId: -user.id, role: 'Practitioner' }
 *       : { userId: user.id, role: 'Individual' }
 *
 * The manager of a store sees the rentals of its customers, through a column of the store. MySQL and MariaDB refuse
 * such a column for the AUTO_INCREMENT id of the staff, and PostgreSQL wants it `stored`:
 *
 *     alter table store add caller_id int generated always as (-manager_staff_id) virtual unique
 *
 * With `-store.manager_staff_id` as `owner_id` the answers are the same, but MySQL and MariaDB then read all rentals.
 *
 * - A customer belongs to the city of the store.
 * - A rental that was not returned is pending. Nothing is reserved.
 * - Left joins add no rows, because they find one row at most. The database then reads the rentals first. SQLite builds
 *   the join of all rentals for each page.
 * - Some payments of the MySQL version have no rental, and so no order code.
 *
 * Sakila has no indexes for the sort order. Its unique index (rental_date, inventory_id, customer_id) sorts by the date
 * only, so MySQL and MariaDB would sort all rentals for a page of an Admin.
 *
 *     create index rental_newest on rental (rental_date, rental_id)
 *     create index rental_own on rental (customer_id, rental_date, rental_id)
 *     create index payment_newest on payment (payment_date, payment_id)
 *     create index payment_own on payment (customer_id, payment_date, payment_id)
 */
import type { ListingTables } from 'fastify-assessment-payment-listing'
import { type Kysely, sql } from 'kysely'

export interface DB {
  customer: {
    customer_id: number
    store_id: number
    first_name: string
    last_name: string
    email: string | null
  }
  staff: { staff_id: number; first_name: string; last_name: string }
  store: { store_id: number; caller_id: number; address_id: number }
  address: { address_id: number; city_id: number }
  city: { city_id: number; city: string }
  film: { film_id: number; title: string; rating: string | null }
  inventory: { inventory_id: number; film_id: number }
  rental: {
    rental_id: number
    rental_date: Date
    inventory_id: number
    customer_id: number
    return_date: Date | null
    staff_id: number
  }
  payment: { payment_id: number; customer_id: number; rental_id: number | null; amount: string; payment_date: Date }
}

export const tablesOf = (db: Kysely<DB>) =>
  ({
    users: db
      .selectFrom('customer')
      .select(['customer_id as user_id', 'first_name', 'last_name', 'email'])
      .select(sql<null>`null`.as('avatar_url')),
    practitioners: db.selectFrom('staff').select(['staff_id as practitioner_id', 'first_name', 'last_name']),
    memberships: db
      .selectFrom('customer')
      .innerJoin('store', 'store.store_id', 'customer.store_id')
      .innerJoin('address', 'address.address_id', 'store.address_id')
      .innerJoin('city', 'city.city_id', 'address.city_id')
      .select(['customer.customer_id as user_id', 'city.city as org_name']),
    links: db
      .selectFrom('store')
      .innerJoin('customer', 'customer.store_id', 'store.store_id')
      .select(['store.caller_id as owner_id', 'customer.customer_id as user_id']),
    assessments: db
      .selectFrom('rental')
      .leftJoin('inventory', 'inventory.inventory_id', 'rental.inventory_id')
      .leftJoin('film', 'film.film_id', 'inventory.film_id')
      .select(['rental.rental_id as assessment_id', 'film.title as licence', 'film.rating as assessment_type'])
      .select(['rental.customer_id as user_id', 'rental.staff_id as practitioner_id'])
      .select(
        sql<'completed' | 'pending'>`case when rental.return_date is null then 'pending' else 'completed' end`.as(
          'status'
        )
      )
      .select(['rental.rental_date as date_assignment', 'rental.return_date as date_conclusion'])
      .select('rental.rental_date as created_at'),
    payments: db
      .selectFrom('payment')
      .select(['payment_id', 'customer_id as user_id', 'amount'])
      .select(sql<number>`1`.as('quantity'))
      .select(
        sql<string | null>`case when rental_id is not null then concat('rental-', rental_id) end`.as('payment_intent')
      )
      .select(['payment_date as paid_at', 'payment_date as created_at'])
      .select([sql<null>`null`.as('payment_method'), sql<string>`'paid'`.as('payment_status')])
      .select(sql<string>`'succeeded'`.as('processor_status'))
  }) satisfies ListingTables
