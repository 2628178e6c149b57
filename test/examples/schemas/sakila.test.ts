import t from 'tap'
import { tablesOf } from '../../../examples/schemas/sakila.js'
import type { Clinic } from '../../support/fixtures/clinic.js'
import { checkSchema } from '../../support/fixtures/schemas.js'
import type { DatabaseName } from '../../support/servers/databases.js'

/** The types of the three versions. */
const types: Record<DatabaseName, { key: string; rating: string }> = {
  mysql: { key: 'smallint unsigned', rating: "enum('G', 'PG', 'PG-13', 'R', 'NC-17')" },
  postgres: { key: 'integer', rating: 'mpaa_rating' },
  sqlite: { key: 'integer', rating: 'varchar(10)' }
}

/** The columns that the mapping reads. */
const tables = (name: DatabaseName) => {
  const { key, rating } = types[name]
  return [
    ...(name === 'postgres' ? ["create type mpaa_rating as enum ('G', 'PG', 'PG-13', 'R', 'NC-17')"] : []),
    `create table city (city_id ${key} primary key, city varchar(50) not null)`,
    `create table address (address_id ${key} primary key, city_id ${key} not null)`,
    `create table store (store_id ${key} primary key, manager_staff_id ${key} not null unique, caller_id int generated always as (-manager_staff_id) ${name === 'postgres' ? 'stored' : 'virtual'} unique, address_id ${key} not null)`,
    `create table staff (staff_id ${key} primary key, first_name varchar(45) not null, last_name varchar(45) not null)`,
    `create table customer (customer_id ${key} primary key, store_id ${key} not null, first_name varchar(45) not null, last_name varchar(45) not null, email varchar(50))`,
    'create index customer_store on customer (store_id)',
    `create table film (film_id ${key} primary key, title varchar(255) not null, rating ${rating})`,
    `create table inventory (inventory_id ${key} primary key, film_id ${key} not null)`,
    `create table rental (rental_id integer primary key, rental_date datetime not null, inventory_id ${key} not null, customer_id ${key} not null, return_date datetime, staff_id ${key} not null, unique (rental_date, inventory_id, customer_id))`,
    'create index rental_customer on rental (customer_id)',
    `create table payment (payment_id ${key} primary key, customer_id ${key} not null, rental_id int, amount decimal(5, 2) not null, payment_date datetime not null)`,
    'create index payment_customer on payment (customer_id)',
    // added
    'create index rental_newest on rental (rental_date, rental_id)',
    'create index rental_own on rental (customer_id, rental_date, rental_id)',
    'create index payment_newest on payment (payment_date, payment_id)',
    'create index payment_own on payment (customer_id, payment_date, payment_id)'
  ]
}

/** Each member of staff has a store with customers of its own. Each twentieth payment has no rental. */
const fit = ({ clients, staff, assessments, payments }: Clinic): Clinic => {
  for (const [index, client] of clients.entries()) {
    client.avatar = null
    client.organizations = [`City ${index % staff.length}`]
  }
  for (const [index, one] of staff.entries()) {
    one.linked = clients.filter((_, place) => place % staff.length === index).map(({ userId }) => userId)
  }
  return {
    clients,
    staff,
    assessments: assessments.map((assessment) => ({
      ...assessment,
      licence: `FILM ${assessment.id % 97}`,
      type: ['G', 'PG', ''][(assessment.id % 97) % 3] as string,
      practitioner: assessment.practitioner ?? (staff[0] as (typeof staff)[number]),
      status: assessment.concluded === null ? 'pending' : 'completed',
      assigned: assessment.created
    })),
    payments: payments.map((payment) => ({
      ...payment,
      quantity: 1,
      intent: payment.id % 20 === 0 ? '' : `rental-${payment.id}`,
      paid: payment.created,
      method: '',
      status: 'paid',
      processorStatus: 'succeeded'
    }))
  }
}

const films = Array.from({ length: 97 }, (_, index) => ({ id: index + 1, index }))

checkSchema(t, {
  shape: { staffApart: true },
  fit,
  tablesOf,
  tables,
  records: { assessments: 'rental', payments: 'payment' },
  small: ['city', 'address', 'store', 'staff'],
  joined: ['rental', 'customer'],
  rows: ({ clients, staff, assessments, payments }) => ({
    city: staff.map((_, index) => ({ city_id: index + 1, city: `City ${index}` })),
    address: staff.map((_, index) => ({ address_id: index + 1, city_id: index + 1 })),
    store: staff.map(({ id }, index) => ({ store_id: index + 1, manager_staff_id: id, address_id: index + 1 })),
    staff: staff.map(({ id, first, last }) => ({ staff_id: id, first_name: first, last_name: last })),
    customer: clients.map(({ id: customer_id, first: first_name, last: last_name, email }, index) => {
      return { customer_id, store_id: (index % staff.length) + 1, first_name, last_name, email }
    }),
    film: films.map(({ id, index }) => ({ film_id: id, title: `FILM ${index}`, rating: ['G', 'PG', null][index % 3] })),
    inventory: films.map(({ id }) => ({ inventory_id: id, film_id: id })),
    rental: assessments.map(({ id, user, practitioner, concluded, created }) => ({
      rental_id: id,
      rental_date: created,
      inventory_id: (id % 97) + 1,
      customer_id: user.id,
      return_date: concluded,
      staff_id: practitioner?.id
    })),
    payment: payments.map(({ id, user, amount, intent, created }) => ({
      payment_id: id,
      customer_id: user.id,
      rental_id: intent === '' ? null : id,
      amount,
      payment_date: created
    }))
  })
})
