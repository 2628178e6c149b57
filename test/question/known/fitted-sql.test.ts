import { sql } from 'kysely'
import t from 'tap'
import { mysql } from '../../../src/database/dialects/mysql.js'
import { payments } from '../../../src/lists/payments.js'
import { fittedOf, unknownTraits } from '../../../src/question/known/fitted-sql.js'
import { execute } from '../../support/check.js'
import { findIn, sessionOf, withoutDatabase } from '../../support/session.js'
import { openWorld } from '../../support/tables.js'

t.test('`=` alone compares two ids only if both columns hold whole numbers or UUIDs', async (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const sqlOf = (...exactIds: string[]) => {
    const fitted = fittedOf(payments, session.tables, mysql, { ...unknownTraits, exactIds })
    return session.compile(sql<never>`${fitted.sameIds('u.user_id', 'r.user_id')}`).sql.replaceAll('`', '')
  }
  t.equal(sqlOf('u.user_id', 'r.user_id'), 'u.user_id = r.user_id')
  for (const exact of ['u.user_id', 'r.user_id']) t.match(sqlOf(exact), /^u\.user_id = r\.user_id and cast\(/, exact)
})

t.test('a text that a filtered column cannot hold leaves the index of own records in use (contract 132)', async (t) => {
  const statements: string[] = []
  const db = await openWorld(t, 'postgres', { onQuery: ({ sql }) => statements.push(sql) })
  await execute(db, 'alter table payments alter processor_status type int using payment_id')
  const find = findIn(db)
  await find('payments')
  statements.length = 0
  const askedFor = async (userId: string, processor_status: string) => {
    const { total } = await find('payments', { reach: 'own', userId, parameters: { processor_status } })
    const conditions = statements.splice(0).filter((statement) => /where.*"r"\."processor_status"/s.test(statement))
    return { total, own: conditions.map((statement) => /"r"\."user_id" = /.test(statement)) }
  }
  t.strictSame(await askedFor('1', '2'), { total: 1, own: [true] })
  t.strictSame(await askedFor('1', 'paid'), { total: 0, own: [true, true] })
  t.strictSame(await askedFor('abc', 'paid'), { total: 0, own: [true, true, false] }, 'the id is refused, too')
})

t.test('the text of one request that a column cannot hold does not slow down the next request', async (t) => {
  const pages: string[] = []
  const db = await openWorld(t, 'mysql', {
    onQuery: ({ sql }) => {
      if (sql.includes('sort key')) pages.push(sql.includes('`processor_status` = ') ? 'usual' : 'slower')
    }
  })
  await sql`alter table payments modify processor_status varchar(50) character set latin1`.execute(db)
  const find = findIn(db)
  for (const [processor_status, total, sent] of [
    ['pending', 11, ['usual']],
    // A latin1 column cannot hold this text.
    ['漢', 0, ['usual', 'slower']],
    ['pending', 11, ['usual']],
    ['字', 0, ['usual', 'slower']]
  ] as const) {
    t.match(await find('payments', { parameters: { processor_status } }), { total })
    t.strictSame(pages.splice(0), sent, processor_status)
  }
})
