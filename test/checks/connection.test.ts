import { type Dialect, Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import t, { type Test } from 'tap'
import { refusedAdvice } from '../../src/errors/driver-errors.js'
import { execute, findings } from '../support/check.js'
import type { Convert } from '../support/conversions.js'
import { type Db, mysqlPool, postgresPool } from '../support/databases.js'
import { openRefused } from '../support/pgbouncer.js'
import { serve } from '../support/server.js'
import { openTables } from '../support/tables.js'
import { assessments, createTables } from '../support/world.js'

/** A database through a pool with these settings, whose sessions begin with a statement. */
function openMysql(t: Test, settings: PoolOptions, start?: string): Db {
  const pool = createPool(settings)
  if (start) pool.on('connection', (connection) => connection.query(start))
  return opened(t, new MysqlDialect({ pool }))
}

function openPostgres(t: Test, settings: pg.PoolConfig): Db {
  const pool = new pg.Pool(settings)
  // Its idle connections are ended with the database.
  pool.on('error', () => undefined)
  return opened(t, new PostgresDialect({ pool }))
}

function opened(t: Test, dialect: Dialect): Db {
  const db: Db = new Kysely({ dialect })
  t.teardown(() => db.destroy())
  return db
}

/** A pool that converts all text. */
const converting = (convert: Convert): PoolOptions => ({
  typeCast(field) {
    const text = field.string()
    return text === null ? null : convert(text)
  }
})

const garbled = /^error settings: The pool changes the values of the database\. .* remove rowsAsArray and nestTables, /
const throws = (text: string) =>
  new RegExp(
    `^error settings: The pool throws an error when .* from typeCast \\(pg: types\\)\\. The error says: ${text}$`
  )
const noPrice = () => {
  throw new Error('No price.')
}
// query/fitted.test.ts has more conversions.
const lower: Convert = (text) => text.toLowerCase()
const normalize: Convert = (text) => text.normalize('NFC')

/** The settings of a pool, or the statement with which a session begins, and the findings. */
const ofMysql: Record<string, [settings: PoolOptions | string, found: RegExp[]]> = {
  'rows as arrays': [{ rowsAsArray: true }, [garbled]],
  'rows by table': [{ nestTables: true }, [garbled]],
  'columns with the name of the table': [{ nestTables: '_' }, [garbled]],
  'an empty text for null': [{ typeCast: (field) => field.string() ?? '' }, [garbled]],
  'cut text': [
    { typeCast: (field, next) => (/STRING|BLOB/.test(field.type) ? field.string()?.slice(1) : next()) },
    [garbled]
  ],
  'a conversion that throws': [converting(noPrice), [throws('No price\\.')]],
  'JSON.parse of all text': [converting(JSON.parse), [throws('.*')]],
  'small letters': [converting(lower), [garbled]],
  // The bytes of a text are no text that this conversion changes.
  'normalized text': [converting(normalize), []],
  'a connection that carries only some characters': [{ charset: 'latin1_swedish_ci' }, []],
  'cut text of such a connection': [
    {
      charset: 'latin1_swedish_ci',
      typeCast: (field, next) => (field.type === 'VAR_STRING' ? field.string('latin1')?.slice(1) : next())
    },
    [garbled]
  ],
  'dates as text': [{ dateStrings: true, timezone: '+07:00' }, []],
  'large numbers as text': [{ supportBigNumbers: true, bigNumberStrings: true, decimalNumbers: true }, []],
  'no typeCast': [{ typeCast: false }, []],
  'several statements': [{ multipleStatements: true }, []],
  'another time zone': ["set time_zone = '+07:00'", []],
  'a short sort length': ['set max_sort_length = 64', []],
  'another SQL mode': ["set sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'", []],
  'one row of each statement': ['set sql_select_limit = 1', []],
  'a transaction that never ends': ['set autocommit = 0', [/^error settings: The session has autocommit off, /]],
  'padded CHAR columns': [
    "set sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'",
    [/^error settings: The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to CHAR columns: remove it\.$/]
  ]
}

t.test('the settings of mysql2 and of sessions of MySQL', async (t) => {
  // Nothing writes, so all pools lead to one database.
  const pool = await mysqlPool(t)
  await createTables(openMysql(t, pool))
  for (const [what, [settings, found]] of Object.entries(ofMysql)) {
    const db = typeof settings === 'string' ? openMysql(t, pool, settings) : openMysql(t, { ...pool, ...settings })
    const all = await findings(db)
    t.match(all, found, what)
    t.equal(all.length, found.length, what)
  }
})

t.test('a proxy that takes comments out of statements of MySQL stops the boot', async (t) => {
  // The default tables need the comments in their columns.
  const rewrite = (statement: string) =>
    statement.startsWith('create') ? statement : statement.replace(/\/\*.*?\*\//gs, '')
  const db = await openTables(t, 'mysql', { rewrite, pool: { connectionLimit: 1 } })
  await execute(db, "set time_zone = '+07:00'")
  t.match(await findings(db), [/^error settings: Statements do not get their own time zone, /])
})

/** What a server can answer in the place of a setting, and how the finding ends. */
const unexpected = [
  ['null', 'the database answers null'],
  ["'noon'", 'the database answers noon'],
  ['7', 'the database answers 7'],
  ['no_such(7)', 'the database refuses the statement']
] as const

for (const [name, what, setting] of [
  ['mysql', 'the time zone of statements', 'from_unixtime(1719835200)'],
  ['mysql', 'autocommit', '@@autocommit + 0'],
  ['mysql', 'the sql_mode', "@@sql_mode like '%PAD_CHAR_TO_FULL_LENGTH%'"],
  ['postgres', 'the time zone of transactions', "to_char(to_timestamp(1719835200), 'YYYY-MM-DD HH24:MI:SS')"]
] as const) {
  t.test(`an unexpected answer of ${name} about ${what} proves nothing, and the other checks run`, async (t) => {
    let answer = setting as string
    const db = await openTables(t, name, { rewrite: (statement) => statement.replace(setting, answer) })
    const index = name === 'mysql' ? 'payments_created_at_payment_id on payments' : 'payments_created_at_payment_id'
    await execute(db, `drop index ${index}`)
    await db
      .insertInto('assessments')
      .values({ ...assessments[0], status: 'done' })
      .execute()
    const others = await findings(db)
    t.match(others, [/create index/, /assessments\.status is "done"/])
    for (const [other, says] of unexpected) {
      answer = other
      const told = `info unchecked: Not checked, because ${says}: ${what}.`
      t.strictSame(await findings(db), [...others, told], other)
    }
  })
}

t.test('a boot with an answer that proves nothing says so at info', async (t) => {
  const rewrite = (statement: string) => statement.replace(/from_unixtime\(\d+\)/, 'null')
  const db = await openTables(t, 'mysql', { rewrite })
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { log: 'info' })
  t.match(
    lines.filter(({ msg }) => msg.startsWith('The database')),
    [
      {
        level: 30,
        msg: /^The database fits the lists, as far as it was checked\.\nWhat .*\n- Not checked, because .* null: /
      }
    ]
  )
})

t.test('a wrong setting hides nothing else', async (t) => {
  const pool = await mysqlPool(t)
  const owner = openMysql(t, pool)
  await createTables(owner)
  await execute(owner, 'drop index payments_created_at_payment_id on payments')
  await owner
    .insertInto('assessments')
    .values({ ...assessments[0], status: 'done' })
    .execute()
  const db = openMysql(t, pool, 'set autocommit = 0')
  const found = await findings(db)
  t.match(found, [/^error settings: The session has autocommit off, /, /create index/, /assessments\.status is "done"/])
  const { lines } = await serve(t, { db, checkOnReady: 'warn' }, { log: 'warn' })
  t.match(lines, [{ msg: /^The database does not fit the lists\.\n[\s\S]*autocommit off[\s\S]*\ncreate index / }])
})

t.test('type parsers of pg that convert text stop the boot', async (t) => {
  const settings = await postgresPool(t)
  for (const [convert, told] of [
    [lower, garbled],
    [normalize, garbled],
    [noPrice, throws('No price\\.')]
  ] as const) {
    const db = openPostgres(t, { ...settings, types: { getTypeParser: () => convert } as never })
    t.match(await findings(db), [told], String(convert))
  }
})

t.test(
  'beside slow settings everything else is found, also by a session that gets one row of each statement',
  async (t) => {
    const pool = await mysqlPool(t)
    const db = openMysql(t, { ...pool, charset: 'latin1_swedish_ci' }, 'set sql_select_limit = 1')
    await createTables(db)
    const record = (id: number, status: string) => `(${id}, '', '', 1, 1, '${status}', null, null, now())`
    const records = [record(1, 'done'), record(2, 'gone'), record(3, 'pending')]
    await execute(db, `insert into assessments values ${records.join()}`)
    t.match(await findings(db), [/assessments.status is also "done", "gone", and/])
    await execute(
      db,
      'alter table users rename column email to mail',
      'drop index payments_created_at_payment_id on payments'
    )
    t.match(await findings(db), [/users lacks users\.email/, /create index/])
  }
)

t.test('other errors that a pool throws are no findings', async (t) => {
  const failing = (pool: object): Db => new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) })
  const connect = async () => {
    throw new Error('The vault is closed.')
  }
  await t.rejects(findings(failing({ connect })), { message: 'The vault is closed.' })
  const failed = async () => {
    throw Object.assign(new Error('corrupt'), { code: 'XX000' })
  }
  await t.rejects(findings(failing({ connect: failed })), { code: 'XX000' })
  const query = async () => {
    throw new Error('Unexpected response: 502 Bad Gateway')
  }
  const client = { query, release: () => undefined, processID: 1 }
  await t.rejects(findings(failing({ connect: async () => client })), { message: /^Unexpected response/ })
})

