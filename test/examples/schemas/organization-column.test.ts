import t from 'tap'
import { tablesOf } from '../../../examples/schemas/organization-column.js'
import { usualRows, usualTables } from '../../support/clinic-tables.js'
import { checkSchema } from '../../support/schemas.js'

checkSchema(t, {
  shape: { mostOrganizations: 1, mostLinks: 1 },
  tablesOf,
  records: { assessments: 'assessments', payments: 'payments' },
  tables: [
    'create table users (id int primary key, first_name varchar(50) not null, last_name varchar(50) not null, email varchar(100) not null, avatar_url varchar(200), company varchar(50), coach_id int)',
    'create index users_coach on users (coach_id)',
    ...usualTables({ user: 'user_id' })
  ],
  rows: (clinic) => ({
    users: [...clinic.clients, ...clinic.staff].map(({ id, userId, first, last, email, avatar, organizations }) => ({
      id,
      first_name: first,
      last_name: last,
      email,
      avatar_url: avatar,
      // both ways of saying that there is none
      company: organizations[0] ?? (id % 4 === 0 ? null : ''),
      coach_id: clinic.staff.find(({ linked }) => linked.includes(userId))?.id ?? null
    })),
    ...usualRows(clinic, { user: 'user_id' })
  })
})
