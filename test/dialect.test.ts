import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import t from 'tap'
import { type Dialect, dialectOf } from '../src/dialect.js'
import { type Db, databases, mysqlPool, openDatabase } from './support/databases.js'
import { serve } from './support/server.js'
import { fill } from './support/world.js'

const admin = { userId: 20, role: 'Admin' }
const column = sql.ref('c')

t.test('the SQL of each database', async (t) => {
  const expressions = (dialect: Dialect) => [
    dialect.text(column),
    dialect.bytes(column),
    sql`select ${dialect.sample}`,
    dialect.contains(column, '50%_!'),
    dialect.same(column, 'é')
  ]
  const expected = {
    mysql: [
      { sql: 'convert(`c` using utf8mb4)', parameters: [] },
      { sql: 'cast(convert(`c` using utf8mb4) as binary)', parameters: [] },
      { sql: "select _utf8mb4 X'f09f9982'", parameters: [] },
      { sql: "`c` like _utf8mb4 ? escape '!'", parameters: [Buffer.from('%50!%!_!!%')] },
      {
        sql: '(`c` = _utf8mb4 ? and cast(convert(`c` using utf8mb4) as binary) = ?)',
        parameters: [Buffer.from('é'), Buffer.from('é')]
      }
    ],
    sqlite: [
      { sql: 'cast("c" as text)', parameters: [] },
      { sql: 'cast("c" as text) collate binary', parameters: [] },
      { sql: "select '🙂'", parameters: [] },
      { sql: '"c" like ? escape \'!\'', parameters: ['%50!%!_!!%'] },
      { sql: '("c" in (?, cast(? as numeric)) and cast("c" as text) collate binary = ?)', parameters: ['é', 'é', 'é'] }
    ]
  }
  for (const name of databases) {
    const db = await openDatabase(t, name)
    const dialect = dialectOf(db)
    t.equal(dialect.name, name)
    const compiled = expressions(dialect).map((expression) => expression.compile(db))
    t.strictSame(
      compiled.map(({ sql, parameters }) => ({ sql, parameters })),
      expected[name]
    )
  }
  const db = await openDatabase(t, 'mysql')
  t.equal(
    dialectOf(db).within('\n select 1', 1500),
    "/*M!100100 set statement time_zone='+00:00', max_statement_time=1.5 for */ " +
      "select /*+ SET_VAR(time_zone='+00:00') MAX_EXECUTION_TIME(1500) */ 1"
  )
  t.equal(dialectOf(await openDatabase(t, 'sqlite')).within('select 1', 1500), 'select 1')
})

t.test('the same cells give the same bytes whatever mysql2 and the session are set to', async (t) => {
  const pool = await mysqlPool(t)
  const open = (settings: PoolOptions, start?: string): Db => {
    const connections = createPool({ ...pool, ...settings })
    if (start) connections.on('connection', (connection) => connection.query(start))
    const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: connections }) })
    t.teardown(() => db.destroy())
    return db
  }
  const plain = open({})
  await fill(plain)
  await sql`alter table assessments modify date_assignment timestamp null, modify assessment_id bigint unsigned`.execute(
    plain
  )
  await sql`update assessments set assessment_id = 18446744073709551615 where assessment_id = 1`.execute(plain)
  await sql`update payments set amount = '1234567.89' where payment_id = 1`.execute(plain)
  const name = { first_name: 'Łukasz 日本 😀', last_name: "Ünï o'\\Hara" }
  await plain.updateTable('users').set(name).where('user_id', '=', 1).execute()
  const urls = [
    '/assessment/list?search=ada',
    `/assessment/list?search=${encodeURIComponent('日本 😀')}`,
    '/payment/list?search=pi_0',
    '/payment/list?search=%27%20or%201%3D1%20--%20'
  ]
  const answers = async (db: Db) => {
    const { get } = await serve(t, { db })
    return Promise.all(urls.map(async (url) => (await get(url, admin)).text))
  }
  await sql`set time_zone = '+00:00'`.execute(plain)
  const expected = await answers(plain)
  t.match(expected[0], /"assessment_id":"18446744073709551615"/)
  t.match(expected[1], /"first_name":"Łukasz 日本 😀"/)
  t.match(expected[2], /"amount":1234567.89,/)

  const settings: PoolOptions[] = [
    { dateStrings: true },
    { timezone: '+07:00' },
    { supportBigNumbers: true, bigNumberStrings: true },
    { decimalNumbers: true },
    { typeCast: false },
    { typeCast: (field, next) => (field.type === 'VAR_STRING' ? field.string() : next()) },
    ...[
      'latin1_swedish_ci',
      'utf8mb4_bin',
      'utf8_general_ci',
      'big5_chinese_ci',
      'gbk_chinese_ci',
      'cp1251_general_ci'
    ].map((charset) => ({ charset })),
    { charset: 'latin1_swedish_ci', typeCast: false },
    { multipleStatements: true }
  ]
  for (const setting of settings) t.strictSame(await answers(open(setting)), expected, JSON.stringify(setting))
  for (const start of [
    "set time_zone = '+07:00'",
    "set sql_mode = 'NO_BACKSLASH_ESCAPES'",
    "set sql_mode = 'ANSI_QUOTES'",
    "set sql_mode = ''",
    'set sql_select_limit = 1',
    "set sql_mode = 'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY'"
  ]) {
    t.strictSame(await answers(open({}, start)), expected, start)
  }
})

t.test('a driver that changes text on its way, whatever is asked, is an error that says what to set', async (t) => {
  const lines: string[] = []
  const typeCast: PoolOptions['typeCast'] = (field, next) =>
    /STRING|BLOB/.test(field.type) ? field.string()?.slice(1) : next()
  const db = await openDatabase(t, 'mysql', { pool: { typeCast } })
  await fill(db)
  const { get } = await serve(
    t,
    { db, checkOnReady: 'off' },
    { server: { logger: { level: 'error', stream: { write: (line) => lines.push(line) } } } }
  )
  t.equal((await get('/payment/list', admin)).status, 500)
  t.match(lines, [/use charset 'utf8mb4'/])
})
