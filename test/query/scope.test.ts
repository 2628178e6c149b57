import { sql } from 'kysely'
import t from 'tap'
import type { Dialect } from '../../src/database/dialect.js'
import { mysql } from '../../src/database/dialects/mysql.js'
import { postgres } from '../../src/database/dialects/postgres.js'
import { sqlite } from '../../src/database/dialects/sqlite.js'
import { parameterOf } from '../../src/database/parameter.js'
import { payments } from '../../src/lists/payments.js'
import type { Reach } from '../../src/lists/reach.js'
import { foreignTablesOf } from '../../src/query/foreign-tables.js'
import { scopeOf } from '../../src/query/scope.js'
import { unknownTraits } from '../../src/query/traits.js'
import { findIn, sessionOf, withoutDatabase } from '../support/session.js'
import { openWorld } from '../support/tables.js'

interface Asking {
  plainIds?: boolean
  userId?: string
  dialect?: Dialect
  hasForeignTables?: boolean
}

t.test('each reach is one condition, and the reach none makes no query', (t) => {
  const session = sessionOf(withoutDatabase('sqlite'))
  const sqlOf = (
    reach: Reach,
    { plainIds = false, userId = '7', dialect = sqlite, hasForeignTables = false }: Asking = {}
  ) => {
    const { join, where, user } = scopeOf({
      list: payments,
      reach,
      userId: parameterOf(userId),
      traits: { ...unknownTraits, plainIds },
      foreign: hasForeignTables ? foreignTablesOf(dialect) : undefined,
      session: { ...session, dialect }
    })
    const { sql: text, parameters } = session.compile(sql`${join} where ${sql.join(where)}`)
    return { text: text.replace(/\s+/g, ' ').trim(), parameters, limitsUsers: user !== undefined }
  }
  t.strictSame(sqlOf('all'), { text: 'where', parameters: [], limitsUsers: false })
  t.strictSame(sqlOf('own'), {
    text: 'where ("r"."user_id" in (?, cast(? as numeric)) and cast("r"."user_id" as text) collate binary = ?)',
    parameters: ['7', '7', '7'],
    limitsUsers: false
  })
  t.match(sqlOf('linked'), {
    text: /^inner join \( select "l"."user_id", .* as bytes from "links" as l where .* union select "o"."user_id", .* as bytes from "payments" as o where .* \) as v on "v"."user_id" = "r"."user_id" and cast\("v"."user_id" as text\) collate binary = .* where$/,
    parameters: ['7', '7', '7', '7', '7', '7'],
    limitsUsers: false
  })
  t.match(
    sqlOf('linked', { plainIds: true }).text,
    /select "l"."user_id" from .* as v on "v"."user_id" = "r"."user_id" where$/
  )
  // A foreign table gets the users' ids as an array, and sends the array to its server.
  t.match(sqlOf('linked', { plainIds: true, dialect: postgres, hasForeignTables: true }), {
    text: /^where "r"."user_id" = any\(array\( select "l"."user_id" from "links" as l where .* union select "o"."user_id" from "payments" as o where .*\)\)$/,
    parameters: ['7', '7', '7', '7'],
    limitsUsers: true
  })
  t.match(sqlOf('linked', { dialect: postgres, hasForeignTables: true }).text, /^inner join \(/)
  t.match(sqlOf('linked', { plainIds: true, dialect: postgres }).text, /^inner join \(/)
  // A whole number is compared as a number with exact numeric ids. Any other numeric text must be the same text.
  t.match(sqlOf('own', { plainIds: true, dialect: mysql }), { text: 'where "r"."user_id" = ?', parameters: [7] })
  for (const userId of ['07', '7.0', '7e0', '-0', '1234567890123456']) {
    t.match(sqlOf('own', { plainIds: true, userId, dialect: mysql }).text, /as binary\) = \?\)$/, userId)
  }
  t.match(sqlOf('own', { dialect: mysql }).text, /as binary\) = \?\)$/)
  t.match(sqlOf('own', { plainIds: true }).text, /collate binary = \?\)$/, 'plain ids on SQLite')
  t.throws(() => sqlOf('none'), { message: "The reach 'none' has no query." })
  t.end()
})

for (const name of ['mysql', 'postgres'] as const) {
  t.test(`an id that the columns of ${name} cannot hold has no records`, async (t) => {
    const db = await openWorld(t, name)
    for (const column of ['assessments.user_id', 'payments.user_id', 'links.owner_id', 'links.user_id']) {
      const [table, id] = column.split('.')
      const change = name === 'mysql' ? `modify ${id} int` : `alter ${id} type integer`
      await sql.raw(`alter table ${table} ${change}`).execute(db)
    }
    const find = findIn(db)
    t.match(await find('payments', { reach: 'own', userId: '1' }), { total: 3 })
    t.match(await find('assessments', { reach: 'linked', userId: '10' }), { total: 9 })
    for (const userId of ['2147483648', '5000000000', '999999999999999', '99999999999999999999', '-1', 'abc']) {
      t.match(await find('payments', { reach: 'own', userId }), { total: 0 }, userId)
      t.match(await find('assessments', { reach: 'linked', userId }), { total: 0 }, userId)
    }
  })
}