t.test('a Kysely dialect of PostgreSQL without transactions is told in its own words', async (t) => {
  const pool = new pg.Pool(await postgresPool(t))
  pool.on('error', () => undefined)
  let refuses = (_time: number) => true
  let times = 0
  class WithoutTransactions extends PostgresDialect {
    override createDriver() {
      const driver = super.createDriver()
      const begin = driver.beginTransaction.bind(driver)
      driver.beginTransaction = async (...settings) => {
        if (refuses(++times)) throw new Error('No transactions over HTTP.')
        return begin(...settings)
      }
      return driver
    }
  }
  const db = opened(t, new WithoutTransactions({ pool }))
  t.strictSame(await findings(db), [
    'error settings: The pool throws an error when it reads text in a transaction, which the Kysely dialect must support: return text unchanged from typeCast (pg: types). The error says: No transactions over HTTP.'
  ])
  // Nothing is proven by an error that does not come again.
  times = 0
  refuses = (time) => time === 1
  await t.rejects(findings(db), { message: 'No transactions over HTTP.' })
})

t.test('a session of PostgreSQL that has another time zone stops the boot', async (t) => {
  const db = await openTables(t, 'postgres', { rewrite: (statement) => statement.replace("'UTC'", "'Asia/Tokyo'") })
  t.strictSame(await findings(db), [
    "error settings: Transactions do not get their own time zone, so timestamptz columns use the session's time zone: use a pooler that keeps a transaction on one server, and in pgpool remove set_config from read_only_function_list."
  ])
})

