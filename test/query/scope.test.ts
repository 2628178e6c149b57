import { sql } from 'kysely'
import t from 'tap'
import { clientText } from '../../src/database/dialect.js'
import { mysql } from '../../src/database/dialects/mysql.js'
import { postgres } from '../../src/database/dialects/postgres.js'
import { sourcesOf } from '../../src/database/source.js'
import { type Reach, reachOf, visibilityOf } from '../../src/lists/reach.js'
import { scopeOf } from '../../src/query/scope.js'
import { openDatabase } from '../support/databases.js'
import { expected } from '../support/oracle.js'
import { serve, shown } from '../support/server.js'
import { openWorld } from '../support/tables.js'

t.test('the exact name of a role decides its reach, and the host can change the reach', (t) => {
  const visibility = visibilityOf({ Admin: 'all', Individual: 'own' }, 'none', {
    Auditor: 'linked',
    Individual: 'none'
  })
  for (const [role, reach] of [
    ['Admin', 'all'],
    ['Auditor', 'linked'],
    ['Individual', 'none'],
    ['admin', 'none'],
    ['constructor', 'none'],
    ['__proto__', 'none'],
    ['', 'none']
  ] as const) {
    t.equal(reachOf(visibility, role), reach, role)
  }
  t.end()
})

t.test('each reach is one condition, and the reach none makes no query', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const source = sourcesOf({ db, tables: {} }).of({} as never)
  const sqlOf = (reach: Reach, plainIds = false, userId = '7', dialect = source.dialect, among = false) => {
    const { join, where } = scopeOf({
      reach,
      userId: clientText(userId),
      records: 'payments',
      plainIds,
      among: among ? dialect.foreignTables?.among : undefined,
      source: { ...source, dialect }
    })
    const { sql: text, parameters } = sql`${join} where ${sql.join(where)}`.compile(db)
    return { text: text.replace(/\s+/g, ' ').trim(), parameters }
  }
  t.strictSame(sqlOf('all'), { text: 'where', parameters: [] })
  t.strictSame(sqlOf('own'), {
    text: 'where ("r"."user_id" in (?, cast(? as numeric)) and cast("r"."user_id" as text) collate binary = ?)',
    parameters: ['7', '7', '7']
  })
  t.match(sqlOf('linked'), {
    text: /^inner join \( select "l"."user_id", .* as bytes from "links" as l where .* union select "o"."user_id", .* as bytes from "payments" as o where .* \) as v on "v"."user_id" = "r"."user_id" and cast\("v"."user_id" as text\) collate binary = .* where$/,
    parameters: ['7', '7', '7', '7', '7', '7']
  })
  t.match(sqlOf('linked', true).text, /select "l"."user_id" from .* as v on "v"."user_id" = "r"."user_id" where$/)
  // A foreign table gets the users' ids as an array, and sends the array to its server.
  t.match(sqlOf('linked', true, '7', postgres, true), {
    text: /^where "r"."user_id" = any\(array\( select "l"."user_id" from "links" as l where .* union select "o"."user_id" from "payments" as o where .*\)\)$/,
    parameters: ['7', '7', '7', '7']
  })
  t.match(sqlOf('linked', false, '7', postgres, true).text, /^inner join \(/)
  t.match(sqlOf('linked', true, '7', postgres).text, /^inner join \(/)
  // A whole number is compared as a number with exact numeric ids. Any other numeric text must be the same text.
  t.strictSame(sqlOf('own', true, '7', mysql), { text: 'where "r"."user_id" = ?', parameters: [7] })
  for (const other of ['07', '7.0', '7e0', '-0', '1234567890123456']) {
    t.match(sqlOf('own', true, other, mysql).text, /as binary\) = \?\)$/, other)
  }
  t.match(sqlOf('own', false, '7', mysql).text, /as binary\) = \?\)$/)
  t.match(sqlOf('own', true).text, /collate binary = \?\)$/, 'plain ids on SQLite')
  t.throws(() => sqlOf('none'), { message: "The reach 'none' has no query." })
})

t.test('a host adds roles and changes reaches', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get, lines } = await serve(
    t,
    {
      db,
      visibility: {
        assessments: { Auditor: 'all', Individual: 'none' },
        payments: { Practitioner: 'linked', Auditor: 'all' }
      }
    },
    { log: 'warn' }
  )
  for (const [url, role, reach] of [
    ['/assessment/list?search=', 'Auditor', 'all'],
    ['/assessment/list?search=', 'Individual', 'none'],
    ['/payment/list', 'Auditor', 'all'],
    ['/payment/list', 'Practitioner', 'linked']
  ] as const) {
    const caller = { userId: 10, role }
    t.strictSame(shown(await get(url, caller)), expected(url, { ...caller, reach }), `${role} ${url}`)
  }
  t.strictSame(lines, [], 'a role of the option is not logged as unknown')
})

for (const name of ['mysql', 'postgres'] as const) {
  t.test(`an id that the columns of ${name} cannot hold has no records`, async (t) => {
    const db = await openWorld(t, name)
    for (const column of ['assessments.user_id', 'payments.user_id', 'links.owner_id', 'links.user_id']) {
      const [table, id] = column.split('.')
      const change = name === 'mysql' ? `modify ${id} int` : `alter ${id} type integer`
      await sql.raw(`alter table ${table} ${change}`).execute(db)
    }
    const { get } = await serve(t, { db })
    const total = async (url: string, userId: string, role: string) => (await get(url, { userId, role })).body.total
    t.equal(await total('/payment/list', '1', 'Individual'), 3)
    for (const userId of ['2147483648', '5000000000', '999999999999999', '99999999999999999999', '-1', 'abc']) {
      t.equal(await total('/payment/list', userId, 'Individual'), 0, userId)
      t.equal(await total('/assessment/list?search=', userId, 'Practitioner'), 0, userId)
    }
  })
}
