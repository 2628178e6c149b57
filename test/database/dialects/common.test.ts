import { sql } from 'kysely'
import t from 'tap'
import { booleanOf, existsIfFew } from '../../../src/database/dialects/common.js'
import { openWorld } from '../../support/servers/tables.js'

t.test('a text is true or false only in a form in which a database writes it', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const values = {
    1: 'true',
    true: 'true',
    t: 'true',
    0: 'false',
    false: 'false',
    f: 'false',
    '': null,
    TRUE: null,
    2: null
  }
  for (const [text, value] of Object.entries(values)) {
    const { rows } = await sql`select ${booleanOf(sql.lit(text))} as value`.execute(db)
    t.strictSame(rows, [{ value }], text)
  }
})

t.test('users who are found have the same records, whether few are in reach or many', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const ids = { ofRecord: [sql.ref('r.user_id')], ofUser: [sql.ref('u.user_id')], isScan: false, hasIndex: true }
  const recordsOf = async (name: string, areFew: boolean) => {
    const condition = existsIfFew({ ...ids, areFew, found: sql`users as u where first_name = ${name}` })
    return (await sql`select payment_id from payments as r where ${condition}`.execute(db)).rows.length
  }
  for (const areFew of [true, false]) {
    t.strictSame([await recordsOf('Ben', areFew), await recordsOf('nobody', areFew)], [3, 0], `few: ${areFew}`)
  }
})
