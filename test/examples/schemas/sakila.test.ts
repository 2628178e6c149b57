import t from 'tap'
import { tablesOf } from '../../../examples/schemas/sakila.js'
import type { Clinic } from '../../support/clinic.js'
import type { DatabaseName } from '../../support/databases.js'
import { checkSchema } from '../../support/schemas.js'

/** The types of the three versions. */
const types: Record<DatabaseName, Record<'key' | 'small' | 'rental' | 'rating' | 'active' | 'time', string>> = {
  mysql: {
    key: 'smallint unsigned',
    small: 'tinyint unsigned',
    rental: 'int',
    rating: "enum('G', 'PG', 'PG-13', 'R', 'NC-17')",
    active: 'boolean',
    time: 'datetime'
  },
  postgres: {
    key: 'integer',
    small: 'integer',
    rental: 'integer',
    rating: 'mpaa_rating',
    active: 'integer',
    time: 'datetime'
  },
  sqlite: {
    key: 'integer',
    small: 'int',
    rental: 'integer',
    rating: 'varchar(10)',
    active: 'char(1)',
    time: 'timestamp'
  }
}

const tables = (name: DatabaseName) => {
  const { key, small, rental, rating, active, time } = types[name]
  return [
    ...(name === 'postgres' ? ["create type mpaa_rating as enum ('G', 'PG', 'PG-13', 'R', 'NC-17')"] : []),
    `create table city (city_id ${key} primary key, city varchar(50) not null)`,
    `create table address (address_id ${key} primary key, address varchar(50) not null, city_id ${key} not null)`,
    `create table store (store_id ${small} not null primary key, manager_staff_id ${small} not null unique, caller_id int generated always as (-manager_staff_id) ${name === 'postgres' ? 'stored' : 'virtual'} unique, address_id ${key} not null)`,
    `create table staff (staff_id ${small} not null primary key, first_name varchar(45) not null, last_name varchar(45) not null, email varchar(50), store_id ${small} not null)`,
    'create index staff_store on staff (store_id)',
    `create table customer (customer_id ${key} primary key, store_id ${small} not null, first_name varchar(45) not null, last_name varchar(45) not null, email varchar(50), address_id ${key} not null, active ${active} not null, create_date ${time} not null)`,
    'create index customer_store on customer (store_id)',
    `create table film (film_id ${key} primary key, title varchar(255) not null, length smallint, rating ${rating})`,
    `create table inventory (inventory_id ${key} primary key, film_id ${key} not null, store_id ${small} not null)`,
    `create table rental (rental_id ${rental} primary key, rental_date ${time} not null, inventory_id ${key} not null, customer_id ${key} not null, return_date ${time}, staff_id ${small} not null, unique (rental_date, inventory_id, customer_id))`,
    'create index rental_customer on rental (customer_id)',
    `create table payment (payment_id ${key} primary key, customer_id ${key} not null, staff_id ${small} not null, rental_id ${rental}, amount decimal(5, 2) not null, payment_date ${time} not null)`,
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
    address: staff.map((_, index) => ({ address_id: index + 1, address: `${index} Main Street`, city_id: index + 1 })),
    store: staff.map(({ id }, index) => ({ store_id: index + 1, manager_staff_id: id, address_id: index + 1 })),
    staff: staff.map(({ id, first, last, email }, index) => ({
      staff_id: id,
      first_name: first,
      last_name: last,
      email,
      store_id: index + 1
    })),
    customer: clients.map(({ id, first, last, email }, index) => ({
      customer_id: id,
      store_id: (index % staff.length) + 1,
      first_name: first,
      last_name: last,
      email,
      address_id: 1,
      active: 1,
      create_date: '2006-02-14 00:00:00'
    })),
    film: Array.from({ length: 97 }, (_, index) => ({
      film_id: index + 1,
      title: `FILM ${index}`,
      length: 90,
      rating: ['G', 'PG', null][index % 3]
    })),
    inventory: Array.from({ length: 97 }, (_, index) => ({ inventory_id: index + 1, film_id: index + 1, store_id: 1 })),
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
      staff_id: 1,
      rental_id: intent === '' ? null : id,
      amount,
      payment_date: created
    }))
  })
})
