import t from 'tap'
import { tablesOf } from '../../../examples/schemas/clients-and-staff.js'
import { usualRows, usualTables } from '../../support/clinic-tables.js'
import { checkSchema } from '../../support/schemas.js'

const names = {
  assessments: 'tests',
  payments: 'orders',
  user: 'client_id',
  coach: 'staff_id',
  type: 'kind',
  paymentDate: 'ordered_at',
  id: 'bigint'
} as const

checkSchema(t, {
  shape: { staffApart: true },
  tablesOf,
  records: { assessments: 'tests', payments: 'orders' },
  small: ['staff'],
  joined: ['practice_clients'],
  tables: [
    'create table clients (id bigint primary key, first_name varchar(50) not null, last_name varchar(50) not null, email varchar(100) not null, photo_url varchar(200))',
    'create table staff (id bigint primary key, caller_id bigint generated always as (-id) stored unique, first_name varchar(50) not null, last_name varchar(50) not null, email varchar(100) not null)',
    'create table practices (id bigint primary key, name varchar(50) not null)',
    'create table practice_clients (practice_id bigint not null, client_id bigint not null, primary key (client_id, practice_id))',
    'create table caseload (staff_id bigint not null, client_id bigint not null, primary key (staff_id, client_id))',
    ...usualTables(names)
  ],
  rows(clinic) {
    const { clients, staff } = clinic
    const practices = [...new Set(clients.flatMap(({ organizations }) => organizations))]
    const person = ({ id, first, last, email }: (typeof clients)[number]) => ({
      id,
      first_name: first,
      last_name: last,
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
      ...usualRows(clinic, names)
    }
  }
})
