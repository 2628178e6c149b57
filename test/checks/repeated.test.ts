import { sql } from 'kysely'
import t from 'tap'
import { execute, findings } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import { type Db, databases } from '../support/databases.js'
import { openWorld } from '../support/tables.js'

const select = (db: Db, rows: string) => db.selectFrom(sql.raw(`(${rows})`).as('rows_of') as never).selectAll() as never

for (const name of databases) {
  t.test(`a user with several rows on ${name}`, async (t) => {
    const db = await openWorld(t, name)
    const users = select(db, 'select u.* from users as u inner join memberships as m on m.user_id = u.user_id')
    const all = (await findings(db, { users })).filter((text) => !text.startsWith('info'))
    t.match(all, [/^warning tables: users has the same user_id in several rows, of which a page shows any: remove/])
    t.equal(all.length, 1, 'once for both lists')
    const practitioners = select(
      db,
      `select u.user_id as practitioner_id, first_name, last_name from users as u
        inner join links as l on l.owner_id = u.user_id`
    )
    t.match(await findings(db, { practitioners }), [
      /^warning tables: practitioners has the same practitioner_id in several rows, of which/
    ])
    const payments = select(db, 'select p.* from payments as p inner join memberships as m on m.user_id = p.user_id')
    const repeated = (await findings(db, { payments })).filter((text) => !text.startsWith('info'))
    t.match(repeated, [
      /^error tables: payments has records several times, so totals are wrong: remove the join that multiplies rows/
    ])
    t.equal(repeated.length, 1, 'repeated records do not repeat the users')
  })
}

t.test('repeated records are looked for among the newest', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(
    db,
    `insert into payments with recursive n as (select 100 as i union all select i + 1 from n where i < 250)
      select i, 1, 1, 1, 'pi_' || i, null, '', '', '', '2025-01-01' from n`,
    "update payments set created_at = '2026-01-01' where payment_id = 250"
  )
  const twice = (id: number) => ({
    payments: select(db, `select * from payments union all select * from payments where payment_id = ${id}`)
  })
  t.match(await findings(db, twice(250)), [/^error tables: payments has records several times/])
  t.notMatch((await findings(db, twice(99))).join(), /several times/, 'the oldest record')
})

t.test('a null id is no repetition', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const others = columnsOf.payments.slice(1).join()
  const payments = select(db, `select nullif(payment_id, 99) as payment_id, ${others} from payments`)
  t.notMatch((await findings(db, { payments })).join(), /several times/)
})

t.test('practitioners who are no users are repeated people, too', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(
    db,
    'update assessments set practitioner_id = 900',
    'create table staff (practitioner_id integer, first_name text, last_name text)',
    "insert into staff values (900, 'Pat', 'Practice'), (900, 'Pat', 'Other')",
    'create index staff_practitioner_id on staff (practitioner_id)'
  )
  t.match(await findings(db, { practitioners: 'staff' }), [
    /^warning tables: practitioners has the same practitioner_id in several rows/
  ])
})
