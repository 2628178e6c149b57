import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  sql,
  type TransactionSettings
} from 'kysely'
import { Kysely as Kysely28, PostgresDialect as PostgresDialect28 } from 'kysely-0.28'
import pg from 'pg'
import t, { type Test } from 'tap'
import { assessments, createListings, defineList, payments } from '../../src/index.js'
import { readerUnder } from '../support/fixtures/policies.js'
import { byNumber, definition, openTasks, rowOf } from '../support/fixtures/tasks.js'
import { admin, fill, individual, payments as paid, practitioner } from '../support/fixtures/world.js'
import { listening, send } from '../support/hosts/listening.js'
import { serve } from '../support/hosts/server.js'
import { execute } from '../support/oracle/check.js'
import { until } from '../support/running/until.js'
import { type Db, postgresPool } from '../support/servers/databases.js'
import { openPostgres } from '../support/servers/pools.js'
import { slowPayments, slowStatements } from '../support/servers/tables.js'

const consent = '-c listing.transactions=off'
const line = `-c timezone=UTC -c statement_timeout=10s ${consent}`

/** A pool of one connection to the database of another pool, and the first words of its statements. */
async function openPool(t: Test, db: Db, options: string | undefined, config: pg.PoolConfig = {}) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const url = Object.assign(new URL(String(process.env.TEST_POSTGRES_URL)), { pathname: rows[0]?.name })
  const words: string[] = []
  const settings = { connectionString: url.href, max: 1, ...(options !== undefined && { options }), ...config }
  const on = openPostgres(t, settings, ({ query }) => void words.push(query.sql.trim().replace(/\s.*/s, '')))
  /** The statements, once a transaction has ended after its answer. */
  const sent = async () => {
    await until(() => !words.includes('start') || ['commit', 'rollback'].includes(String(words.at(-1))))
    return words.splice(0)
  }
  return { db: on, settings, sent }
}

const one = ['with']
/** The settings, and the statement. */
const three = ['start', 'select', 'with', 'commit']

const { record: _, ...walkedDefinition } = definition
const walked = defineList({
  ...walkedDefinition,
  ...{ name: 'walked', path: '/walk', paging: 'after' },
  openapi: { ...definition.openapi, name: 'Walked', operationId: 'listWalked' }
} as never)

const listingsOf = (db: object, options: object = {}) =>
  createListings({
    db: db as Db,
    resolveRole: () => null,
    lists: [assessments, payments, byNumber, walked],
    tables: { walked: 'tasks' },
    checkOnReady: 'off',
    ...options
  } as never)

type Lists = ReturnType<typeof listingsOf>
type Asked = (lists: Lists) => Promise<unknown>

const find =
  (name: string, caller: object, query: object = {}): Asked =>
  (lists) =>
    lists.find(name as never, { caller, query } as never)

const both = { userId: 10, role: ['Helper', 'Linked'] }
const anyone = { userId: 9, role: 'Admin' }

const twoPagesOf =
  (limit: number): Asked =>
  async (lists) => {
    const { next } = (await find('walked', anyone, { limit })(lists)) as { next: string }
    return find('walked', anyone, { limit, after: next, total: true })(lists)
  }

/** The statements of a question that needs more than one. After the last page, one looks for records without a place. */
const several: Record<string, string[]> = {
  'two pages of a walk': [...one, ...one],
  'two pages of a walk to its end': [...one, ...one, ...one]
}

