import jwt from '@fastify/jwt'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import listing, { listing as named } from '../src/index.js'
import { openDatabase } from './support/databases.js'
import { ask, resolveRole, secret, serve } from './support/server.js'
import { fill } from './support/world.js'

const admin = { userId: 20, role: 'Admin' }
const requests = [
  { url: '/assessment/list?search=a&limit=3', caller: admin },
  { url: '/assessment/list?search=&page=2&limit=5&status=pending', caller: admin },
  { url: '/assessment/list', caller: admin },
  { url: '/assessment/list?search=', caller: { userId: 30, role: 'ordinary user' } },
  { url: '/assessment/list?search=' },
  { url: '/payment/list', caller: admin },
  { url: '/payment/list?page=1e3', caller: admin },
  { url: '/payment/list?page=2&limit=7', caller: admin },
  { url: '/payment/list?staus=x', caller: admin },
  { url: '/payment/list?search[]=x', caller: admin },
  { url: '/payment/list?search=pi_0', caller: { userId: 1, role: 'Individual' } }
]

t.test('every host gives the same bytes', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await fill(db)
  const plain = await serve(t, { db })
  const expected = await Promise.all(requests.map(({ url, caller }) => plain.get(url, caller)))
  t.strictSame(
    expected.map(({ status }) => status),
    [200, 200, 400, 403, 401, 200, 400, 200, 400, 400, 200]
  )

  const hosts: Record<string, (app: FastifyInstance) => unknown> = {
    'an error handler': (app) => app.setErrorHandler((_error, _request, reply) => reply.code(418).send('host')),
    'a validator compiler': (app) =>
      app.setValidatorCompiler(() => () => {
        throw new Error('host')
      }),
    'a serializer compiler': (app) => app.setSerializerCompiler(() => () => 'host'),
    'a schema error formatter': (app) => app.setSchemaErrorFormatter(() => new Error('host')),
    'a reply serializer': (app) => app.setReplySerializer(() => 'host'),
    'a not-found handler': (app) => app.setNotFoundHandler((_request, reply) => reply.send('host')),
    'a preSerialization hook': (app) =>
      app.addHook('preSerialization', async (_request, _reply, payload) => ({ payload })),
    'a caching hook': (app) =>
      app.addHook('onSend', async (_request, reply) => {
        reply.header('cache-control', 'public, max-age=60')
      })
  }
  for (const [kind, before] of Object.entries(hosts)) {
    const host = await serve(t, { db }, { before })
    for (const [index, { url, caller }] of requests.entries()) {
      const { status, text, headers } = await host.get(url, caller)
      t.strictSame(
        { status, text, type: headers['content-type'], cache: headers['cache-control'] },
        {
          status: expected[index]?.status,
          text: expected[index]?.text,
          type: 'application/json; charset=utf-8',
          cache: 'private, no-store'
        },
        `${kind}: ${url}`
      )
    }
  }

  for (const server of [
    { ajv: { customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false } } } as const,
    { routerOptions: { querystringParser: () => ({ page: 'host' }) } },
    { exposeHeadRoutes: false },
    { routerOptions: { caseSensitive: false } }
  ]) {
    const host = await serve(t, { db }, { server })
    for (const [index, { url, caller }] of requests.entries()) {
      t.equal((await host.get(url, caller)).text, expected[index]?.text, `${Object.keys(server)}: ${url}`)
    }
    const authorization = `Bearer ${host.app.jwt.sign({ sub: '20', role: 'Admin' })}`
    t.equal(
      (await host.app.inject({ method: 'HEAD', url: '/payment/list', headers: { authorization } })).statusCode,
      200
    )
  }

  const prefixed = await serve(t, { db, prefix: '/api' })
  for (const [index, { url, caller }] of requests.entries()) {
    t.equal((await prefixed.get(`/api${url}`, caller)).text, expected[index]?.text, `prefix: ${url}`)
    t.equal((await prefixed.get(url, caller)).status, 404)
  }
})

t.test('what the lists set stays in their own scope', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await fill(db)
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
  t.equal(host.body, '{"n":5}', 'the host’s validator works on, and nobody asks for a token')
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

t.test('a path that the host already owns stops the boot', async (t) => {
  const app = Fastify()
  app.register(jwt, { secret })
  app.get('/payment/list', () => 'host')
  app.register(listing, { db: await openDatabase(t, 'sqlite'), resolveRole })
  await t.rejects(async () => app.ready(), { code: 'FST_ERR_DUPLICATED_ROUTE', message: /payment\/list/ })
})

t.test('a wrong option stops the boot with its name', async (t) => {
  const app = Fastify()
  app.register(listing, { db: await openDatabase(t, 'sqlite'), resolveRole, maxLimit: 0 })
  await t.rejects(async () => app.ready(), { message: "Option 'maxLimit': expected a whole number from 1; got 0." })
})

t.test('the deadline covers authentication and the resolver, and what comes later is not sent', async (t) => {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const db = await openDatabase(t, 'sqlite')
  await fill(db)
  const late: ((value?: unknown) => void)[] = []
  const wait = () => new Promise<never>((resolve) => late.push(resolve as () => void))
  for (const options of [
    { db, authenticate: wait, resolveRole: () => admin },
    { db, authenticate: async () => undefined, resolveRole: wait }
  ]) {
    const app = Fastify({ logger: { stream } })
    t.teardown(() => app.close())
    app.register(listing, { ...options, timeout: 50 })
    const answer = await ask(app, '/assessment/list?search=jane')
    t.match(answer, { status: 504, body: { status: 504, error: 'The request took too long.' } })
    late.pop()?.(admin)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  t.notMatch(lines.join(''), /jane/)
})

t.test('the boot refuses a database of another kind, and a transaction', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await db.transaction().execute(async (transaction) => {
    const app = Fastify()
    app.register(listing, { db: transaction, resolveRole })
    await t.rejects(async () => app.ready(), {
      message: /^Option 'db': expected a Kysely instance \(not a transaction\)/
    })
  })
})
