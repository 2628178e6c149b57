import { sql } from 'kysely'
import t from 'tap'
import type { Dialect } from '../../../src/database/dialect.js'
import { dialectOf } from '../../../src/database/dialects/index.js'
import { mysql } from '../../../src/database/dialects/mysql.js'
import { postgres } from '../../../src/database/dialects/postgres.js'
import { sqlite } from '../../../src/database/dialects/sqlite.js'
import { parameterOf } from '../../../src/database/parameter.js'
import { dateTime, onDatabases, openDatabase } from '../../support/servers/databases.js'
import { withoutDatabase } from '../../support/servers/session.js'

const dialects = { mysql, postgres, sqlite }
const column = sql.ref('c')

t.test('the SQL of each database', async (t) => {
  const expressions = (dialect: Dialect) => [
    dialect.text(column),
    dialect.bytes(column),
    sql`select ${dialect.sample('é 🙂\\')}, ${dialect.sample(null)}`,
    dialect.contains(column, parameterOf('%50!%%')),
    dialect.same(column, parameterOf('é')),
    dialect.same(column, parameterOf('12')),
    dialect.fromKey(
      sql.ref('t'),
      column,
      '<=',
      { value: parameterOf('2024-03-01 09:30:00'), id: parameterOf('é') },
      false,
      { value: false, id: false }
    ),
    dialect.fromKey(sql.ref('t'), column, '>', { value: parameterOf('12.50'), id: parameterOf('7') }, true, {
      value: false,
      id: true
    })
  ]
  /** Each expression, and its parameters. Those in brackets are bytes. */
  const expected = {
    mysql: [
      'concat(convert(`c` using utf8mb4))',
      'cast(convert(`c` using utf8mb4) as binary)',
      "select _utf8mb4 X'c3a920f09f99825c', null",
      "`c` like _utf8mb4 ? escape '!' <- [%50!%%]",
      '(`c` = _utf8mb4 ? and cast(convert(`c` using utf8mb4) as binary) = ?) <- [é] [é]',
      '(`c` = ? and cast(convert(`c` using utf8mb4) as binary) = ?) <- 12 [12]',
      '(`t` < ? or (`t` = ? and `c` <= _utf8mb4 ?)) <- 2024-03-01 09:30:00 2024-03-01 09:30:00 [é]',
      '(`t` > cast(? as decimal(65, 30)) or (`t` = cast(? as decimal(65, 30)) and `c` > ?)) <- 12.50 12.50 7'
    ],
    postgres: [
      'cast("c" as text)',
      'cast("c" as text) collate "C"',
      "select ('' || chr(233) || ' ' || chr(128578) || '' || chr(92) || ''::text), null::text",
      'cast("c" as text) ilike $1 escape \'!\' <- %50!%%',
      '("c" = $1 and coalesce(cast("c" as text) collate "C" = $2, false)) <- é é',
      '("c" = $1 and coalesce(cast("c" as text) collate "C" = $2, false)) <- 12 12',
      '("t", "c") <= ($1, $2) <- 2024-03-01 09:30:00 é',
      '("t", "c") > ($1, $2) <- 12.50 7'
    ],
    sqlite: [
      'cast("c" as text)',
      'cast("c" as text) collate binary',
      "select 'é 🙂\\', null",
      'cast("c" as text) like ? escape \'!\' <- %50!%%',
      '("c" = ? and cast("c" as text) collate binary = ?) <- é é',
      '("c" in (?, cast(? as numeric)) and cast("c" as text) collate binary = ?) <- 12 12 12',
      '("t", "c") <= (?, ?) <- 2024-03-01 09:30:00 é',
      '("t", "c") > (cast(? as numeric), case typeof("c") when \'text\' then ? else cast(? as numeric) end) <- 12.50 7 7'
    ]
  }
  const shown = (parameter: unknown) => (Buffer.isBuffer(parameter) ? `[${parameter}]` : String(parameter))
  for (const name of ['mysql', 'postgres', 'sqlite'] as const) {
    const db = withoutDatabase(name)
    const dialect = dialectOf(db)
    t.equal(dialect, dialects[name])
    const compiled = expressions(dialect).map((expression) => {
      const { sql, parameters } = expression.compile(db)
      return parameters.length > 0 ? `${sql} <- ${parameters.map(shown).join(' ')}` : sql
    })
    t.strictSame(compiled, expected[name])
  }
  const db = await openDatabase(t, 'mysql')
  t.equal(dialectOf(db), mysql)
  t.equal(
    mysql.withTimeLimit({ sql: '\n select 1', parameters: [] }, 1500),
    "/*M!100100 set statement time_zone='+00:00', max_sort_length=1024, max_statement_time=least(1.5, coalesce(nullif(@@max_statement_time, 0), 1.5)) for */ " +
      "select /*+ SET_VAR(time_zone='+00:00') SET_VAR(max_sort_length=1024) MAX_EXECUTION_TIME(1500) */ 1"
  )
  t.equal(
    mysql.withTimeLimit({ sql: 'select ?', parameters: [Buffer.from("O'Brien")] }, 20),
    "/*M!100100 set statement time_zone='+00:00', max_sort_length=1024, */ /*M!100301 optimizer_switch='split_materialized=off', */ " +
      "/*M!100100 max_statement_time=least(0.02, coalesce(nullif(@@max_statement_time, 0), 0.02)) for */ select /*+ SET_VAR(time_zone='+00:00') SET_VAR(max_sort_length=1024) " +
      "SET_VAR(optimizer_switch='derived_condition_pushdown=off') MAX_EXECUTION_TIME(20) */ ?"
  )
  const { rows } = await sql
    .raw(mysql.withTimeLimit({ sql: 'select @@optimizer_switch as flags', parameters: [Buffer.from("'")] }, 20))
    .execute(db)
  t.match(rows, [{ flags: /split_materialized=off|derived_condition_pushdown=off/ }])
  const sqlite = dialectOf(withoutDatabase('sqlite'))
  t.equal(sqlite.withTimeLimit({ sql: 'select 1', parameters: [] }, 1500), 'select 1')
})

