import t from 'tap'
import { tablesOf } from '../../../examples/schemas/name-in-one-column.js'
import { usualRows, usualTables } from '../../support/clinic-tables.js'
import { checkSchema } from '../../support/schemas.js'

checkSchema(t, {
  databases: ['mysql'],
  tablesOf,
  records: { assessments: 'assessments', payments: 'payments' },
  tables: [
    'create table contacts (id int primary key, name varchar(100) not null, email varchar(100) not null, photo varchar(200))',
    'create table contact_companies (contact_id int not null, company varchar(50) not null, primary key (contact_id, company))',
    'create table coaches (coach_id int not null, contact_id int not null, primary key (coach_id, contact_id))',
    ...usualTables({ user: 'contact_id' })
  ],
  rows: (clinic) => ({
    contacts: [...clinic.clients, ...clinic.staff].map(({ id, first, last, email, avatar }) => ({
      id,
      name: last === '' ? first : `${first} ${last}`,
      email,
      photo: avatar
    })),
    contact_companies: clinic.clients.flatMap(({ id, organizations }) =>
      organizations.map((company) => ({ contact_id: id, company }))
    ),
    coaches: clinic.staff.flatMap(({ id, linked }) => linked.map((contact_id) => ({ coach_id: id, contact_id }))),
    ...usualRows(clinic, { user: 'contact_id' })
  })
})
