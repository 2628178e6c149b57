import { sql } from 'kysely'
import t from 'tap'
import { databases, dateTime } from '../support/databases.js'
import { filled, findings } from './support.js'

for (const name of databases) {
  t.test(`columns on ${name}`, async (t) => {
    t.test('missing tables and columns are found at once', async (t) => {
      const db = await filled(t, name, ['alter table users rename column email to mail', 'drop table memberships'])
      t.match(await findings(db), [
        /^error relations: users needs the columns user_id, first_name, last_name, email, avatar_url\. The database says: .*email/,
        /^error relations: memberships needs the columns user_id, org_name\. The database says: .*memberships/
      ])
    })

    t.test('ids that lose digits or are bytes, and numbers for times, are refused', async (t) => {
      const bytes = { mysql: 'varbinary(16)', postgres: 'bytea', sqlite: 'blob' }[name]
      const double = { mysql: 'double', postgres: 'double precision', sqlite: 'double' }[name]
      const db = await filled(t, name, [
        `create table invoices (nr ${bytes} not null primary key, person ${double}, amount decimal(9,2), quantity int,
          intent varchar(20), paid int, method varchar(20), status varchar(20), processor varchar(20), made ${dateTime(name)})`
      ])
      const payments = db
        .selectFrom('invoices as i')
        .select([
          'i.nr as payment_id',
          'i.person as user_id',
          'amount',
          'quantity',
          'intent as payment_intent',
          'i.paid as paid_at',
          'method as payment_method',
          'i.status as payment_status',
          'processor as processor_status',
          'i.made as created_at'
        ])
      t.match(await findings(db, { payments: payments as never }), [
        /^error relations: payments.payment_id \(invoices.nr\) is bytes, which is no id: .*hex/,
        /^error relations: payments.user_id \(invoices.person\) is a floating-point number, which is no id/,
        /^error relations: payments.paid_at \(invoices.paid\) is a number: .*from_unixtime/,
        /The ids of users and practitioners must have one type; they are a number in assessments.user_id, .*; a floating-point number in payments.user_id \(invoices.person\)\.$/,
        /create index/
      ])
    })

    t.test('ids of users have one type', async (t) => {
      const db = await filled(t, name, [
        'drop table links',
        'create table links (owner_id varchar(20), user_id varchar(20), primary key (owner_id, user_id))'
      ])
      const found = await findings(db)
      const level = name === 'mysql' ? 'warning' : 'error'
      t.match(found[0], new RegExp(`^${level} relations: .* text in links.owner_id, links.user_id\\.$`))
      if (name === 'postgres')
        t.match(found[1], /^error relations: The relations of the assessments do not fit together: .*UNION types/)
    })

    t.test('a type that is none of these is named', async (t) => {
      const type = { mysql: 'time', postgres: 'interval', sqlite: 'odd' }[name]
      const db = await filled(t, name, [
        `alter table payments rename column paid_at to paid`,
        `alter table payments add column paid_at ${type}`
      ])
      t.match((await findings(db))[0], new RegExp(`^error relations: payments.paid_at is of the type ${type}`))
    })
  })
}

t.test('collations that cannot be compared are an error that names the remedy', async (t) => {
  const db = await filled(t, 'mysql', [
    'create table people (user_id varchar(20) collate utf8mb4_unicode_ci primary key, first_name varchar(9), last_name varchar(9), email varchar(9), avatar_url varchar(9))',
    'alter table assessments modify user_id varchar(20) collate utf8mb4_general_ci',
    'alter table assessments modify practitioner_id varchar(20) collate utf8mb4_general_ci',
    'alter table links modify user_id varchar(20) collate utf8mb4_general_ci, modify owner_id varchar(20) collate utf8mb4_general_ci',
    'alter table memberships modify user_id varchar(20) collate utf8mb4_general_ci'
  ])
  const found = await findings(db, { users: 'people' })
  t.match(
    found.find((line) => /assessments do not fit/.test(line)),
    /one type and one collation\. The database says: Illegal mix of collations/
  )
})

t.test('what the catalog does not know, and what is computed, is not judged', async (t) => {
  const db = await filled(t, 'sqlite')
  const users = db
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email', 'avatar_url', sql<number>`user_id + 0`.as('user_id')])
  t.strictSame(await findings(db, { users: users as never }), [])
})