t.test('a database of PostgreSQL that cannot store every character', async (t) => {
  const { connectionString, ...settings } = await postgresPool(t)
  const url = new URL(String(connectionString))
  const database = `${url.pathname.slice(1)}_latin`
  const admin = new pg.Client({ connectionString: url.href })
  await admin.connect()
  t.teardown(() => admin.end())
  // An interrupted run leaves its database.
  await admin.query(`drop database if exists ${database}`)
  await admin.query(
    `create database ${database} template template0 encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C'`
  )
  t.teardown(() => admin.query(`drop database ${database} with (force)`))
  url.pathname = database
  const db = openPostgres(t, { ...settings, connectionString: url.href })
  t.strictSame(await findings(db), [
    "error settings: The database cannot store every character: use a database with the encoding 'UTF8'."
  ])
})

t.test('refused credentials and a missing database stop the boot', async (t) => {
  const mysql = await mysqlPool(t)
  const { connectionString } = await postgresPool(t)
  const changed = (changes: Partial<URL>) => Object.assign(new URL(String(connectionString)), changes).href
  for (const [code, db] of [
    ['ER_ACCESS_DENIED_ERROR', openMysql(t, { ...mysql, user: 'nobody', password: 'secret' })],
    ['ER_BAD_DB_ERROR', openMysql(t, { ...mysql, database: 'no_such' })],
    ['28000', openPostgres(t, { connectionString: changed({ username: 'nobody' }) })],
    ['3D000', openPostgres(t, { connectionString: changed({ pathname: '/no_such' }) })]
  ] as const) {
    t.strictSame(await findings(db), [refused(code)])
    const message = /^The lists cannot use this connection to the database\.\nChange the settings of the pool/
    await t.rejects(serve(t, { db, checkOnReady: 'error' }), { code: 'FST_LISTING_DATABASE_MISFIT', message }, code)
  }
})

const refused = (code: string) => `error settings: ${refusedAdvice} The driver says: ${code}`

const statementPooling = 'transaction blocks not allowed in statement pooling mode'

t.test('what PgBouncer always refuses is an error, and is not called an outage', async (t) => {
  for (const [refusal, when] of [
    [statementPooling, 'statement'],
    ['unsupported startup parameter: statement_timeout', 'login']
  ] as const) {
    t.match(await findings(await openRefused(t, refusal, when)), [refused('08P01')], refusal)
  }
})

t.test('a refusal of the driver without a code is told in the words of the driver', async (t) => {
  const message = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'
  const connect = async () => {
    throw new Error(message)
  }
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool: { connect } as never }) })
  t.strictSame(await findings(db), [refused(message)])
})
