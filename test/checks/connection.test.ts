import { Kysely, PostgresDialect } from 'kysely'
import type { PoolOptions } from 'mysql2'
import pg from 'pg'
import t from 'tap'
import { refusedAdvice } from '../../src/errors/driver-error-codes.js'
import { readerUnder } from '../support/fixtures/policies.js'
import { assessments, createTables, fill } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { areAll, dropIndex, execute, findings, finds } from '../support/oracle/check.js'
import { type Convert, converting } from '../support/oracle/conversions.js'
import { type Db, mysqlPool, postgresPool } from '../support/servers/databases.js'
import { opened, openMysql, openPostgres } from '../support/servers/pools.js'
import { refusingPostgres } from '../support/servers/refusing.js'
import { openTables } from '../support/servers/tables.js'

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
  'no limit of joined rows': ['set sql_big_selects = 0', []],
  'a limit of joined rows that selects may pass': ['set max_join_size = 100, sql_big_selects = 1', []],
  'padded CHAR columns': [
    "set sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'",
    [/^error settings: The sql_mode PAD_CHAR_TO_FULL_LENGTH adds spaces to CHAR columns: remove it\.$/]
  ]
}

t.test('the settings of mysql2 and of sessions of MySQL', async (t) => {
  // Nothing writes, so all pools lead to one database.
  const pool = await mysqlPool(t)
  const owner = openMysql(t, pool)
  await createTables(owner)
  await execute(owner, dropIndex('mysql', 'payments_created_at_payment_id'))
  for (const [what, [settings, found]] of Object.entries(ofMysql)) {
    const db =
      typeof settings === 'string' ? openMysql(t, pool, { start: settings }) : openMysql(t, { ...pool, ...settings })
    // Unless the pool changes or refuses every answer, everything else is found, too.
    const isUseless = found.some((text) => /The pool/.test(text.source))
    areAll(t, await findings(db), isUseless ? found : [...found, /create index/], what)
  }
})

t.test('a limit of joined rows of MySQL stops the boot, and is not told as bad data', async (t) => {
  const pool = await mysqlPool(t)
  await fill(openMysql(t, pool))
  const db = openMysql(t, pool, { start: 'set session sql_big_selects = 0, max_join_size = 100' })
  const problem =
    'The session has sql_big_selects off, so the database refuses statements that may read more than max_join_size rows'
  await finds(
    t,
    db,
    [`error settings: ${problem}: set sql_big_selects = 1.`],
    {},
    /^info unchecked: .* (refuses the stat|the session limits)/
  )
  await t.rejects(serve(t, { db, checkOnReady: 'error' }), {
    code: 'FST_LISTING_DATABASE_MISFIT',
    message: new RegExp(`^The lists cannot use this connection to the database\\.\n.*:\n- ${problem}: [^\n]+(\n|$)`)
  })
})

t.test('a proxy that takes comments out of statements of MySQL stops the boot', async (t) => {
  // The default tables need the comments in their columns.
  const rewrite = (statement: string) =>
    statement.startsWith('create') ? statement : statement.replace(/\/\*.*?\*\//gs, '')
  const db = await openTables(t, 'mysql', { rewrite, pool: { connectionLimit: 1 } })
  await execute(db, "set time_zone = '+07:00'")
  await finds(t, db, [/^error settings: Statements do not get their own time zone, /])
})

t.test('a session of PostgreSQL that has another time zone stops the boot', async (t) => {
  const db = await openTables(t, 'postgres', { rewrite: (statement) => statement.replace("'UTC'", "'Asia/Tokyo'") })
  await finds(t, db, [
    "error settings: Transactions do not get their own time zone, so timestamptz columns use the session's time zone: use a pooler that keeps a transaction on one server, and in pgpool remove set_config from read_only_function_list."
  ])
})

/** What a server can answer in the place of a setting, and how the finding begins. */
const unexpected = {
  null: 'the database answers null',
  "'noon'": 'the database answers noon',
  '7': 'the database answers 7',
  'no_such(7)': 'the database refuses the statement'
}

for (const [name, what, setting] of [
  ['mysql', 'the time zone of statements', 'from_unixtime(1719835200)'],
  ['mysql', 'autocommit', '@@autocommit + 0'],
  ['mysql', 'sql_big_selects', '@@sql_big_selects or @@max_join_size > 1000000000000000000'],
  ['mysql', 'the sql_mode', "@@sql_mode like '%PAD_CHAR_TO_FULL_LENGTH%'"],
  ['postgres', 'the time zone of transactions', "to_char(to_timestamp(1719835200), 'YYYY-MM-DD HH24:MI:SS')"]
] as const) {
  t.test(`an unexpected answer of ${name} about ${what} proves nothing, and the other checks run`, async (t) => {
    let answer: string = setting
    const db = await openTables(t, name, { rewrite: (statement) => statement.replace(setting, answer) })
    await execute(db, dropIndex(name, 'payments_created_at_payment_id'))
    const others = [/create index/, /assessments\.status is "done"/]
    const done = { ...assessments[0], status: 'done' }
    await db.insertInto('assessments').values(done).execute()
    await finds(t, db, others)
    for (const [other, says] of Object.entries(unexpected)) {
      answer = other
      await finds(t, db, [...others, `info unchecked: Not checked, because ${says}: ${what}.`])
    }
  })
}

t.test('a boot with an answer that proves nothing says so at info', async (t) => {
  const rewrite = (statement: string) => statement.replace(/from_unixtime\(\d+\)/, 'null')
  const db = await openTables(t, 'mysql', { rewrite })
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { log: 'info' })
  const msg = /^The database fits the lists, as far as it was checked\.\nWhat .*\n- Not checked, because .* null: /
  const noted = lines.filter(({ msg }) => msg.startsWith('The database'))
  t.match(noted, [{ level: 30, msg }])
})