onDatabases(t, 'what follows a key may have the record of the key, and those with equal ids', async (t, name) => {
  const db = await openDatabase(t, name)
  const { fromKey, fallback } = dialectOf(db)
  const id = `id varchar(9)${name === 'sqlite' ? ' collate nocase' : ''}`
  await sql.raw(`create table keys_of (made_at ${dateTime(name)}, ${id})`).execute(db)
  // PostgreSQL compares texts exactly.
  const equal = name === 'postgres' ? ['a'] : ['a', 'A']
  const rows = { '2024-03-01': ['b'], '2024-03-02': [...equal, 'c'], '2024-03-03': ['d'] }
  const values = Object.entries(rows).flatMap(([day, ids]) => ids.map((id) => ({ made_at: `${day} 09:30:00`, id })))
  await db.insertInto('keys_of').values(values).execute()
  const key = { value: parameterOf('2024-03-02 09:30:00'), id: parameterOf('a') }
  for (const [operator, found] of [
    ['<=', [...equal, 'b']],
    ['>=', [...equal, 'c', 'd']],
    ['<', ['b']],
    ['>', ['c', 'd']]
  ] as const) {
    // After the database has refused a text, the SQL is another.
    for (const [way, compare] of Object.entries({ fromKey, slower: fallback?.fromKey ?? fromKey })) {
      const isFound = compare(sql.ref('made_at'), sql.ref('id'), operator, key, false, { value: false, id: false })
      const { rows } = await sql<{ id: string }>`select id from keys_of where ${isFound}`.execute(db)
      t.strictSame(new Set(rows.map(({ id }) => id)), new Set(found), `${operator} ${way}`)
    }
  }
})

t.test(
  'a place that holds other characters than ASCII is cast to the connection, after a text was refused',
  async (t) => {
    const key = { value: parameterOf('Zoë'), id: parameterOf('7') }
    const place = mysql.fallback?.fromKey?.(sql.ref('t'), column, '>', key, false, { value: false, id: false })
    const { sql: text, parameters } = sql`${place}`.compile(withoutDatabase('mysql'))
    const name = Buffer.from('Zoë')
    t.equal(text, '(`t` > cast(_utf8mb4 ? as char) or (`t` = cast(_utf8mb4 ? as char) and `c` > ?))')
    t.strictSame(parameters, [name, name, '7'])
  }
)
