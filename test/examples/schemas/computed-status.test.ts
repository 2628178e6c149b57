import t from 'tap'
import { tablesOf } from '../../../examples/schemas/computed-status.js'
import { checkSchema } from '../../support/schemas.js'

checkSchema(t, {
  tablesOf,
  records: { assessments: 'sittings', payments: 'purchases' },
  tables: [
    'create table users (id int primary key, first_name varchar(50) not null, last_name varchar(50) not null, email varchar(100) not null, avatar_url varchar(200))',
    'create table user_groups (user_id int not null, name varchar(50) not null, primary key (user_id, name))',
    'create table supervisions (supervisor_id int not null, user_id int not null, primary key (supervisor_id, user_id))',
    'create table sittings (id int primary key, licence varchar(20) not null, test varchar(20) not null, user_id int not null, examiner_id int, booked_at datetime not null, invited_at datetime, submitted_at datetime)',
    'create index sittings_newest on sittings (booked_at, id)',
    'create index sittings_own on sittings (user_id, booked_at, id)',
    'create table purchases (id int primary key, user_id int not null, amount decimal(10, 2) not null, seats int not null, intent varchar(30) not null unique, method varchar(20) not null, started_at datetime not null, captured_at datetime, failed_at datetime)',
    'create index purchases_newest on purchases (started_at, id)',
    'create index purchases_own on purchases (user_id, started_at, id)'
  ],
  // without them it reads and sorts all for a filter
  indexes: {
    postgres: [
      "create index sittings_status on sittings ((case when submitted_at is not null then 'completed' when invited_at is not null then 'pending' else 'reserved' end), booked_at, id)",
      "create index purchases_status on purchases ((case when captured_at is not null then 'succeeded' when failed_at is not null then 'failed' else 'pending' end), started_at, id)"
    ]
  },
  rows: ({ clients, staff, assessments, payments }) => ({
    users: [...clients, ...staff].map(({ id, first, last, email, avatar }) => ({
      id,
      first_name: first,
      last_name: last,
      email,
      avatar_url: avatar
    })),
    user_groups: clients.flatMap(({ id, organizations }) => organizations.map((name) => ({ user_id: id, name }))),
    supervisions: staff.flatMap(({ id, linked }) => linked.map((user_id) => ({ supervisor_id: id, user_id }))),
    sittings: assessments.map(({ id, licence, type, user, practitioner, assigned, concluded, created }) => ({
      id,
      licence,
      test: type,
      user_id: user.id,
      examiner_id: practitioner?.id ?? null,
      booked_at: created,
      invited_at: assigned,
      submitted_at: concluded
    })),
    purchases: payments.map(({ id, user, amount, quantity, intent, paid, method, processorStatus, created }) => ({
      id,
      user_id: user.id,
      amount,
      seats: quantity,
      intent,
      method,
      started_at: created,
      captured_at: paid,
      failed_at: processorStatus === 'failed' ? created : null
    }))
  })
})
