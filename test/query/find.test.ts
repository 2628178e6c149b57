import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { Timed } from '../../src/database/session.js'
import type { Field } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import type { Reach } from '../../src/lists/reach.js'
import { finder } from '../../src/query/find.js'
import { measured } from '../../src/query/plan.js'
import { columnsOf } from '../support/columns.js'
import { conversions } from '../support/conversions.js'
import { type Db, databases, mysqlPool, postgresPool } from '../support/databases.js'
import { type Data, expected } from '../support/oracle.js'
import { tenantPlugin } from '../support/plugins.js'
import { type Options, serve, shown } from '../support/server.js'
import { openSession, patient, requestFor, sessionOf, sourceOf } from '../support/session.js'
import { openWorld } from '../support/tables.js'
import * as world from '../support/world.js'
import { admin, fill } from '../support/world.js'

const internal = { status: 500, error: 'Internal server error.' }
const unavailable = { status: 503, error: 'Service temporarily unavailable.' }
const tooLong = { status: 504, error: 'The request took too long.' }

/** A server that keeps its log lines of level error and warn. */
const logged = (t: Test, options: Options) => serve(t, { checkOnReady: 'off', ...options }, { log: 'warn' })

t.test('a cell that cannot be read is a 500, and the log names its column and record', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const columns = columnsOf.payments.filter((column) => column !== 'amount')
  const payments = db.selectFrom('payments').select([...columns, sql`nullif(amount, 10.5)`.as('amount')])
  const { get, lines } = await logged(t, { db, tables: { payments: payments as never } })
  t.strictSame((await get('/payment/list?limit=100', admin)).body, internal)
  const msg = 'Column payments.amount of payment_id 3 is null.'
  t.match(lines, [{ level: 50, list: 'payments', kind: 'internal', msg }])
})

for (const name of databases) {
  t.test(
    `a missing table is a 500 without the driver’s message, and a closed database is a 503, on ${name}`,
    async (t) => {
      const db = await openWorld(t, name)
      const { get, lines } = await logged(t, { db, tables: { users: 'nobody' } })
      t.strictSame((await get('/assessment/list?search=secret', admin)).body, internal)
      t.match(lines, [
        {
          kind: 'internal',
          missing: /(^|\.)nobody$/,
          msg: /^Missing in the database: (\S+\.)?nobody\. Create the table or the column, or map your own/
        }
      ])
      t.notMatch(JSON.stringify(lines), /secret|select/)
      await db.destroy()
      const answer = await get('/payment/list', admin)
      t.strictSame(answer.body, unavailable)
      t.equal(answer.headers['retry-after'], '1')
    }
  )
}

t.test('concurrent identical counts share one statement if the host sets shareTotals', async (t) => {
  let counts = 0
  const db = await openWorld(t, 'sqlite', { onQuery: ({ sql }) => sql.includes('count(*)') && counts++ })
  for (const shareTotals of [false, true]) {
    const { get } = await serve(t, { db, shareTotals })
    counts = 0
    const answers = await Promise.all(Array.from({ length: 8 }, () => get('/payment/list?limit=2', admin)))
    t.ok(answers.every(({ body }) => body.total === 31))
    if (shareTotals) t.ok(counts < 8, `${counts} counts for 8 requests`)
    else t.equal(counts, 8)
  }
})

t.test('a shared count does not change the deadline of a request', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { find } = finder(payments, { shareTotals: true })
  const source = sourceOf(db as never, {})
  /** @param statements the deadline passes after this number of statements */
  const ask = (statements = Number.POSITIVE_INFINITY) => {
    let sent = 0
    const timeLeft = () => (++sent > statements ? 0 : 10_000)
    return find(requestFor({ limit: 1 }), openSession(source, { timeLeft }))
  }
  await ask()
  // The deadline of the second request passes when it starts the next count, which the others have joined.
  const found = await Promise.allSettled([ask(), ask(1), ask(), ask()])
  const answered = { value: { total: 31 } }
  t.match(found, [answered, { reason: { kind: 'timeout' } }, answered, answered])
})

