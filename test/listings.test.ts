/** `find` and `each` give what the routes give, and refuse what the routes refuse. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import jwt from '@fastify/jwt'
import fc from 'fast-check'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import {
  assessments,
  createListings,
  defineOptions,
  type ListingCall,
  ListingError,
  type ListingStep
} from '../src/index.js'
import { columnsOf } from './support/columns.js'
import { type Db, databases, openDatabase } from './support/databases.js'
import { expectedOf, hostLists, hostTables, openHostLists } from './support/host-lists.js'
import { tenantPlugin } from './support/plugins.js'
import { ask, resolveRole, secret, shown } from './support/server.js'
import { openWorld } from './support/tables.js'
import { until } from './support/until.js'
import * as world from './support/world.js'
import { admin, callers, individual } from './support/world.js'

const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const lists = [assessments, ...hostLists] as const
const urls = {
  assessments: '/assessment/list',
  payments: '/payment/list',
  certificates: '/certificate/list',
  rooms: '/room/list'
}

const questions = fc.record({
  name: fc.constantFrom(...lists.map(({ name }) => name)),
  caller: fc.constantFrom(...callers),
  search: fc.constantFrom('', 'a', 'pi_1', 'FIRE_', '%', 'zzz'),
  page: fc.integer({ min: 1, max: 3 }),
  limit: fc.integer({ min: 1, max: 100 })
})

/** A server with the plugin of `createListings`. */
async function serverOf(t: Test, { plugin }: { plugin: FastifyPluginAsync<Record<never, never>> }, prefixes: string[]) {
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(jwt, { secret })
  for (const prefix of prefixes) app.register(plugin, { prefix })
  await app.ready()
  return app
}

const insertPayments = (db: Db, rows: object[]) =>
  db
    .insertInto('payments')
    .values(rows as Record<string, unknown>[])
    .execute()

const urlOf = (path: string, parameters: object) =>
  `${path}?${new URLSearchParams(Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]))}`

t.test('find and each give what the route gives', async (t) => {
  const db = await openHostLists(t, 'sqlite')
  const listings = createListings(defineOptions({ db, resolveRole, lists, tables: hostTables }))
  const app = await serverOf(t, listings, ['', '/v2'])
  await fc.assert(
    fc.asyncProperty(questions, async ({ name, caller, search, page, limit }) => {
      const url = urlOf(urls[name], { search, page, limit })
      const expected = expectedOf(url, caller)
      const answer = await ask(app, url, caller)
      t.strictSame(shown(answer), expected)
      const found = listings.find(name, { caller, query: { search, page, limit } })
      const each = async () => all<unknown>(listings.each(name, { caller, query: { search } }))
      if (expected.status === 403) {
        const refusal = { name: 'ListingError', statusCode: 403, body: answer.body }
        await t.rejects(found, refusal)
        await t.rejects(each(), refusal)
        return
      }
      const { total, items } = expected
      t.strictSame(await found, { page, limit, total, items })
      t.strictSame(await each(), expectedOf(urlOf(urls[name], { search, limit: 100 }), caller).items)
    }),
    { numRuns: 60 }
  )
  t.equal((await ask(app, '/v2/payment/list', admin)).body.total, 31, 'a second registration of the same plugin')
})

// The batches of each database are in query/each.test.ts.
for (const caller of [admin, individual]) {
  t.test(`each reads thousands of records while others come and go, as ${caller.role}`, async (t) => {
    const db = await openWorld(t, 'sqlite')
    const times = ['2024-03-01 12:00:00', '2024-03-01 12:00:01', '2024-03-02 00:00:00']
    const row = (payment_id: number, created_at = String(times[payment_id % 3])) => ({
      ...world.payments[0],
      payment_id,
      user_id: 1,
      payment_intent: `pi ${payment_id}`,
      created_at
    })
    const rows = Array.from({ length: 2500 }, (_, place) => row(1000 + place))
    await insertPayments(db, rows)
    const expected = [...rows, ...world.payments]
      .filter(({ user_id }) => caller === admin || user_id === 1)
      .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.payment_id - a.payment_id)
      .map(({ payment_id }) => String(payment_id))
    const ids: string[] = []
    let inserted = 100_000
    for await (const { payment_id } of createListings({ db, resolveRole }).each('payments', { caller })) {
      ids.push(payment_id)
      if (ids.length % 400 !== 0) continue
      // Newer than every record, and older.
      await insertPayments(db, [row(inserted++, '2025-01-01 00:00:00'), row(inserted++, '2022-01-01 00:00:00')])
      await db.deleteFrom('payments').where('payment_id', '=', Number(payment_id)).execute()
    }
    t.strictSame(
      ids.filter((id) => Number(id) < 100_000),
      expected
    )
    t.equal(new Set(ids).size, ids.length, 'no record comes twice')
  })
}