/** What one statement answers. */
const questions: Record<string, Asked> = {
  'own payments': find('payments', individual, { limit: 2 }),
  'own payments, a short page': find('payments', individual),
  'own payments past the end': find('payments', individual, { page: 9 }),
  'own assessments': find('assessments', individual, { limit: 2, search: '' }),
  'own payments with a search': find('payments', individual, { search: 'pi_0_1' }),
  'linked assessments': find('assessments', practitioner, { limit: 2, search: '' }),
  'all payments': find('payments', admin, { limit: 5 }),
  'all payments with a search': find('payments', admin, { limit: 3, search: 'example' }),
  nothing: find('payments', { userId: 77, role: 'Individual' }),
  'three counts': find('tasks', anyone, { counts: ['state', 'held', 'noted'], limit: 3, state: ['open', 'paid'] }),
  'counts of nothing': find('tasks', { userId: 77, role: 'Owner' }, { counts: ['state'] }),
  'two roles': find('tasks', both, { limit: 4 }),
  'two roles with counts': find('tasks', both, { limit: 4, counts: ['state', 'noted'] }),
  'one record': (lists) => lists.get('tasks' as never, 5 as never, { caller: anyone } as never),
  'no record': (lists) => lists.get('tasks' as never, 5000 as never, { caller: anyone } as never),
  'the first page of a walk': find('walked', anyone, { limit: 4, total: true, counts: ['state'] }),
  'the only page of a walk': find('walked', anyone, { limit: 100, total: true }),
  'two pages of a walk': twoPagesOf(4),
  'two pages of a walk to its end': twoPagesOf(40)
}

t.test('one statement answers a request on PostgreSQL, without a transaction in a pool that allows it', async (t) => {
  const { db, insert } = await openTasks(t, 'postgres')
  await insert(Array.from({ length: 60 }, (_, place) => rowOf(place + 1)))
  const [plain, direct] = [await openPool(t, db, undefined), await openPool(t, db, line)]
  const [inTransactions, inOne] = [listingsOf(plain.db), listingsOf(direct.db)]
  for (const [what, ask] of Object.entries(questions)) {
    for (const lists of [inTransactions, inOne]) await ask(lists)
    await Promise.all([plain.sent(), direct.sent()])
    t.strictSame(await ask(inOne), await ask(inTransactions), what)
    t.strictSame(await direct.sent(), several[what] ?? one, `${what}, the statement`)
    await plain.sent()
  }
  await questions['own payments']?.(inTransactions)
  t.strictSame(await plain.sent(), three, 'a pool that does not allow it')

  const every = async (lists: Lists) => {
    const items: unknown[] = []
    for await (const item of lists.each('tasks' as never, { caller: anyone } as never)) items.push(item)
    return items
  }
  t.strictSame(await every(inOne), await every(inTransactions), 'each')
  t.strictSame(await direct.sent(), one, 'one batch')

  for (const [what, ask] of Object.entries({
    'a later page of all records': find('payments', admin, { page: 2, limit: 5 }),
    'an order with a column that some grants show': find(
      'tasks',
      { userId: 1, role: ['Owner', 'Helper'] },
      { sort: 'weight', limit: 3 }
    )
  })) {
    await ask(inOne)
    t.equal((await direct.sent()).at(0), 'start', `${what} has a transaction`)
  }
})