t.test('type parsers of pg that convert text stop the boot', async (t) => {
  const settings = await postgresPool(t)
  for (const [convert, told] of [
    [lower, garbled],
    [normalize, garbled],
    [noPrice, throws('No price\\.')]
  ] as const) {
    await finds(t, openPostgres(t, { ...settings, types: { getTypeParser: () => convert } as never }), [told])
  }
})

t.test('other errors that a pool throws are no findings', async (t) => {
  const fail = (error: Error) => async () => {
    throw error
  }
  const [closed, corrupt] = [new Error('The vault is closed.'), Object.assign(new Error('corrupt'), { code: 'XX000' })]
  const query = fail(new Error('Unexpected response: 502 Bad Gateway'))
  const client = { query, release: () => undefined, processID: 1 }
  for (const [connect, error] of [
    [fail(closed), { message: 'The vault is closed.' }],
    [fail(corrupt), { code: 'XX000' }],
    [async () => client, { message: /^Unexpected response/ }]
  ] as const) {
    const db: Db = new Kysely({ dialect: new PostgresDialect({ pool: { connect } as never }) })
    await t.rejects(findings(db), error)
  }
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
  await finds(t, db, [throws('No transactions over HTTP\\.')])
  // Nothing is proven by an error that does not come again.
  times = 0
  refuses = (time) => time === 1
  await t.rejects(findings(db), { message: 'No transactions over HTTP.' })
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
  const locale = "encoding 'LATIN1' locale_provider libc lc_collate 'C' lc_ctype 'C'"
  await admin.query(`create database ${database} template template0 ${locale}`)
  t.teardown(() => admin.query(`drop database ${database} with (force)`))
  url.pathname = database
  await finds(t, openPostgres(t, { ...settings, connectionString: url.href }), [
    "error settings: The database cannot store every character: use a database with the encoding 'UTF8'."
  ])
})

t.test('what a server, a pooler or a driver always refuses stops the boot, and is not called an outage', async (t) => {
  const mysql = await mysqlPool(t)
  const { connectionString } = await postgresPool(t)
  const changed = (changes: Partial<URL>) => Object.assign(new URL(String(connectionString)), changes).href
  const withoutPassword = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'
  const connect = async () => {
    throw new Error(withoutPassword)
  }
  const poolers = [
    ['08P01', 'unsupported startup parameter: statement_timeout'],
    ['08P01', 'transaction blocks not allowed in statement pooling mode', 'statement'],
    ['28P01', 'password authentication failed for user "lists"'],
    ['42501', 'permission denied for database "lists"'],
    ['XX000', 'Tenant or user not found'],
    ['XX000', '(ENOTFOUND) tenant/user lists not found']
  ] as const
  const all: [says: string, open: () => Db | Promise<Db>][] = [
    ['ER_ACCESS_DENIED_ERROR', () => openMysql(t, { ...mysql, user: 'nobody', password: 'secret' })],
    ['ER_BAD_DB_ERROR', () => openMysql(t, { ...mysql, database: 'no_such' })],
    ['28000', () => openPostgres(t, { connectionString: changed({ username: 'nobody' }) })],
    ['3D000', () => openPostgres(t, { connectionString: changed({ pathname: '/no_such' }) })],
    [withoutPassword, () => opened(t, new PostgresDialect({ pool: { connect, end: async () => {} } as never }))],
    ...poolers.map(([code, text, when]): (typeof all)[number] => [
      code,
      async () => (await refusingPostgres(t, 'FATAL', code, text, when)).db
    ])
  ]
  for (const [says, open] of all) {
    await finds(t, await open(), [`error settings: ${refusedAdvice} The driver says: ${says}`])
    const message = /^The lists cannot use this connection to the database\.\nChange the settings of the pool/
    const boot = serve(t, { db: await open(), checkOnReady: 'error' })
    await t.rejects(boot, { code: 'FST_LISTING_DATABASE_MISFIT', message }, says)
  }
})

