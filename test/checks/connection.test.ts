import { Kysely, MysqlDialect, type MysqlPool, PostgresDialect } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import t, { type Test } from 'tap'
import { refusedAdvice } from '../../src/errors/driver-errors.js'
import { execute, findings } from '../support/check.js'
import { type Convert, conversions } from '../support/conversions.js'
import { type Db, mysqlPool, postgresPool } from '../support/databases.js'
import { openRefused } from '../support/pgbouncer.js'
import { serve } from '../support/server.js'
import { openTables } from '../support/tables.js'
import { admin, createTables } from '../support/world.js'

/** The default tables, through a pool with these settings and a session that begins with this statement. */
async function openWith(t: Test, settings: PoolOptions, start?: string): Promise<Db> {
  const pool = await mysqlPool(t)
  const plain: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(pool) }) })
  await createTables(plain)
  await plain.destroy()
  const connections = createPool({ ...pool, ...settings })
  if (start) connections.on('connection', (connection) => connection.query(start))
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: connections }) })
  t.teardown(() => db.destroy())
  return db
}

const slower = /^warning settings: The connection cannot carry every character, /
const garbled = /^error settings: The pool changes the values of the database\. .* remove rowsAsArray and nestTables, /

t.test('rows without column names', async (t) => {
  for (const settings of [{ rowsAsArray: true }, { nestTables: true }, { nestTables: '_' }] as PoolOptions[]) {
    t.match(await findings(await openWith(t, settings)), [garbled], JSON.stringify(settings))
  }
})

/** The default tables through a pool whose typeCast converts all text. */
const openConverted = (t: Test, convert: Convert) =>
  openWith(t, {
    typeCast(field) {
      const text = field.string()
      return text === null ? null : convert(text)
    }
  })

/** An empty database through a pool of pg whose type parsers convert all text. */
async function openParsed(t: Test, convert: Convert): Promise<Db> {
  const pool = new pg.Pool({ ...(await postgresPool(t)), types: { getTypeParser: () => convert } as never })
  // its idle connections are ended with the database
  pool.on('error', () => undefined)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  t.teardown(() => db.destroy())
  return db
}

for (const [name, convert] of Object.entries(conversions)) {
  t.test(`a driver that converts text stops the boot: ${name}`, async (t) => {
    // the bytes of a text are no text that this changes
    const told = name === 'normalize NFC' ? slower : garbled
    t.match(await findings(await openConverted(t, convert)), [told], 'typeCast')
    t.match(await findings(await openParsed(t, convert)), [garbled], 'type parsers')
  })
}

t.test('a driver that makes text of null stops the boot', async (t) => {
  t.match(await findings(await openWith(t, { typeCast: (field) => field.string() ?? '' })), [garbled])
})

t.test('a conversion that throws stops the boot, with the text of its error', async (t) => {
  const convert = () => {
    throw new Error('No price.')
  }
  const expected = [
    /^error settings: The pool throws an error when .* from typeCast \(pg: types\)\. The error says: No price\.$/
  ]
  t.match(await findings(await openConverted(t, convert)), expected)
  t.match(await findings(await openParsed(t, convert)), expected)
  t.match(await findings(await openConverted(t, JSON.parse)), [/^error settings: The pool throws an error /])
})

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

t.test('text that is changed on its way', async (t) => {
  const typeCast: PoolOptions['typeCast'] = (field, next) =>
    /STRING|BLOB/.test(field.type) ? field.string()?.slice(1) : next()
  t.match(await findings(await openWith(t, { typeCast })), [garbled])
})

t.test('a connection that carries only some characters is slower, and everything else is found', async (t) => {
  const db = await openWith(t, { charset: 'latin1_swedish_ci' })
  t.match(await findings(db), [slower])
  const strings: PoolOptions['typeCast'] = (field, next) =>
    field.type === 'VAR_STRING' ? field.string('latin1')?.slice(1) : next()
  t.match(await findings(await openWith(t, { charset: 'latin1_swedish_ci', typeCast: strings })), [/^error settings/])

  await execute(
    db,
    'alter table users rename column email to mail',
    'drop index payments_created_at_payment_id on payments'
  )
  t.match(await findings(db), [slower, /users lacks users\.email/, /create index/])
})

t.test('settings that change nothing are not mentioned', async (t) => {
  const settings: PoolOptions[] = [
    { dateStrings: true, timezone: '+07:00' },
    { supportBigNumbers: true, bigNumberStrings: true, decimalNumbers: true },
    { typeCast: false },
    { multipleStatements: true }
  ]
  for (const setting of settings) t.strictSame(await findings(await openWith(t, setting)), [], JSON.stringify(setting))
  for (const start of [
    "set time_zone = '+07:00'",
    'set max_sort_length = 64',
    "set sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"
  ]) {
    t.strictSame(await findings(await openWith(t, {}, start)), [], start)
  }
})

t.test('a session that never ends its transaction is told', async (t) => {
  const db = await openWith(t, { connectionLimit: 1 }, 'set autocommit = 0')
  t.match(await findings(db), [/^error settings: The session has autocommit off, /])
})

t.test('a session that pads CHAR columns is told', async (t) => {
  const db = await openWith(t, {}, "set sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'")
  t.strictSame(await findings(db), [
    'error settings: The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to CHAR columns: remove it.'
  ])
})

