import { sql } from 'kysely'
import t from 'tap'
import type { Dialect } from '../../src/database/dialect.js'
import { mysql } from '../../src/database/dialects/mysql.js'
import { postgres } from '../../src/database/dialects/postgres.js'
import { sqlite } from '../../src/database/dialects/sqlite.js'
import { parameterOf } from '../../src/database/parameter.js'
import { payments } from '../../src/lists/payments.js'
import type { Reach } from '../../src/lists/reach.js'
import { unfitted } from '../../src/query/fitted.js'
import { foreignTablesOf } from '../../src/query/foreign-tables.js'
import { scopeOf } from '../../src/query/scope.js'
import { findIn, sessionOf, withoutDatabase } from '../support/session.js'
import { openWorld } from '../support/tables.js'

interface Asking {
  userId?: string
  dialect?: Dialect
  hasForeignTables?: boolean
}

t.test('each reach is one condition, and the reach none makes no query', (t) => {
  const session = sessionOf(withoutDatabase('sqlite'))
  const sqlOf = (reach: Reach, { userId = '7', dialect = sqlite, hasForeignTables = false }: Asking = {}) => {
    const { join, where, user } = scopeOf({
      list: payments,
      reach,
      userId: parameterOf(userId),
      fitted: { ...unfitted(dialect), foreign: hasForeignTables ? foreignTablesOf(dialect) : undefined },
      session
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
  // A foreign table gets the users' ids as an array, and sends the array to its server.
  t.match(sqlOf('linked', { dialect: postgres, hasForeignTables: true }), {
    text: /^where "r"."user_id" = any\(array\(select v.user_id from \( select "l"."user_id", .* union select "o"."user_id", .*\) as v\)\) and cast\("r"."user_id" as text\) collate "C" = any\(array\(select v.bytes from .*\)\)$/,
    limitsUsers: true
  })
  t.match(sqlOf('linked', { dialect: postgres }).text, /^inner join \(/)
  t.match(sqlOf('own', { dialect: mysql }), { text: /^where \("r"."user_id" = \? and cast\(.* as binary\) = \?\)$/ })
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