const line = (time = '10000ms') => `-c timezone=UTC -c statement_timeout=${time} -c listing.transactions=off`

t.test('a boot on PostgreSQL says once how a request needs one round trip', async (t) => {
  const pool = await postgresPool(t)
  await createTables(openPostgres(t, pool))
  const boot = async (options: string | undefined, timeout = 10_000) => {
    const db = openPostgres(t, { ...pool, ...(options && { options }) })
    t.strictSame(await findings(db), [], 'the check in a script does not say it')
    const { lines } = await serve(t, { db, timeout, checkOnReady: 'error' }, { log: 'info' })
    return lines.filter(({ msg }) => msg.startsWith('The database')).map(({ level, msg }) => [level, msg])
  }
  const advice = (time: string) => [
    [
      30,
      `The database fits the lists, as far as it was checked.\nChange the settings of the pool or the session:\n- Each request makes three round trips. With \`options: '${line(time)}'\` in the pool it makes one, but then nothing may depend on what your code sets when a transaction begins.`
    ]
  ]
  const nothing = [[30, 'The database fits the lists.']]
  t.strictSame(await boot(undefined), advice('10000ms'))
  t.strictSame(await boot('-c timezone=UTC -c statement_timeout=10s'), advice('10000ms'))
  t.strictSame(await boot(line()), nothing)
  t.strictSame(await boot(line('10s'), 2_500), advice('2500ms'))
  t.strictSame(await boot(line('2s'), 2_500), nothing)
})

t.test('a role can allow it', async (t) => {
  const pool = await postgresPool(t)
  const owner = openPostgres(t, pool)
  await createTables(owner)
  const role = `lists_role_${process.pid}`
  await execute(
    owner,
    `create role ${role} login superuser password 'Reader-1'`,
    `alter role ${role} set timezone = 'UTC'`,
    `alter role ${role} set statement_timeout = '10s'`,
    `alter role ${role} set listing.transactions = off`
  )
  t.teardown(() => execute(owner, `drop role ${role}`))
  const url = Object.assign(new URL(String(pool.connectionString)), { username: role, password: 'Reader-1' })
  const db = openPostgres(t, { connectionString: url.href, max: 2 })
  const { lines } = await serve(t, { db, checkOnReady: 'error' }, { log: 'info' })
  t.match(
    lines.map(({ msg }) => msg),
    ['The database fits the lists.']
  )
  await db.destroy()
})

t.test('row-level security is told where no transaction begins that could set the tenant', async (t) => {
  const pool = await postgresPool(t)
  const owner = openPostgres(t, pool)
  await createTables(owner)
  await execute(owner, 'alter table users enable row level security')
  const reader = await readerUnder(t, owner, "current_setting('app.tenant') = '1'")
  const open = (options: string) => openPostgres(t, { ...pool, options })
  // The superuser sees every row.
  await finds(t, open(line()), [])
  const others = /^info unchecked|^error tables/
  await finds(t, open(`-c role=${reader}`), [], {}, others)
  await finds(
    t,
    open(`-c role=${reader} ${line()}`),
    [
      "warning settings: Row-level security is active on payments, users, and listing.transactions is off: no transaction begins, so set what the policies read in the onReserveConnection of Kysely's dialect."
    ],
    {},
    others
  )
})

t.test('a database that refuses to say its settings is checked for everything else', async (t) => {
  const rewrite = (statement: string) => statement.replace('row_security_active(oid)', 'no_such(oid)')
  const db = await openTables(t, 'postgres', { rewrite })
  const text = 'Not checked, because the database refuses the statement: the settings of the session.'
  await finds(t, db, [`info unchecked: ${text}`])
})