t.test('a session with other settings has a transaction, and so has its pool for a while', async (t) => {
  const { db, insert } = await openTasks(t, 'postgres')
  await insert(Array.from({ length: 60 }, (_, place) => rowOf(place + 1)))
  // What the settings of a session change in a text.
  const moments = db
    .selectFrom('payments')
    .select([
      ...['payment_id', 'user_id', 'amount', 'quantity', 'payment_intent', 'processor_status', 'created_at'],
      sql`timestamptz '2024-03-10 07:30:00.25+00'`.as('paid_at'),
      sql`(1.0 / 3)::double precision::text || interval '-1 day 2 hours' || '\\x00ff'::bytea`.as('payment_method'),
      sql`now()::date - current_date || date '2024-02-03'::text || current_setting('timezone')`.as('payment_status')
    ] as never)
  const asked = [
    find('payments', individual, { limit: 2, search: '' }),
    find('tasks', anyone, { limit: 50, counts: ['state'], sort: 'weight' })
  ]
  const answersOf = async (on: Db, ...each: readonly Asked[]) => {
    const lists = listingsOf(on, { tables: { walked: 'tasks', payments: moments } })
    const answers: unknown[] = []
    for (const ask of each) answers.push(await ask(lists))
    return answers
  }
  const expected = await answersOf(db, ...asked)
  t.match(JSON.stringify(expected), /"paid_at":"2024-03-10 07:30:00".*"0.3333333333333333-1 days \+02:00:00/)
  for (const [setting, isOdd] of [
    ['timezone=Asia/Kolkata', true],
    ['datestyle=SQL,DMY', true],
    ['datestyle=ISO,DMY', false],
    ['intervalstyle=sql_standard', true],
    ['extra_float_digits=-5', true],
    ['extra_float_digits=3', false],
    ['bytea_output=escape', true],
    ['statement_timeout=0', true],
    ['statement_timeout=10001ms', true],
    ['statement_timeout=9999ms', false],
    ['listing.transactions=on', true]
  ] as const) {
    for (const ways of ['from the start', 'later'] as const) {
      const settings = `${line} -c ${setting}`
      const pool = await openPool(t, db, ways === 'later' ? line : settings)
      const lists = listingsOf(pool.db, { tables: { walked: 'tasks', payments: moments } })
      const ask = async () => {
        const answers: unknown[] = []
        for (const each of asked) answers.push(await each(lists))
        return answers
      }
      await ask()
      if (ways === 'later') {
        const [name = '', value = ''] = setting.split('=')
        await sql`select set_config(${name}, ${value}, false)`.execute(pool.db)
      }
      await pool.sent()
      t.strictSame(await ask(), expected, `${setting}, ${ways}`)
      const first = isOdd && ways === 'later' ? [...one, ...three, ...one, ...three] : undefined
      const usual = isOdd ? [...three, ...three] : [...one, ...one]
      t.strictSame(await pool.sent(), first ?? usual, `${setting}, ${ways}, the statements`)
      await ask()
      t.strictSame(await pool.sent(), usual, 'and then')
      await pool.db.destroy()
    }
  }
})

t.test('no statement runs without a transaction under a limit that is longer than that of a request', async (t) => {
  const { db } = await openTasks(t, 'postgres')
  const pool = await openPool(t, db, line)
  const timeout = 9_000
  const lists = listingsOf(pool.db, { timeout })
  t.match(await find('payments', { userId: 20, role: 'Admin' })(lists), { total: 31 })
  const words = await pool.sent()
  t.strictSame(words.slice(words.indexOf('with') - 2), three, 'the only statement of the page')
})

t.test('an id that the column cannot hold is compared as text, and an error stays an error', async (t) => {
  const { db } = await openTasks(t, 'postgres')
  const pool = await openPool(t, db, line)
  const lists = listingsOf(pool.db)
  const ask = find('payments', { userId: 'abc', role: 'Individual' })
  t.match(await ask(lists), { total: 0 })
  await pool.sent()
  t.match(await ask(lists), { total: 0 })
  const refused = [...one, 'select']
  t.strictSame(await pool.sent(), [...refused, ...refused, ...one], 'each in one statement')
  await execute(db, 'alter table payments rename to gone')
  await t.rejects(ask(lists), { statusCode: 500 } as never)
  t.notMatch(await pool.sent(), ['start'])
})

t.test('Kysely 0.28 sends one statement, too', async (t) => {
  const { db } = await openTasks(t, 'postgres')
  const { settings } = await openPool(t, db, line)
  const words: string[] = []
  const pool = new pg.Pool({ ...settings, max: 1 })
  const old = new Kysely28({
    dialect: new PostgresDialect28({ pool }),
    log: ({ query }) => void words.push(query.sql.trim().replace(/\s.*/s, ''))
  })
  t.teardown(() => old.destroy())
  const lists = listingsOf(old)
  const ask = find('payments', individual)
  const expected = await ask(listingsOf(db))
  await ask(lists)
  words.length = 0
  t.strictSame(await ask(lists), expected)
  t.strictSame(words, one)
})

/** Tells PostgreSQL the tenant when a transaction begins. */
function tenantDialect(pool: pg.Pool, tenant: number) {
  return new (class extends PostgresDialect {
    override createDriver() {
      return new (class extends PostgresDriver {
        override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
          await super.beginTransaction(connection, settings)
          const text = "select set_config('app.tenant', $1, true)"
          await connection.executeQuery(CompiledQuery.raw(text, [String(tenant)]))
        }
      })({ pool })
    }
  })({ pool })
}