t.test('a database that cannot be reached is a 503', async (t) => {
  const dialect = new MysqlDialect({ pool: createPool('mysql://root@127.0.0.1:1/none') })
  const db: Db = new Kysely({ dialect })
  const { get } = await serve(t, { db, checkOnReady: 'off' })
  t.strictSame((await get('/payment/list', admin)).body, unavailable)
})

t.test('a driver that returns rows without column names is a 500, never a wrong answer', async (t) => {
  for (const pool of [{ rowsAsArray: true }, { nestTables: true }, { nestTables: '_' }] as const) {
    const db = await openWorld(t, 'mysql', { pool })
    const { get } = await serve(t, { db, checkOnReady: 'off' })
    t.strictSame((await get('/payment/list', admin)).body, internal)
    t.strictSame((await get('/payment/list?page=99', admin)).body, internal)
    t.strictSame((await get('/assessment/list?search=ADA@', admin)).body, internal)
  }
})

t.test('a full pool is a 503, and a full pool that queues requests is a 504 without a statement', async (t) => {
  for (const [pool, body] of [
    [{ connectionLimit: 1, waitForConnections: false }, unavailable],
    [{ connectionLimit: 1 }, tooLong]
  ] as const) {
    const statements: string[] = []
    const db = await openWorld(t, 'mysql', { pool, onQuery: ({ sql }) => statements.push(sql) })
    const { get } = await serve(t, { db, timeout: 500, checkOnReady: 'off' })
    statements.length = 0
    await db.connection().execute(async () => {
      const answers = await Promise.all(Array.from({ length: 3 }, () => get('/payment/list', admin)))
      for (const answer of answers) t.strictSame(answer.body, body)
    })
    // The pool serves the waiting requests before this one.
    await db.connection().execute(async () => undefined)
    t.strictSame(statements, [])
    t.equal((await get('/payment/list', admin)).status, 200, 'the freed connection answers')
  }
})

t.test('a request sends no statement and logs no line after its deadline', async (t) => {
  const statements: string[] = []
  const before = async ({ sql }: { sql: string }) => {
    statements.push(sql)
    if (sql.includes('record creation')) await sleep(200)
  }
  const { get, lines } = await logged(t, { db: await openWorld(t, 'sqlite', { before }), timeout: 100 })
  // A limit of 1 needs a count, a limit of 100 does not.
  for (const limit of [1, 100]) {
    lines.length = 0
    t.strictSame((await get(`/payment/list?limit=${limit}`, admin)).body, tooLong)
    await sleep(250)
    t.notMatch(statements.join(), /count\(\*\)/)
    t.equal(lines.length, 1)
    t.match(lines, [{ level: 40, kind: 'timeout' }])
  }
})

t.test('ids are inlined up to the limit, and one id more inlines none', async (t) => {
  const statements: string[] = []
  const db = await openWorld(t, 'mysql', { onQuery: ({ sql }) => statements.push(sql) })
  const users = await db.selectFrom('users').select('user_id').where('email', 'like', '%@%').execute()
  for (const [maxInlinedIds, isInlined] of [
    [users.length, true],
    [users.length - 1, false]
  ] as const) {
    statements.length = 0
    const { find } = finder(payments, { shareTotals: false }, { ...measured, maxInlinedIds, maxShortTerm: 0 })
    const { total } = await find(requestFor({ page: 2, limit: 1, parameters: { search: '@' } }), sessionOf(db))
    t.equal(total, expected('/payment/list?search=@', admin).total)
    const [count] = statements.filter((statement) => statement.includes('count(*)'))
    t.equal(/ like /.test(count ?? ''), !isInlined, `${users.length} matches, limit ${maxInlinedIds}`)
  }
})

t.test('the deadline ends the statement on the server', async (t) => {
  const pool = await mysqlPool(t)
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(pool) }) })
  t.teardown(() => db.destroy())
  await fill(db)
  const { get, lines } = await logged(t, { db, timeout: 300 })
  await db.connection().execute(async (connection) => {
    await sql`lock tables payments write`.execute(connection)
    t.strictSame((await get('/payment/list', admin)).body, tooLong)
    t.match(lines, [{ level: 40, list: 'payments', kind: 'timeout' }])
    const running = sql<{ count: unknown }>`
      select count(*) as count from information_schema.processlist
      where db = ${pool.database} and info like '%payments%' and id <> connection_id()`
    for (let tries = 0; Number((await running.execute(connection)).rows[0]?.count) > 0; tries++) {
      if (tries === 50) return t.fail('the statement still runs after its deadline')
      await sleep(20)
    }
    await sql`unlock tables`.execute(connection)
  })
  t.equal((await get('/payment/list', admin)).status, 200)
})