/** Selects the payments, and delays the statement at one of them. */
const slowPayments = (db: Db, seconds: number) => {
  const slow = sql<string>`payment_intent || case when payment_id = 99 then pg_sleep(${sql.lit(seconds)})::text else '' end`
  const columns = columnsOf.payments.filter((column) => column !== 'payment_intent')
  return { payments: db.selectFrom('payments').select([...columns, slow.as('payment_intent')]) } as never
}

const running = async (db: Db) => {
  const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
    and query like '%cell 0%' and state = 'active' and pid <> pg_backend_pid()`.execute(db)
  return rows.length
}

if (databases.includes('postgres')) {
  t.test('a call ends at its deadline, and when its signal aborts, and so does its statement', async (t) => {
    const db = await openWorld(t, 'postgres')
    const listingsWith = (timeout: number) => createListings({ db, resolveRole, timeout, tables: slowPayments(db, 20) })
    const late = { name: 'ListingError', statusCode: 504, kind: 'timeout', message: 'The request took too long.' }
    const impatient = listingsWith(300)
    await t.rejects(impatient.find('payments', { caller: admin }), late)
    await t.rejects(all(impatient.each('payments', { caller: admin })), late)
    t.ok(await until(async () => (await running(db)) === 0), 'the statements have ended')

    const patient = listingsWith(20_000)
    const aborted = {
      name: 'ListingError',
      kind: 'aborted',
      statusCode: 499,
      message: 'The signal of the call was aborted.'
    }
    const calls: ((signal: AbortSignal) => Promise<unknown>)[] = [
      (signal) => patient.find('payments', { caller: admin, signal }),
      (signal) => all(patient.each('payments', { caller: admin, signal }))
    ]
    for (const call of calls) {
      const controller = new AbortController()
      const rejected = t.rejects(call(controller.signal), aborted)
      t.ok(await until(async () => (await running(db)) === 1), 'the statement runs')
      controller.abort()
      await rejected
      t.ok(await until(async () => (await running(db)) === 0), 'the statement has ended')
    }

    const stream = Readable.from(patient.each('payments', { caller: admin }))
    stream.resume()
    t.ok(await until(async () => (await running(db)) === 1), 'the statement of a stream runs')
    stream.destroy()
    t.ok(await until(async () => (await running(db)) === 0), 'the statement ends with the stream')
  })
}

t.test('the deadline limits each batch, and not the time of the consumer', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { each } = createListings({ db, resolveRole, timeout: 1_000 })
  let count = 0
  for await (const _payment of each('payments', { caller: admin })) {
    if (count++ === 0) await sleep(1_200)
  }
  t.equal(count, 31)
})

t.test('an aborted signal ends the call while the consumer reads a batch', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const controller = new AbortController()
  const payments = createListings({ db, resolveRole }).each('payments', { caller: admin, signal: controller.signal })
  t.match(await payments.next(), { done: false })
  controller.abort()
  const aborted = {
    name: 'ListingError',
    kind: 'aborted',
    statusCode: 499,
    message: 'The signal of the call was aborted.'
  }
  await t.rejects(payments.next(), aborted)
  t.strictSame(await payments.next(), { done: true, value: undefined })
})

t.test('a signal ends all of its calls at once, and Node.js warns of nothing', async (t) => {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => void warnings.push(warning)
  process.on('warning', onWarning)
  t.teardown(() => process.off('warning', onWarning))
  let isHeld = false
  const held = new Promise<void>(() => undefined)
  const db = await openWorld(t, 'sqlite', { before: () => (isHeld ? held : undefined) })
  const { find } = createListings({ db, resolveRole })
  const controller = new AbortController()
  const { signal } = controller
  const calls = () => Array.from({ length: 20 }, () => find('payments', { caller: admin, signal }))
  for (const { total } of await Promise.all(calls())) t.equal(total, 31)
  isHeld = true
  const ended = Promise.allSettled(calls())
  await sleep(50)
  controller.abort()
  for (const call of await ended) t.match(call, { status: 'rejected', reason: { kind: 'aborted', statusCode: 499 } })
  t.strictSame(warnings, [])
})

t.test('a consumer that stops early leaves nothing running', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { each } = createListings({ db, resolveRole })
  const payments = each('payments', { caller: admin })
  for await (const { payment_id } of payments) {
    t.ok(payment_id)
    break
  }
  t.strictSame(await payments.next(), { done: true, value: undefined })
  const unused = each('payments', { caller: admin })
  t.strictSame(await unused.return?.(), { done: true, value: undefined })
})

/** Wrong calls. The error is a TypeError, or a ListingError with a status. */
const invalid: [call: unknown, error: 'TypeError' | number, message: string | RegExp][] = [
  [undefined, 'TypeError', 'A call needs an object such as { caller, query }; got undefined.'],
  [
    { caller: admin, qurey: {} },
    'TypeError',
    "A call has the properties caller, query, signal, db, and not 'qurey'; got an object with caller, qurey."
  ],
  [{ caller: individual, reach: 'all' }, 'TypeError', /and not 'reach'/],
  [{ caller: { userId: 1 } }, 'TypeError', "'caller' must have a role that is a string; got an object with userId."],
  [{ caller: { role: 'Admin' } }, 'TypeError', /^'caller' must have a userId that is a safe integer/],
  [{ caller: null }, 401, 'Invalid or expired token.'],
  [
    { caller: admin, query: new URLSearchParams('search=a') },
    'TypeError',
    /^'query' must be an object such as \{ search: 'pi_' \}; got /
  ],
  [{ caller: admin, query: 'search=a' }, 'TypeError', /^'query' must be an object .*; got a string/],
  [{ caller: admin, query: { serch: 'a' } }, 400, /'serch' is not known; allowed are: search/],
  [{ caller: admin, query: { search: ['a', 'b'] } }, 400, "The query parameter 'search' must be given only once."],
  [
    { caller: admin, query: { search: null } },
    400,
    "The query parameter 'search' must be a text, a number or a boolean."
  ],
  [{ caller: admin, query: { search: [] } }, 400, "The query parameter 'search' must have at least one value."],
  [{ caller: admin, query: { search: '\ud800' } }, 400, 'The query string must be percent-encoded UTF-8.'],
  [{ caller: admin, query: { search: '\0' } }, 400, /control characters/],
  [{ caller: admin, signal: 5 }, 'TypeError', "'signal' must be an AbortSignal; got 5."],
  [{ caller: admin, signal: null }, 'TypeError', "'signal' must be an AbortSignal; got null."],
  [
    { caller: admin, signal: AbortSignal.abort() },
    499,
    'The signal of the call has aborted already. Give each call a signal of its own.'
  ],
  [{ caller: admin, db: {} }, 'TypeError', /^'db' must not be given in the call/]
]

t.test('a parameter that is undefined is not given, and a number is a text', async (t) => {
  const { find } = createListings({ db: await openWorld(t, 'sqlite'), resolveRole })
  const query = { search: undefined, processor_status: undefined, page: undefined, limit: 2 }
  t.match(await find('payments', { caller: admin, query }), { page: 1, limit: 2, total: 31 })
  t.match(await find('payments', { caller: admin, query: { page: 2n, limit: '5' } as never }), { page: 2, limit: 5 })
})

t.test('a wrong call is refused before any statement', async (t) => {
  const statements: string[] = []
  const db = await openDatabase(t, 'sqlite', { onQuery: ({ sql }) => statements.push(sql) })
  const listings = createListings({ db, resolveRole })
  for (const [call, kind, message] of invalid) {
    const error = { message, ...(kind === 'TypeError' ? { name: kind } : { name: 'ListingError', statusCode: kind }) }
    await t.rejects(listings.find('payments', call as never), error, `find: ${message}`)
    t.throws(() => listings.each('payments', call as never), error, `each: ${message}`)
  }
  const unnamed: unknown = await listings.find('payments', { caller: null }).catch((error) => error)
  t.match(unnamed, { reason: /^'caller' is missing/ })
  const unknown = new TypeError("There is no list 'payment'. The lists are: assessments, payments.")
  await t.rejects(listings.find('payment' as 'payments', { caller: admin }), unknown)
  t.throws(() => listings.each('payment' as 'payments', { caller: admin }), unknown)
  const required = { statusCode: 400, message: "The query parameter 'search' is required; it may be empty." }
  await t.rejects(listings.find('assessments', { caller: admin } as never), required)
  t.throws(() => listings.each('payments', { caller: admin, query: { page: 2 } as never }), {
    statusCode: 400,
    message: "The query parameter 'page' is not known; allowed are: search, processor_status."
  })
  await t.rejects(listings.find('payments', { caller: admin, query: { page: 1.5 } }), {
    statusCode: 400,
    message: /'page' must be a whole number/
  })
  t.strictSame(statements, [])
})

t.test('the error of a call has the text of the route, and the reason for the operator', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const messages = { internal: 'Interner Fehler.' }
  const { find, each } = createListings({ db, resolveRole, messages, tables: { payments: 'nothing' } })
  const error = await find('payments', { caller: admin }).catch((error) => error)
  t.type(error, ListingError)
  t.match(error, {
    statusCode: 500,
    kind: 'internal',
    message: 'Interner Fehler.',
    reason: "Missing in the database: nothing. Create the table or the column, or map your own in the option 'tables'.",
    facts: { missing: 'nothing' }
  })
  t.equal(error.cause, undefined, 'a driver writes values into its errors')
  await t.rejects(all(each('payments', { caller: admin })), { statusCode: 500, message: 'Interner Fehler.' })
})

t.test('a TypeError of the host in a right call is the error of the route', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const broken = () => {
    throw new TypeError('broken')
  }
  const { find, each } = createListings({ db: () => db, resolveRole, tables: broken })
  const error = {
    name: 'ListingError',
    statusCode: 500,
    message: 'Internal server error.',
    facts: { callback: 'tables', error: 'TypeError: broken' }
  }
  await t.rejects(find('payments', { caller: admin, db }), error)
  t.throws(() => each('payments', { caller: admin, db }), error)
})

t.test('a call names its database where the option db is a function', async (t) => {
  const [one, other] = [await openWorld(t, 'sqlite'), await openDatabase(t, 'sqlite')]
  await world.fill(other, { payments: world.payments.slice(0, 3), users: world.users })
  const { find, each } = createListings({ db: () => one, resolveRole })
  t.equal((await find('payments', { caller: admin, db: one })).total, 31)
  t.equal((await find('payments', { caller: admin, db: other })).total, 3)
  t.equal((await all(each('payments', { caller: admin, db: other }))).length, 3)
  await t.rejects(find('payments', { caller: admin }), {
    message: /^'db' must be a Kysely instance in the call.*; got undefined/
  })
})

t.test('all batches read the tenant of the call', async (t) => {
  const tenant = new AsyncLocalStorage<number>()
  const database = await openDatabase(t, 'sqlite')
  await world.createTables(database)
  const rows = Array.from({ length: 2100 }, (_, index) => ({
    ...world.payments[0],
    payment_id: index + 1,
    payment_intent: `pi_${index}`,
    user_id: index % 2
  }))
  await insertPayments(database, rows)
  const { each } = createListings({ db: database.withPlugin(tenantPlugin(() => tenant.getStore())), resolveRole })
  const payments = tenant.run(1, () => each('payments', { caller: admin }))
  const users = await tenant.run(0, async () => (await all(payments)).map(({ user_id }) => user_id))
  t.strictSame(users, Array(1050).fill('1'))
})

t.test('calls and routes share what they know of the columns', async (t) => {
  const statements: string[] = []
  const db = await openWorld(t, 'sqlite', { onQuery: ({ sql }) => statements.push(sql) })
  const listings = createListings({ db, resolveRole, checkOnReady: 'off' })
  const app = await serverOf(t, listings, ['/api'])
  const query = { limit: 5 }
  const call: ListingCall<typeof query> = { caller: admin, query }
  await ask(app, '/api/payment/list?limit=5', admin)
  statements.length = 0
  await listings.find('payments', call)
  t.equal(statements.length, 2, 'the columns are known, so the page and the count remain')
})

t.test('the steps of a call are published without a request', async (t) => {
  const steps: ListingStep[] = []
  const onStep = (step: unknown) => void steps.push(step as ListingStep)
  subscribe('fastify-assessment-payment-listing:step', onStep)
  t.teardown(() => unsubscribe('fastify-assessment-payment-listing:step', onStep))
  const db = await openWorld(t, 'sqlite')
  const { find, each } = createListings({ db, resolveRole })
  await find('payments', { caller: individual })
  await all(each('payments', { caller: individual }))
  t.match(
    steps.filter(({ step }) => step === 'page'),
    [
      { requestId: undefined, list: 'payments', reach: 'own' },
      { requestId: undefined, list: 'payments', reach: 'own' }
    ]
  )
})

t.test('app.register takes no options of the lists again', async (t) => {
  const { plugin } = createListings({ db: await openWorld(t, 'sqlite'), resolveRole })
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(jwt, { secret })
  app.register(plugin, { prefix: '/api', timeout: 5 } as object)
  await t.rejects(async () => app.ready(), {
    name: 'TypeError',
    message: "Option 'timeout': give this option to createListings, and not to app.register."
  })
  t.throws(() => createListings({ resolveRole } as never), { message: /^Option 'db'/ })
})

t.test('find and each refuse the values that the route refuses', async (t) => {
  const db = await openHostLists(t, 'sqlite')
  const listings = createListings(defineOptions({ db, resolveRole, lists, tables: hostTables }))
  const form =
    "The query parameter 'booked_from' must be a date and time in the form YYYY-MM-DD or YYYY-MM-DDThh:mm:ss."
  const order = "The query parameter 'booked_from' must not be greater than 'booked_to'."
  for (const [query, message] of [
    [{ booked_from: 'yesterday' }, form],
    [{ booked_from: '2024-03-02', booked_to: '2024-03-01' }, order]
  ] as const) {
    const refusal = { name: 'ListingError', statusCode: 400, message }
    await t.rejects(listings.find('rooms', { caller: admin, query }), refusal)
    t.throws(() => listings.each('rooms', { caller: admin, query }), refusal)
  }
})
