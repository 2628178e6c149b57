import { sql } from 'kysely'
import t from 'tap'
import { findings } from '../support/check.js'
import { databases } from '../support/databases.js'
import { openWorld } from '../support/tables.js'

for (const name of databases) {
  t.test(`a user with several rows on ${name}`, async (t) => {
    const db = await openWorld(t, name)
    const twice = sql`(select u.* from users as u inner join memberships as m on m.user_id = u.user_id)`
    const people = db.selectFrom(twice.as('u') as never).selectAll() as never
    const all = await findings(db, { users: people })
    t.match(all, [/^warning tables: users has the same user_id in several rows, of which a page shows any: remove/])
    t.equal(all.length, 1, 'once for both lists')
    const practitioners = sql`(select u.user_id as practitioner_id, first_name, last_name from users as u
      inner join links as l on l.owner_id = u.user_id)`
    const found = await findings(db, {
      practitioners: db.selectFrom(practitioners.as('p') as never).selectAll() as never
    })
    t.match(found, [/^warning tables: practitioners has the same practitioner_id in several rows, of which/])
    const payments = sql`(select p.* from payments as p inner join memberships as m on m.user_id = p.user_id)`
    t.match(
      await findings(db, { payments: db.selectFrom(payments.as('p') as never).selectAll() as never }),
      [/^error tables: payments has records several times/],
      'repeated records do not repeat the users'
    )
  })
}

t.test('repeated records are looked for among the newest', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await sql`insert into payments with recursive n as (select 100 as i union all select i + 1 from n where i < 250)
    select i, 1, 1, 1, 'pi_' || i, null, '', '', '', '2025-01-01' from n`.execute(db)
  const twice = (id: number) => {
    const rows = sql`(select * from payments union all select * from payments where payment_id = ${sql.lit(id)})`
    return { payments: db.selectFrom(rows.as('p') as never).selectAll() as never }
  }
  await sql`update payments set created_at = '2026-01-01' where payment_id = 250`.execute(db)
  t.match(await findings(db, twice(250)), [/^error tables: payments has records several times/])
  t.notMatch((await findings(db, twice(99))).join(), /several times/, 'the oldest record')
})
