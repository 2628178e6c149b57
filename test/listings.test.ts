/** `find` and `each` give what the routes give, and refuse what the routes refuse. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import jwt from '@fastify/jwt'
import Fastify, { type FastifyPluginAsync } from 'fastify'
import t, { type Test } from 'tap'
import { assessments, createListings, defineOptions, type ListingCall, payments } from '../src/index.js'
import { lessons, lessonTables, openLessons } from './support/fixtures/lessons.js'
import { byNumber, openTasks, rowOf } from './support/fixtures/tasks.js'
import * as world from './support/fixtures/world.js'
import { admin, individual } from './support/fixtures/world.js'
import { tenantPlugin } from './support/hosts/plugins.js'
import { published } from './support/hosts/published.js'
import { ask, resolveRole, secret } from './support/hosts/server.js'
import { until } from './support/running/until.js'
import { type Db, openDatabase } from './support/servers/databases.js'
import { openTables, openWorld, slowPayments, slowStatements } from './support/servers/tables.js'

const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const lists = [assessments, payments, lessons] as const
const db = await openWorld(t, 'sqlite')

/** A server with the plugin of `createListings`. */
async function serverOf(t: Test, { plugin }: { plugin: FastifyPluginAsync<object> }, registrations: object[]) {
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(jwt, { secret })
  for (const options of registrations) app.register(plugin, options)
  await app.ready()
  return app
}

const aborted = {
  ...{ name: 'ListingError', kind: 'aborted', statusCode: 499 },
  message: 'The signal of the call was aborted.'
}

t.test('find and each refuse what the route refuses, in its words; the plugin can be registered twice', async (t) => {
  const db = await openLessons(t, 'sqlite')
  const listings = createListings(
    defineOptions({ db, resolveRole, lists, tables: lessonTables(db, 'sqlite') as never })
  )
  const app = await serverOf(t, listings, [{}, { prefix: '/v2' }])
  t.match((await ask(app, '/v2/lesson/list?limit=2', admin)).body, { total: 48, data: { length: 2 } })
  const caller = { userId: 30, role: 'ordinary user' }
  for (const name of ['assessments', 'lessons'] as const) {
    const query = { search: 'a' }
    const { body } = await ask(app, `/${name.slice(0, -1)}/list?search=a`, caller)
    const refusal = { name: 'ListingError', statusCode: 403, body }
    await t.rejects(listings.find(name, { caller, query }), refusal)
    await t.rejects(async () => all<unknown>(listings.each(name, { caller, query })), refusal)
  }
  const query = { starts_from: 'yesterday' }
  const form = /^The query parameter 'starts_from' must be a date and time in the form YYYY-MM-DD or /
  const refusal = { name: 'ListingError', statusCode: 400, message: form }
  await t.rejects(listings.find('lessons', { caller: admin, query }), refusal)
  t.throws(() => listings.each('lessons', { caller: admin, query }), refusal)
})

// The batches of each database are in query/each.test.ts.
for (const caller of [admin, individual]) {
  t.test(`each reads thousands of records while others come and go, as ${caller.role}`, async (t) => {
    const db = await openWorld(t, 'sqlite')
    const times = ['2024-03-01 12:00:00', '2024-03-01 12:00:01', '2024-03-02 00:00:00']
    const row = (payment_id: number, created_at = String(times[payment_id % 3])) => ({
      ...{ ...world.payments[0], payment_id, user_id: 1, payment_intent: `pi ${payment_id}`, created_at }
    })
    const rows = Array.from({ length: 2500 }, (_, place) => row(1000 + place))
    await world.insert(db, { payments: rows })
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
      const others = ['2025-01-01 00:00:00', '2022-01-01 00:00:00'].map((time) => row(inserted++, time))
      await world.insert(db, { payments: others })
      await db.deleteFrom('payments').where('payment_id', '=', Number(payment_id)).execute()
    }
    const kept = ids.filter((id) => Number(id) < 100_000)
    t.strictSame(kept, expected)
    t.equal(new Set(ids).size, ids.length, 'no record comes twice')
  })
}

const runs = (db: Db, count: number) => until(async () => (await slowStatements(db)) === count)

t.test('a call ends at its deadline, and when its signal aborts, and so does its statement', async (t) => {
  const db = await openWorld(t, 'postgres')
  const listingsWith = (timeout: number) => createListings({ db, resolveRole, timeout, tables: slowPayments(db) })
  const late = { name: 'ListingError', statusCode: 504, kind: 'timeout', message: 'The request took too long.' }
  const impatient = listingsWith(300)
  await t.rejects(impatient.find('payments', { caller: admin }), late)
  await t.rejects(all(impatient.each('payments', { caller: admin })), late)
  t.ok(await runs(db, 0), 'the statements have ended')

  const patient = listingsWith(20_000)
  const calls: ((signal: AbortSignal) => Promise<unknown>)[] = [
    (signal) => patient.find('payments', { caller: admin, signal }),
    (signal) => all(patient.each('payments', { caller: admin, signal }))
  ]
  for (const call of calls) {
    const controller = new AbortController()
    const rejected = t.rejects(call(controller.signal), aborted)
    t.ok(await runs(db, 1), 'the statement runs')
    controller.abort()
    await rejected
    t.ok(await runs(db, 0), 'the statement has ended')
  }

  const stream = Readable.from(patient.each('payments', { caller: admin }))
  stream.resume()
  t.ok(await runs(db, 1), 'the statement of a stream runs')
  stream.destroy()
  t.ok(await runs(db, 0), 'the statement ends with the stream')
})

