import { setTimeout as sleep } from 'node:timers/promises'
import jwt from '@fastify/jwt'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import listing, { listing as named } from '../src/index.js'
import { openDatabase } from './support/databases.js'
import { keepLog } from './support/log.js'
import { ask, resolveRole, secret, serve } from './support/server.js'
import { openWorld } from './support/tables.js'
import { admin, fill } from './support/world.js'

t.test(
  'a rate limit answers with the error body, and in an onRequest hook it also counts refused callers',
  async (t) => {
    const db = await openWorld(t, 'sqlite')
    const tooMany = {
      status: 429,
      body: { status: 429, error: 'Too Many Requests.' },
      headers: { 'retry-after': /^\d+$/ }
    }
    for (const [inFront, refused] of [
      [false, { status: 401 }],
      [true, tooMany]
    ] as const) {
      const before = async (app: FastifyInstance) => {
        await app.register(rateLimit, { max: 1 })
        if (inFront) app.addHook('onRequest', app.rateLimit())
      }
      const { get } = await serve(t, { db }, { before })
      t.match(await get('/payment/list', inFront ? undefined : admin), { status: inFront ? 401 : 200 })
      t.match(await get('/payment/list'), refused)
      t.match(await get('/payment/list', admin), tooMany)
    }
  }
)

t.test('the settings of the lists are encapsulated', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const app = Fastify({ ajv: { customOptions: { coerceTypes: true } } })
  t.teardown(() => app.close())
  await app.register(jwt, { secret })
  await app.register(listing, { db, resolveRole })
  app.get(
    '/host',
    { schema: { querystring: { type: 'object', properties: { n: { type: 'integer' } } } } },
    (request) => request.query
  )
  app.get('/fails', () => {
    throw Object.assign(new Error('host'), { statusCode: 400 })
  })
  const host = await app.inject('/host?n=5')
  t.equal(host.body, '{"n":5}', 'the host’s route keeps its validator and needs no token')
  t.equal(host.headers['cache-control'], undefined)
  t.match((await app.inject('/fails')).json(), { message: 'host' })
  t.equal((await app.inject({ method: 'POST', url: '/payment/list' })).statusCode, 404)
  t.ok(app.hasPlugin('fastify-assessment-payment-listing'))
})

t.test('two registrations in one server read two databases', async (t) => {
  const [one, two] = [await openDatabase(t, 'sqlite'), await openDatabase(t, 'sqlite')]
  await fill(one)
  await fill(two)
  await two.deleteFrom('payments').where('payment_id', '>', 5).execute()
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(jwt, { secret })
  app.register(listing, { prefix: '/one', db: one, resolveRole })
  app.register(named, { prefix: '/two', db: two, resolveRole, maxLimit: 4, defaultLimit: 4 })
  await app.ready()
  t.match((await ask(app, '/one/payment/list', admin)).body, { total: 31, limit: 12 })
  t.match((await ask(app, '/two/payment/list', admin)).body, { total: 5, limit: 4 })
})

t.test('a path that is already a route of the host stops the boot', async (t) => {
  const app = Fastify()
  app.register(jwt, { secret })
  app.get('/payment/list', () => 'host')
  app.register(listing, { db: await openDatabase(t, 'sqlite'), resolveRole })
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_DUPLICATED_ROUTE', message: /payment\/list/ })
})

t.test('an invalid option stops the boot, and the error names the option', async (t) => {
  const app = Fastify()
  app.register(listing, { db: await openDatabase(t, 'sqlite'), resolveRole, maxLimit: 0 })
  await t.rejects(async () => app.ready(), { message: "Option 'maxLimit': expected a whole number from 1; got 0." })
})

t.test('the deadline covers authenticate and resolveRole, and a later result is not sent', async (t) => {
  const { logger, texts } = keepLog('info')
  const db = await openWorld(t, 'sqlite')
  const late: ((value?: unknown) => void)[] = []
  const wait = () => new Promise<never>((resolve) => late.push(resolve as () => void))
  for (const options of [
    { db, authenticate: wait, resolveRole: () => admin },
    { db, authenticate: async () => undefined, resolveRole: wait }
  ]) {
    const app = Fastify({ logger })
    t.teardown(() => app.close())
    app.register(listing, { ...options, timeout: 50 })
    const answer = await ask(app, '/assessment/list?search=jane')
    t.match(answer, { status: 504, body: { status: 504, error: 'The request took too long.' } })
    late.pop()?.(admin)
    await sleep(20)
  }
  t.notMatch(texts.join(''), /jane/)
})

t.test('a transaction as the option db stops the boot', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await db.transaction().execute(async (transaction) => {
    const app = Fastify()
    app.register(listing, { db: transaction, resolveRole })
    await t.rejects(async () => app.ready(), {
      message: /^Option 'db': expected a Kysely instance \(not a transaction\)/
    })
  })
})