t.test('the deadline ends the statement on PostgreSQL, and the session keeps its own statement_timeout', async (t) => {
  const db = await openWorld(t, 'postgres')
  const slow = sql<string>`payment_intent || case when payment_id = 99 then pg_sleep(5)::text else '' end`
  const columns = columnsOf.payments.filter((column) => column !== 'payment_intent')
  const payments = db.selectFrom('payments').select([...columns, slow.as('payment_intent')])
  const { get, lines } = await logged(t, { db, timeout: 300, tables: { payments: payments as never } })
  const start = performance.now()
  t.strictSame((await get('/payment/list?search=pi_guest', admin)).body, tooLong)
  t.match(lines, [{ level: 40, list: 'payments', kind: 'timeout' }])
  const running = sql<{ count: unknown }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`
  while (Number((await running.execute(db)).rows[0]?.count) > 0) await sleep(20)
  t.ok(performance.now() - start < 2000, 'the statement stops')
  t.match((await sql`show statement_timeout`.execute(db)).rows, [{ statement_timeout: '0' }])
})

t.test('a search term that the column’s character set cannot hold is not an error', async (t) => {
  const db = await openWorld(t, 'mysql')
  await sql`alter table users modify first_name varchar(100) character set latin1,
    modify last_name varchar(100) character set utf8mb3`.execute(db)
  await sql`alter table payments modify processor_status varchar(50) character set latin1`.execute(db)
  await db
    .updateTable('users')
    .set({ last_name: 'Łódź', email: '漢字😀@example.org' })
    .where('user_id', '=', 1)
    .execute()
  const { get } = await serve(t, { db })
  for (const [term, total] of [
    ['漢', 3],
    ['Łó', 3],
    ['😀', 3],
    ['ł漢', 0]
  ] as const) {
    t.match((await get(`/assessment/list?search=${encodeURIComponent(term)}`, admin)).body, { total }, term)
  }
  t.match((await get(`/payment/list?processor_status=${encodeURIComponent('漢')}`, admin)).body, { total: 0 })
  t.match((await get('/assessment/list?search=ada', admin)).body.assessments?.[0], { last_name: 'Łódź' })
})

t.test('the name of a field may be any single word', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const fields = {
    ...payments.fields,
    total: payments.fields.amount as Field,
    sample: payments.fields.payment_method as Field
  }
  const { find } = finder({ ...payments, fields }, { shareTotals: false })
  for (const [reach, total, amount] of [
    ['own', 3, 10.5],
    ['all', 31, 19.5]
  ] as const) {
    const found = await find(requestFor({ reach, userId: '1', limit: 1 }), sessionOf(db))
    t.match(found, { total, items: [{ total: amount, sample: 'card' }] }, reach)
  }
})

t.test('a driver that converts text gives a 500 or the unchanged text', async (t) => {
  const pool = await mysqlPool(t)
  const open = (options: PoolOptions = {}): Db => {
    const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ ...pool, ...options }) }) })
    t.teardown(() => db.destroy())
    return db
  }
  const plain = open()
  const ids = ['9007199254740993', '9007199254740992']
  const { users, memberships, links, assessments } = world
  const paid = ids.map((payment_id, index) => ({ ...world.payments[index], payment_id }))
  await fill(plain, { users, memberships, links, assessments, payments: paid })
  const urls = ['/payment/list', '/payment/list?search=ada', '/payment/list?limit=1', '/assessment/list?search=']
  const ask = async (db: Db) => {
    const { get } = await serve(t, { db, checkOnReady: 'off' })
    return Promise.all(urls.map((url) => get(url, admin)))
  }
  const unchanged = await ask(plain)
  t.match(unchanged[0]?.body, { total: 2, data: ids.map((payment_id) => ({ payment_id })) })
  for (const [name, convert] of Object.entries(conversions)) {
    const typeCast: PoolOptions['typeCast'] = (field) => {
      const text = field.string()
      return text === null ? null : convert(text)
    }
    // This conversion does not change the bytes of a text.
    const passes = name === 'normalize NFC'
    const wanted = unchanged.map(({ text }) => (passes ? text : JSON.stringify(internal)))
    t.strictSame(
      (await ask(open({ typeCast }))).map(({ text }) => text),
      wanted,
      name
    )
  }
})

t.test('a typeCast that depends on column names does not change the answer', async (t) => {
  const typeCast: PoolOptions['typeCast'] = (field, next) => {
    if (/id$|amount|total|count/i.test(field.name)) return Number(field.string())
    if (/email|name/.test(field.name)) return field.string()?.toLowerCase()
    return /_at$|^date/.test(field.name) ? new Date(String(field.string())) : next()
  }
  const db = await openWorld(t, 'mysql', { pool: { typeCast } })
  await sql`update payments set payment_id = 9007199254740993 where payment_id = 99`.execute(db)
  const { get } = await serve(t, { db })
  const { body } = await get('/payment/list?search=pi_guest', admin)
  t.match(body, { total: 1, data: [{ payment_id: '9007199254740993', created_at: '2023-01-01 00:00:00' }] })
  t.match((await get('/assessment/list?search=ada', admin)).body.assessments?.[0], { first_name: 'Ada' })
})

t.test('a record that is deleted during a statement at READ UNCOMMITTED is left out', async (t) => {
  const pool = createPool(await mysqlPool(t))
  pool.on('connection', (connection) => connection.query('set session transaction isolation level read uncommitted'))
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool }) })
  t.teardown(() => db.destroy())
  await fill(db)
  // The statement reads the oldest record last, when it knows the ids of the others but not yet their columns.
  const pause = sql<boolean>`case when payment_id = 99 then sleep(1) = 0 else true end`
  const payments = db
    .selectFrom('payments')
    .select([...columnsOf.payments])
    .where(pause)
  const { get, lines } = await logged(t, { db, tables: { payments: payments as never } })
  const url = '/payment/list?limit=100'
  const asked = get(url, admin)
  await sleep(500)
  await db.deleteFrom('payments').where('payment_id', '=', 30).execute()
  const before = expected(url, admin)
  const items = before.items?.filter(({ payment_id }) => payment_id !== '30')
  t.strictSame(shown(await asked), { ...before, items }, 'the total still counts the deleted record')
  t.strictSame(lines, [])
})

/** Runs a callback after each step. */
const afterEach =
  (after: (step: string) => unknown): Timed =>
  async (step, run) => {
    const result = await run()
    await after(step)
    return result
  }

for (const [name, shareTotals] of [
  ['sqlite', false],
  ['postgres', false],
  ['postgres', true]
] as const) {
  const title = `the total is at least the number of records on the page on ${name}${shareTotals ? ', shared' : ''}`
  t.test(title, { skip: !databases.includes(name) }, async (t) => {
    // A shared count would hold the connection of a snapshot.
    const isSnapshot = name === 'postgres' && !shareTotals
    const db = await openWorld(t, name)
    const { find } = finder(payments, { shareTotals })
    const timed = afterEach((step) => step === 'page' && db.deleteFrom('payments').execute())
    for (const [reach, page, limit, items, total] of [
      ['linked', 2, 4, 4, isSnapshot ? 9 : 8],
      ['linked', 3, 4, 1, 9],
      ['linked', 4, 4, 0, isSnapshot ? 9 : 0],
      ['all', 1, 10, 10, isSnapshot ? 31 : 10]
    ] as const) {
      const found = await find(requestFor({ reach, userId: '10', page, limit }), sessionOf(db, { timed }))
      t.match({ items: found.items.length, total: found.total }, { items, total }, `${reach}, page ${page}`)
      await db.insertInto('payments').values(world.payments).execute()
    }
  })
}

/** The rows of `tenantPlugin`, by tenant. */
const tenants: Data[] = [0, 1].map((tenant) => {
  const isOf = ({ user_id }: { user_id: number | null }) => user_id !== null && user_id % 2 === tenant
  return {
    users: world.users.filter(isOf),
    memberships: world.memberships.filter(isOf),
    links: world.links.filter(isOf),
    assessments: world.assessments.filter(isOf),
    payments: world.payments.filter(isOf)
  }
})

for (const name of databases) {
  t.test(`a request reads only the rows of its tenant, whatever the plugin says later, on ${name}`, async (t) => {
    const columns: string[] = []
    const compiled: string[] = []
    let tenant = 0
    const db = await openWorld(t, name, {
      onQuery: ({ sql }) => /limit 0/.test(sql) && columns.push(sql),
      onCompile: (sql) => /record creation/.test(sql) && compiled.push(sql)
    })
    const source = sourceOf(db.withPlugin(tenantPlugin(() => tenant)) as never, {})
    const { find } = finder(payments, { shareTotals: false })
    // Each step changes the tenant of the plugin.
    const timed = afterEach(() => {
      tenant = 1 - tenant
    })
    const ask = async (asked: number, search: string, page: number, reach: Reach) => {
      tenant = asked
      const session = openSession(source, patient, timed)
      tenant = 1 - asked
      const userId = asked === 0 ? '10' : '11'
      const parameters = search ? { search } : {}
      const { items, total } = await find(requestFor({ reach, userId, page, limit: 3, parameters }), session)
      const url = `/payment/list?search=${search}&page=${page}&limit=3`
      const wanted = expected(url, { userId, role: '', reach }, tenants[asked])
      t.strictSame({ status: 200, total, items }, wanted, `tenant ${asked}, ${reach}: ${url}`)
    }
    await ask(0, '', 1, 'all')
    await ask(1, '', 1, 'all')
    const { size } = new Set(columns)
    t.equal(columns.length, size, 'both tenants have the same traits')
    t.equal(compiled.length, 2, 'each tenant has its own statement')
    for (const _time of [1, 2]) {
      const questions = [0, 1].flatMap((tenant) =>
        ['', 'e', 'pi_1'].flatMap((search) =>
          [1, 2, 4].flatMap((page) =>
            (['own', 'linked', 'all'] as const).map((reach) => () => ask(tenant, search, page, reach))
          )
        )
      )
      // The requests of both tenants run at the same time.
      const half = questions.length / 2
      await Promise.all(questions.map((_question, place) => questions[(place % 2) * half + (place >> 1)]?.()))
    }
    t.equal(columns.length, size)
  })
}

/** The first words of the statements. */
const watching = (words: string[]) => ({
  log: ({ query }: { query: { sql: string } }) => void words.push(query.sql.trim().replace(/\s.*/s, ''))
})

t.test('on PostgreSQL a request uses one connection, and one transaction for the page and the total', async (t) => {
  const statements: string[] = []
  const pool = new pg.Pool(await postgresPool(t, { max: 1 }))
  pool.on('error', () => undefined)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }), ...watching(statements) })
  t.teardown(() => db.destroy())
  await fill(db)
  const { get } = await serve(t, { db })
  await get('/payment/list', admin)
  statements.length = 0
  const answers = await Promise.all([1, 2, 3].map((page) => get(`/payment/list?limit=10&page=${page}`, admin)))
  for (const { body } of answers) t.match(body, { total: 31 })
  const one = ['start', 'select', 'select', 'select', 'select', 'commit']
  t.strictSame(statements.splice(0), [...one, ...one, ...one])
  t.match((await get('/payment/list', { userId: 1, role: 'none' })).body, { total: 3 })
  t.strictSame(statements.splice(0), ['start', 'select', 'select', 'commit'])
  t.match((await get('/payment/list', { userId: 'abc', role: 'none' })).body, { total: 0 })
  const failed = ['start', 'select', 'select', 'rollback']
  t.strictSame(statements, [...failed, 'start', 'select', 'select', 'commit'], 'an id that the column cannot hold')

  const { find } = finder(payments, { shareTotals: false })
  const request = requestFor({ limit: 10 })
  await find(request, sessionOf(db))
  statements.length = 0
  const leaving = new AbortController()
  const timeLeft = () => (leaving.signal.aborted ? 0 : 10_000)
  const left = sessionOf(db, {
    over: leaving.signal,
    timeLeft,
    timed: afterEach((step) => step === 'page' && leaving.abort())
  })
  await t.rejects(find(request, left), { message: 'The deadline passed.' })
  t.strictSame(
    statements.slice(-4),
    ['start', 'select', 'select', 'rollback'],
    'the client leaves between two statements'
  )
  t.match(await find(request, sessionOf(db)), { total: 31 })
})

t.test('on MySQL and MariaDB a later page of all records and its total read one snapshot', async (t) => {
  const statements: string[] = []
  const options = await mysqlPool(t, { connectionLimit: 1 })
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(options) }) })
  t.teardown(() => db.destroy())
  await fill(db)
  const pool = createPool(options)
  // In the mode ORACLE, `begin` is a syntax error. MySQL has no such mode.
  pool.on('connection', (connection) => connection.query("set @mode = 1 /*M!100300 , sql_mode = 'ORACLE' */"))
  const reader = new Kysely<never>({ dialect: new MysqlDialect({ pool }), ...watching(statements) })
  t.teardown(() => reader.destroy())
  const source = sourceOf(reader as never, {})
  const texts = { payment_method: '', payment_status: '', processor_status: '', payment_intent: 'example' }
  const oldest = { payment_id: 1000, user_id: 1, amount: 1, quantity: 1, ...texts, created_at: '2000-01-01' }
  const writes = {
    nothing: () => undefined,
    insert: () => db.insertInto('payments').values(oldest).execute(),
    delete: () => db.deleteFrom('payments').where('payment_id', '=', oldest.payment_id).execute()
  }
  for (const maxInlinedIds of [0, 100]) {
    const { find } = finder(payments, { shareTotals: false }, { ...measured, maxInlinedIds })
    for (const parameters of [{}, { search: 'example' }]) {
      const found = async (write: () => unknown, over?: AbortController) => {
        const read: string[] = []
        const after = async (step: string) => {
          if (step === 'columns' || read.push(step) > 1) return
          await write()
          over?.abort()
        }
        const timeLeft = () => (over?.signal.aborted ? 0 : 10_000)
        const { items, total } = await find(
          requestFor({ page: 6, limit: 4, parameters }),
          openSession(source, { timeLeft, over: over?.signal }, afterEach(after))
        )
        return { items: items.map((item) => (item as { payment_id: string }).payment_id), total }
      }
      const what = `${maxInlinedIds} ids, ${JSON.stringify(parameters)}`
      const before = await found(writes.nothing)
      t.equal(before.items.length, 4)
      t.strictSame(await found(writes.insert), before, what)
      const later = { ...before, total: before.total + 1 }
      t.strictSame(await found(writes.nothing), later, what)
      t.strictSame(await found(writes.delete), later, what)

      await t.rejects(found(writes.nothing, new AbortController()), { message: 'The deadline passed.' })
      t.equal(statements.at(-1), 'rollback', 'when the client leaves')
      t.strictSame(await found(writes.nothing), before, what)
    }
  }
})

t.test('a small max_sort_length of the session does not change the order', async (t) => {
  const pool = createPool(await mysqlPool(t))
  pool.on('connection', (connection) => connection.query('set max_sort_length = 8'))
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool }) })
  t.teardown(() => db.destroy())
  await fill(db)
  const times = [...'bdace'].map((id, index) => ({ id, at: `2024-03-01T10:20:30.${'0'.repeat(60)}${index}Z` }))
  const constants = columnsOf.payments
    .filter((name) => name !== 'payment_id' && name !== 'created_at')
    .map((name) => sql`${sql.lit(name === 'paid_at' ? '2024-01-01' : '1')}`.as(name))
  const orders = db.selectFrom('orders').select([...constants, 'id as payment_id', 'at as created_at'])
  const { get } = await serve(t, { db, tables: { payments: orders as never }, checkOnReady: 'off' })
  for (const type of [
    'varchar(120)',
    'varchar(120) collate utf8mb4_bin',
    'varchar(120) character set latin1',
    'text'
  ]) {
    await sql`drop table if exists orders`.execute(db)
    await sql`create table orders (id ${sql.raw(type)}, at ${sql.raw(type)})`.execute(db)
    await db.insertInto('orders').values(times).execute()
    const { body } = await get('/payment/list', { userId: '1', role: 'none' })
    t.strictSame(
      body.data?.map(({ payment_id }) => payment_id),
      ['e', 'c', 'a', 'd', 'b'],
      type
    )
  }
})