t.test('the deadline limits each batch, and not the time of the consumer', async (t) => {
  const { each } = createListings({ db, resolveRole, timeout: 1_000 })
  let count = 0
  for await (const _payment of each('payments', { caller: admin })) {
    if (count++ === 0) await sleep(1_200)
  }
  t.equal(count, 31)
})

t.test('an aborted signal ends the call while the consumer reads a batch', async (t) => {
  const controller = new AbortController()
  const payments = createListings({ db, resolveRole }).each('payments', { caller: admin, signal: controller.signal })
  t.match(await payments.next(), { done: false })
  controller.abort()
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

t.test('get takes an id as a string, a safe integer or a bigint, of a list with a record', async (t) => {
  const { db, insert } = await openTasks(t, 'sqlite')
  await insert([rowOf(1)])
  const { get } = createListings(defineOptions({ db, resolveRole, lists: [byNumber, payments] as const }))
  for (const id of ['1', 1, 1n]) t.match(await get('tasks', id, { caller: admin }), { task_id: '1' })
  t.equal(await get('tasks', 2, { caller: admin }), undefined)
  for (const [id, got] of [
    [1.5, '1.5'],
    [2 ** 53, '9007199254740992'],
    [Number.NaN, 'NaN'],
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true']
  ] as const) {
    const message = `The id must be a string, a safe integer or a bigint; got ${got}.`
    await t.rejects(get('tasks', id as never, { caller: admin }), { name: 'TypeError', message })
  }
  const message = "The list 'payments' has no 'record'."
  await t.rejects(get('payments' as never, 1, { caller: admin }), { name: 'TypeError', message })
})

t.test('a call names its database where the option db is a function', async (t) => {
  const other = await openDatabase(t, 'sqlite')
  await world.fill(other, { payments: world.payments.slice(0, 3), users: world.users })
  const { find, each } = createListings({ db: () => db, resolveRole })
  t.equal((await find('payments', { caller: admin, db })).total, 31)
  t.equal((await find('payments', { caller: admin, db: other })).total, 3)
  t.equal((await all(each('payments', { caller: admin, db: other }))).length, 3)
  await t.rejects(find('payments', { caller: admin }), {
    message: /^'db' must be a Kysely instance in the call.*; got undefined/
  })
})

t.test('all batches read the tenant of the call', async (t) => {
  const tenant = new AsyncLocalStorage<number>()
  const database = await openTables(t, 'sqlite')
  const row = (id: number) => ({ ...world.payments[0], payment_id: id, payment_intent: `pi_${id}`, user_id: id % 2 })
  await world.insert(database, { payments: Array.from({ length: 2100 }, (_, index) => row(index + 1)) })
  const { each } = createListings({ db: database.withPlugin(tenantPlugin(() => tenant.getStore())), resolveRole })
  const payments = tenant.run(1, () => each('payments', { caller: admin }))
  const users = await tenant.run(0, async () => (await all(payments)).map(({ user_id }) => user_id))
  t.strictSame(users, Array(1050).fill('1'))
})

t.test('calls and routes share what they know of the columns', async (t) => {
  const statements: string[] = []
  const db = await openWorld(t, 'sqlite', { onQuery: ({ sql }) => statements.push(sql) })
  const listings = createListings({ db, resolveRole, checkOnReady: 'off' })
  const app = await serverOf(t, listings, [{ prefix: '/api' }])
  const query = { limit: 5 }
  const call: ListingCall<typeof query> = { caller: admin, query }
  await ask(app, '/api/payment/list?limit=5', admin)
  statements.length = 0
  await listings.find('payments', call)
  t.equal(statements.length, 2, 'the columns are known, so the page and the count remain')
})

t.test('the steps of a call are published without a request', async (t) => {
  const steps = published(t)
  const { find, each } = createListings({ db, resolveRole })
  await find('payments', { caller: individual })
  await all(each('payments', { caller: individual }))
  const page = { requestId: undefined, list: 'payments', reach: 'own' }
  const pages = steps.filter(({ step }) => step === 'page')
  t.match(pages, [page, page])
})

t.test('app.register takes no options of the lists again', async (t) => {
  const listings = createListings({ db, resolveRole })
  await t.rejects(serverOf(t, listings, [{ prefix: '/api', timeout: 5 }]), {
    name: 'TypeError',
    message: "Option 'timeout': give this option to createListings, and not to app.register."
  })
  t.throws(() => createListings({ resolveRole } as never), { message: /^Option 'db'/ })
})
