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
