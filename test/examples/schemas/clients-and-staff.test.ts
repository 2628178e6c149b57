import t from 'tap'
import { tablesOf } from '../../../examples/schemas/clients-and-staff.js'
import type { Clinic } from '../../support/fixtures/clinic.js'
import { checkSchema } from '../../support/fixtures/schemas.js'

const tables = [
  'create table clients (id bigint primary key, first_name varchar(50) not null, last_name varchar(50) not null, email varchar(100) not null, photo_url varchar(200))',
  'create table staff (id bigint primary key, caller_id bigint generated always as (-id) stored unique, first_name varchar(50) not null, last_name varchar(50) not null, email varchar(100) not null)',
  'create table practices (id bigint primary key, name varchar(50) not null)',
  'create table practice_clients (practice_id bigint not null, client_id bigint not null, primary key (client_id, practice_id))',
  'create table caseload (staff_id bigint not null, client_id bigint not null, primary key (staff_id, client_id))',
  'create table tests (id bigint primary key, licence varchar(20) not null, kind varchar(20) not null, client_id bigint not null, staff_id bigint, status varchar(9) not null, assigned_at datetime, concluded_at datetime, created_at datetime not null)',
  'create index tests_newest on tests (created_at, id)',
  'create index tests_own on tests (client_id, created_at, id)',
  'create index tests_own_status on tests (client_id, status)',
  'create index tests_status on tests (status, created_at, id)',
  'create table orders (id bigint primary key, client_id bigint not null, amount decimal(10, 2) not null, quantity int not null, intent varchar(30) not null unique, paid_at datetime, method varchar(20) not null, status varchar(20) not null, processor_status varchar(20) not null, ordered_at datetime not null)',
  'create index orders_newest on orders (ordered_at, id)',
  'create index orders_own on orders (client_id, ordered_at, id)',
  'create index orders_own_status on orders (client_id, processor_status)',
  'create index orders_status on orders (processor_status, ordered_at, id)'
]

function rows({ clients, staff, assessments, payments }: Clinic) {
  const practices = [...new Set(clients.flatMap(({ organizations }) => organizations))]
  const person = ({ id, first: first_name, last: last_name, email }: (typeof clients)[number]) => ({
    id,
    first_name,
    last_name,
    email
  })
  return {
    clients: clients.map((client) => ({ ...person(client), photo_url: client.avatar })),
    staff: staff.map(person),
    practices: practices.map((name, index) => ({ id: index + 1, name })),
    practice_clients: clients.flatMap(({ id, organizations }) =>
      organizations.map((name) => ({ practice_id: practices.indexOf(name) + 1, client_id: id }))
    ),
    caseload: staff.flatMap(({ id, linked }) => linked.map((client_id) => ({ staff_id: id, client_id }))),
    tests: assessments.map(({ id, licence, type, user, practitioner, status, assigned, concluded, created }) => ({
      id,
      licence,
      kind: type,
      client_id: user.id,
      staff_id: practitioner?.id ?? null,
      status,
      assigned_at: assigned,
      concluded_at: concluded,
      created_at: created
    })),
    orders: payments.map(({ user, paid, processorStatus, created, ...payment }) => ({
      ...payment,
      client_id: user.id,
      paid_at: paid,
      processor_status: processorStatus,
      ordered_at: created
    }))
  }
}

checkSchema(t, {
  shape: { staffApart: true },
  tablesOf,
  records: { assessments: 'tests', payments: 'orders' },
  small: ['staff'],
  joined: ['practice_clients'],
  tables: () => tables,
  rows
})