// The recipe tells the tenant when a connection is taken from the pool: test/examples/recipes.test.ts.
t.test('without consent a transaction begins, which may tell row-level security the tenant', async (t) => {
  const db = openPostgres(t, await postgresPool(t))
  await fill(db)
  await execute(db, 'alter table payments add tenant int', 'update payments set tenant = payment_id % 2')
  const reader = await readerUnder(t, db, "tenant = current_setting('app.tenant')::int")
  const { settings } = await openPool(t, db, undefined)
  // The settings alone are no consent.
  for (const options of [`-c role=${reader}`, `-c role=${reader} -c timezone=UTC -c statement_timeout=10s`]) {
    const pool = new pg.Pool({ ...settings, max: 2, options })
    t.teardown(() => pool.end())
    const tenants = [0, 1].map((tenant) => new Kysely({ dialect: tenantDialect(pool, tenant) }))
    const lists = createListings({ db: ({ tenant }: never) => tenants[tenant] as never, resolveRole: () => null })
    // Many requests at a time share two connections.
    const asked = Array.from({ length: 20 }, async (_, number) => {
      const tenant = number % 2
      const found = await lists.find('payments', { caller: admin, query: { limit: 100 }, db: tenants[tenant] as never })
      const own = paid.filter(({ payment_id }) => payment_id % 2 === tenant).map(({ payment_id }) => String(payment_id))
      t.strictSame(found.items.map(({ payment_id }) => payment_id).toSorted(), own.toSorted(), options)
      t.equal(found.total, own.length)
    })
    await Promise.all(asked)
  }
})

t.test('a direct statement ends at the deadline, with its client, and with its connection', async (t) => {
  const { db } = await openTasks(t, 'postgres')
  const options = { tables: slowPayments(db) }
  const short = await openPool(t, db, line.replace('10s', '2500ms'))
  const { get } = await serve(t, { ...options, db: short.db, timeout: 2_500 })
  t.equal((await get('/assessment/list?search=', individual)).status, 200)
  await short.sent()
  t.equal((await get('/payment/list', admin)).status, 504)
  t.ok(await until(async () => (await slowStatements(db)) === 0), 'the statement has ended')
  t.equal((await get('/assessment/list?search=', individual)).status, 200, 'the connection is free')
  t.notMatch(await short.sent(), ['start'])

  const pool = await openPool(t, db, line)
  const { get: ask, port } = await listening(t, { ...options, db: pool.db })
  t.equal((await ask('/assessment/list?search=', individual)).status, 200)
  await pool.sent()
  const socket = await send(port, '/payment/list')
  t.ok(await until(async () => (await slowStatements(db)) === 1), 'the statement runs')
  socket.destroy()
  t.ok(await until(async () => (await slowStatements(db)) === 0), 'the statement has ended with its client')
  t.equal((await ask('/assessment/list?search=', individual)).status, 200)
  t.notMatch(await pool.sent(), ['start'])

  const lost = ask('/payment/list', admin)
  t.ok(await until(async () => (await slowStatements(db)) === 1))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'
    and datname = current_database()`.execute(db)
  t.equal((await lost).status, 503)
  t.equal((await ask('/assessment/list?search=', individual)).status, 200, 'on another connection')
})
