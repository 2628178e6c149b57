import t from 'tap'
import { tablesOf, views } from '../../../examples/schemas/views-only.js'
import { usualRows, usualTables } from '../../support/clinic-tables.js'
import { checkSchema } from '../../support/schemas.js'

const names = {
  assessments: 'tests',
  payments: 'sales',
  user: 'person_id',
  coach: 'expert_id',
  type: 'kind',
  id: 'bigint'
} as const

checkSchema(t, {
  tablesOf,
  records: { assessments: 'tests', payments: 'sales' },
  small: ['experts'],
  joined: ['org_people'],
  tables: [
    'create table people (id bigint primary key, given_name varchar(50) not null, family_name varchar(50) not null, mail varchar(100) not null, photo varchar(200))',
    'create table experts (person_id bigint primary key)',
    'create table orgs (id bigint primary key, name varchar(50) not null)',
    'create table org_people (org_id bigint not null, person_id bigint not null, primary key (person_id, org_id))',
    'create table expert_people (expert_id bigint not null, person_id bigint not null, primary key (expert_id, person_id))',
    ...usualTables(names),
    ...views
  ],
  rows(clinic) {
    const { clients, staff } = clinic
    const orgs = [...new Set(clients.flatMap(({ organizations }) => organizations))]
    return {
      people: [...clients, ...staff].map(({ id, first, last, email, avatar }) => ({
        id,
        given_name: first,
        family_name: last,
        mail: email,
        photo: avatar
      })),
      experts: staff.map(({ id }) => ({ person_id: id })),
      orgs: orgs.map((name, index) => ({ id: index + 1, name })),
      org_people: clients.flatMap(({ id, organizations }) =>
        organizations.map((name) => ({ org_id: orgs.indexOf(name) + 1, person_id: id }))
      ),
      expert_people: staff.flatMap(({ id, linked }) => linked.map((person_id) => ({ expert_id: id, person_id }))),
      ...usualRows(clinic, names)
    }
  }
})
