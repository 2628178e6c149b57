import t from 'tap'
import { tablesOf, views } from '../../../examples/schemas/views-only.js'
import { checkSchema } from '../../support/schemas.js'

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
    'create table tests (id bigint primary key, licence varchar(20) not null, kind varchar(20) not null, person_id bigint not null, expert_id bigint, status varchar(9) not null, assigned_at datetime, concluded_at datetime, created_at datetime not null)',
    'create index tests_newest on tests (created_at, id)',
    'create index tests_own on tests (person_id, created_at, id)',
    'create index tests_own_status on tests (person_id, status)',
    'create index tests_status on tests (status, created_at, id)',
    'create table sales (id bigint primary key, person_id bigint not null, amount decimal(10, 2) not null, quantity int not null, intent varchar(30) not null unique, paid_at datetime, method varchar(20) not null, status varchar(20) not null, processor_status varchar(20) not null, created_at datetime not null)',
    'create index sales_newest on sales (created_at, id)',
    'create index sales_own on sales (person_id, created_at, id)',
    'create index sales_own_status on sales (person_id, processor_status)',
    'create index sales_status on sales (processor_status, created_at, id)',
    ...views
  ],
  rows({ clients, staff, assessments, payments }) {
    const names = [...new Set(clients.flatMap(({ organizations }) => organizations))]
    return {
      people: [...clients, ...staff].map(({ id, first, last, email, avatar }) => ({
        id,
        given_name: first,
        family_name: last,
        mail: email,
        photo: avatar
      })),
      experts: staff.map(({ id }) => ({ person_id: id })),
      orgs: names.map((name, index) => ({ id: index + 1, name })),
      org_people: clients.flatMap(({ id, organizations }) =>
        organizations.map((name) => ({ org_id: names.indexOf(name) + 1, person_id: id }))
      ),
      expert_people: staff.flatMap(({ id, linked }) => linked.map((person_id) => ({ expert_id: id, person_id }))),
      tests: assessments.map(({ id, licence, type, user, practitioner, status, assigned, concluded, created }) => ({
        id,
        licence,
        kind: type,
        person_id: user.id,
        expert_id: practitioner?.id ?? null,
        status,
        assigned_at: assigned,
        concluded_at: concluded,
        created_at: created
      })),
      sales: payments.map(({ id, user, amount, quantity, intent, paid, method, status, processorStatus, created }) => ({
        id,
        person_id: user.id,
        amount,
        quantity,
        intent,
        paid_at: paid,
        method,
        status,
        processor_status: processorStatus,
        created_at: created
      }))
    }
  }
})