/** The default tables behind a proxy that takes comments out of statements, whose sessions begin with this statement. */
async function openUncommented(t: Test, start: string): Promise<Db> {
  const pool = await mysqlPool(t)
  const plain: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(pool) }) })
  await createTables(plain)
  await plain.destroy()
  const connections = createPool(pool)
  connections.on('connection', (connection) => connection.query(start))
  const proxy: MysqlPool = {
    end: (callback) => connections.end(callback),
    getConnection: (callback) =>
      connections.getConnection((error, connection) => {
        if (error) return callback(error, undefined as never)
        const query = (statement: string, ...rest: unknown[]) =>
          (connection.query as (...args: unknown[]) => unknown)(statement.replace(/\/\*.*?\*\//gs, ''), ...rest)
        callback(null, {
          config: connection.config,
          threadId: connection.threadId,
          query,
          release: () => connection.release(),
          destroy: () => connection.destroy()
        } as never)
      })
  }
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: proxy }) })
  t.teardown(() => db.destroy())
  return db
}

t.test('a proxy that takes comments out of statements leaves the session’s settings', async (t) => {
  t.match(await findings(await openUncommented(t, "set time_zone = '+07:00'")), [
    /^error settings: Statements do not get their own time zone, /
  ])
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
  await admin.query(`create database ${database} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`)
  t.teardown(async () => {
    await admin.query(`drop database ${database} with (force)`)
    await admin.end()
  })
  url.pathname = database
  const pool = new pg.Pool({ ...settings, connectionString: url.href })
  // its idle connections are ended with the database
  pool.on('error', () => undefined)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  t.teardown(() => db.destroy())
  t.strictSame(await findings(db), [
    "error settings: The database cannot store every character: use a database with the encoding 'UTF8'."
  ])
})

t.test('a session that gets one row of each statement is checked like every other', async (t) => {
  const db = await openWith(t, {}, 'set sql_select_limit = 1')
  t.strictSame(await findings(db), [])
  const record = (id: number, status: string) => `(${id}, '', '', 1, 1, '${status}', null, null, now())`
  await execute(
    db,
    `insert into assessments values ${record(1, 'done')}, ${record(2, 'gone')}, ${record(3, 'pending')}`
  )
  t.match(await findings(db), [/assessments.status is also "done", "gone", and/])
})

t.test('refused credentials and a missing database stop the boot', async (t) => {
  const mysql = await mysqlPool(t)
  const postgres = new URL(String((await postgresPool(t)).connectionString))
  const instances: [code: string, db: Db][] = [
    [
      'ER_ACCESS_DENIED_ERROR',
      new Kysely({ dialect: new MysqlDialect({ pool: createPool({ ...mysql, user: 'nobody', password: 'secret' }) }) })
    ],
    [
      'ER_BAD_DB_ERROR',
      new Kysely({ dialect: new MysqlDialect({ pool: createPool({ ...mysql, database: 'no_such' }) }) })
    ],
    ['28000', openPostgres(postgres, { username: 'nobody' })],
    ['3D000', openPostgres(postgres, { pathname: '/no_such' })]
  ]
  for (const [code, db] of instances) {
    t.teardown(() => db.destroy())
    t.strictSame(await findings(db), [refused(code)])
    const message = /^The lists cannot use this connection to the database\.\nChange the settings of the pool/
    await t.rejects(serve(t, { db }), { code: 'FST_LISTING_DATABASE_MISFIT', message }, code)
  }
})

const refused = (code: string) => `error settings: ${refusedAdvice} The driver says: ${code}`

const statementPooling = 'transaction blocks not allowed in statement pooling mode'

t.test('what PgBouncer always refuses stops the boot, and is not called an outage', async (t) => {
  const refusals = [
    [statementPooling, 'statement'],
    ['unsupported startup parameter: statement_timeout', 'login'],
    ['SASL authentication failed', 'login'],
    ['no such database: nosuch', 'login']
  ] as const
  for (const [refusal, when] of refusals) {
    t.match(await findings(await openRefused(t, refusal, when)), [refused('08P01')])
    const db = await openRefused(t, refusal, when)
    await t.rejects(serve(t, { db }), { code: 'FST_LISTING_DATABASE_MISFIT' }, refusal)
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

t.test('an outage behind PgBouncer does not stop the boot', async (t) => {
  const db = await openRefused(t, 'query_wait_timeout', 'login')
  const { get } = await serve(t, { db })
  t.equal((await get('/payment/list', admin)).status, 503)
})

t.test('at run time, what PgBouncer always refuses is a 500 whose log line says what to do', async (t) => {
  const db = await openRefused(t, statementPooling, 'statement')
  const { get, lines } = await serve(t, { db, checkOnReady: 'off' }, { log: 'warn' })
  t.equal((await get('/payment/list', admin)).status, 500)
  t.match(lines, [
    {
      kind: 'internal',
      code: '08P01',
      msg: /^The database refuses the pool: .*pool_mode = transaction/
    }
  ])
})

function openPostgres(server: URL, changes: Partial<Pick<URL, 'username' | 'pathname'>>): Db {
  const { href } = Object.assign(new URL(server), changes)
  return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: href }) }) })
}
