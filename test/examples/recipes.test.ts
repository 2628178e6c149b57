/** The recipes of examples/recipes, each called as the documentation says, and asked for what the recipe promises. */
import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import jwt from '@fastify/jwt'
import { metrics as otelMetrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { InfiniteQueryObserver, QueryClient } from '@tanstack/query-core'
import Fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import { assessments, type List, payments } from 'fastify-assessment-payment-listing'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import t, { type Test } from 'tap'
import * as apiKey from '../../examples/recipes/api-key.js'
import { certificates } from '../../examples/recipes/certificates.js'
import * as csvExport from '../../examples/recipes/csv-export.js'
import * as deletedPeople from '../../examples/recipes/deleted-people.js'
import * as htmlPage from '../../examples/recipes/html-page.js'
import * as identityProvider from '../../examples/recipes/identity-provider.js'
import * as languages from '../../examples/recipes/languages.js'
import * as messages from '../../examples/recipes/messages.js'
import * as metrics from '../../examples/recipes/metrics.js'
import * as oneRecord from '../../examples/recipes/one-record.js'
import * as openapi from '../../examples/recipes/openapi.js'
import * as overdue from '../../examples/recipes/overdue.js'
import * as ownLists from '../../examples/recipes/own-lists.js'
import * as pgPool from '../../examples/recipes/pg-pool.js'
import { PreparingClient } from '../../examples/recipes/prepared-statements.js'
import * as rateLimit from '../../examples/recipes/rate-limit.js'
import * as readiness from '../../examples/recipes/readiness.js'
import * as replicas from '../../examples/recipes/replicas.js'
import * as resolver from '../../examples/recipes/resolver.js'
import * as rowLevelSecurity from '../../examples/recipes/row-level-security.js'
import * as searchBox from '../../examples/recipes/search-box.js'
import * as serverless from '../../examples/recipes/serverless.js'
import * as sessions from '../../examples/recipes/sessions.js'
import * as sharedPool from '../../examples/recipes/shared-pool.js'
import * as tanstackQuery from '../../examples/recipes/tanstack-query.js'
import * as tenantColumn from '../../examples/recipes/tenant-column.js'
import * as tenants from '../../examples/recipes/tenants.js'
import * as traces from '../../examples/recipes/traces.js'
import * as twoDatabases from '../../examples/recipes/two-databases.js'
import * as whoSawWhat from '../../examples/recipes/who-saw-what.js'
import * as withoutHttp from '../../examples/recipes/without-http.js'
import { defaultMessages } from '../../src/errors/client-texts.js'
import listing, { createListings, defineOptions, type ListingOptions, type Listings } from '../../src/index.js'
import type { defaultLists } from '../../src/lists/ready/index.js'
import { lessons, lessonTables, openLessons } from '../support/fixtures/lessons.js'
import { readerUnder } from '../support/fixtures/policies.js'
import * as world from '../support/fixtures/world.js'
import { admin, individual } from '../support/fixtures/world.js'
import { listen, listening, send } from '../support/hosts/listening.js'
import { keepLog } from '../support/hosts/log.js'
import { ask, resolveRole, secret } from '../support/hosts/server.js'
import { headersOf, token, tokenOf } from '../support/hosts/tokens.js'
import { execute, findings } from '../support/oracle/check.js'
import { firstList, mysqlUrl, run, transpiled, write } from '../support/running/documents.js'
import { until } from '../support/running/until.js'
import { type Db, mysqlPool, onDatabases, onServers, openDatabase, postgresPool } from '../support/servers/databases.js'
import { opened, openMysql, openPostgres } from '../support/servers/pools.js'
import { startProxy } from '../support/servers/proxy.js'
import { openTables, openWorld, slowPayments, slowStatements } from '../support/servers/tables.js'

type Options = FastifyServerOptions & { hasTokens?: boolean }

/** Gives a server to which `add` has added the lists. */
async function serve(t: Test, add: (app: FastifyInstance) => unknown, { hasTokens = true, ...options }: Options = {}) {
  const app: FastifyInstance = Fastify({ trustProxy: true, ...options })
  t.teardown(() => app.close())
  if (hasTokens) await app.register(jwt, { secret })
  await add(app)
  await app.ready()
  return app
}

const recipe = (name: string) => readFileSync(`examples/recipes/${name}.ts`, 'utf8')

/** The small world for the recipes that write nothing. */
const db = await openWorld(t, 'sqlite')
const options = { db, resolveRole }

/** The total of a page, or the status of an error. */
async function totalOf(...asked: Parameters<typeof ask>) {
  const { status, body } = await ask(...asked)
  return body.total ?? status
}

t.test('tokens of an identity provider', async (t) => {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const other = await generateKeyPair('RS256')
  const provider = Fastify()
  t.teardown(() => provider.close())
  let asked = 0
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  provider.get('/realm/keys', () => {
    asked++
    return { keys: [key] }
  })
  const issuer = `${(await listen(provider)).address}/realm`
  const realm = { issuer, jwksUri: `${issuer}/keys`, audience: 'lists' }
  const open = () => serve(t, (app) => identityProvider.addLists(app, realm, { db, resolveRole }), { hasTokens: false })
  const app = await open()

  const headers = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
  const exp = Math.floor(Date.now() / 1000) + 60
  const token = (header: object = {}, payload: object = {}, signer = privateKey) =>
    new SignJWT({ sub: '20', role: 'Admin', iss: issuer, aud: 'lists', exp, ...payload })
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
      .sign(signer)
  for (const [what, wrong] of Object.entries({
    'another key': await token({}, {}, other.privateKey),
    'a key that the provider has not': await token({ kid: 'two' }),
    'another issuer': await token({}, { iss: 'https://other.example/' }),
    'another audience': await token({}, { aud: 'mail' }),
    'no issuer': await token({}, { iss: undefined }),
    'no audience': await token({}, { aud: undefined }),
    'no end': await token({}, { exp: undefined }),
    'an end in the past': await token({}, { exp: exp - 120 }),
    'no signature': new UnsecuredJWT({ sub: '20', role: 'Admin', iss: issuer, aud: 'lists' }).encode(),
    'a secret': app.jwt.sign({ sub: '20', role: 'Admin' }, { key: 'one', algorithm: 'HS256' })
  })) {
    t.equal(await totalOf(app, '/payment/list', headers(wrong)), 401, what)
  }
  const right = headers(await token())
  t.equal(await totalOf(app, '/payment/list', right), 31)
  t.equal(asked, 1, 'the provider is asked once')

  await provider.close()
  t.match(await ask(await open(), '/payment/list', right), { status: 503, headers: { 'retry-after': /./ } })
})

t.test('tokens that a provider signs with EdDSA', async (t) => {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA')
  const provider = Fastify()
  t.teardown(() => provider.close())
  provider.get('/keys', async () => ({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'EdDSA' }] }))
  const issuer = (await listen(provider)).address
  const realm = { issuer, jwksUri: `${issuer}/keys`, audience: issuer, algorithms: ['EdDSA' as const] }
  const app = await serve(t, (app) => identityProvider.addLists(app, realm, { db, resolveRole }), { hasTokens: false })
  const token = await new SignJWT({ sub: '20', role: 'Admin' })
    .setProtectedHeader({ alg: 'EdDSA', kid: 'one' })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setExpirationTime('1m')
    .sign(privateKey)
  t.equal(await totalOf(app, '/payment/list', { headers: { authorization: `Bearer ${token}` } }), 31)
})

t.test('API keys beside tokens', async (t) => {
  const asked: string[] = []
  const owners = new Map([[createHash('sha256').update('good key').digest('hex'), { userId: 0, role: 'Admin' }]])
  const app = await serve(t, (app) =>
    apiKey.addLists(app, options, async (hash) => {
      asked.push(hash)
      return owners.get(hash)
    })
  )
  t.equal(await totalOf(app, '/payment/list', { headers: { 'x-api-key': 'good key' } }), 31)
  t.notMatch(asked.join(), 'good key')
  t.equal(await totalOf(app, '/payment/list', individual), 3)
  for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': 'bad key', ...headersOf(admin) }]) {
    t.equal(await totalOf(app, '/payment/list', { headers }), 401)
  }
})

t.test('sessions', async (t) => {
  const members = new Map([['al', { id: 20, role: 'Admin' }]])
  const app = await serve(t, async (app) => {
    await sessions.addLists(app, { secret, findMember: async (id = '') => members.get(id) }, { db })
    app.get<{ Params: { id: string } }>('/login/:id', async ({ params, session }) => {
      session.memberId = params.id
    })
  })
  const https = { 'x-forwarded-proto': 'https' }
  const login = async (id: string) => {
    const { cookies } = await app.inject({ url: `/login/${id}`, headers: https })
    t.match(cookies, [{ httpOnly: true, secure: true, sameSite: 'Lax' }])
    return { headers: { ...https, cookie: `${cookies[0]?.name}=${cookies[0]?.value}` } }
  }
  const stranger = await ask(app, '/payment/list', { headers: https })
  t.match(stranger, { status: 401, body: { error: 'Invalid or expired token.' } })
  t.notOk(stranger.headers['set-cookie'], 'a stranger gets no session')
  const member = await login('al')
  t.equal(await totalOf(app, '/payment/list', member), 31)
  t.equal(await totalOf(app, '/payment/list', await login('somebody')), 401)
  members.clear()
  t.equal(await totalOf(app, '/payment/list', member), 401, 'who is no member any longer')
})

t.test('a rate limit', async (t) => {
  const app = await serve(t, async (app) => {
    const prefixed = { ...options, prefix: '/api' }
    await rateLimit.addLists(app, prefixed)
    app.get('/', () => 'no limit')
  })
  for (let count = 0; count < 100; count++) await app.inject('/api/payment/list')
  t.match(await ask(app, '/api/payment/list', admin), {
    status: 429,
    body: { status: 429, error: 'Too Many Requests.' },
    headers: { 'retry-after': /^\d+$/ }
  })
  t.equal((await app.inject('/')).statusCode, 200)
})

t.test('read replicas', async (t) => {
  const other = await openWorld(t, 'sqlite')
  await other.deleteFrom('payments').where('payment_id', '>', 5).execute()
  const open = (second: Db, options: Pick<ListingOptions<Db>, 'resolveRole'> = { resolveRole }) =>
    serve(t, (app) => replicas.addLists(app, [db, second], options))
  const app = await open(other)
  const totals: unknown[] = []
  for (let count = 0; count < 4; count++) totals.push(await totalOf(app, '/payment/list', admin))
  t.strictSame(totals, [31, 5, 31, 5])
  const down = openMysql(t, { port: 1 })
  t.equal(await totalOf(await open(down), '/payment/list', admin), 31, 'a replica that is down does not stop the boot')
  await t.rejects(open(await openDatabase(t, 'sqlite')), /assessments/)
  const ofHost = defineOptions({ db, resolveRole, lists: [certificates] })
  await t.rejects(open(other, ofHost), /certificates needs the columns/, 'the lists of the host are checked')
})

t.test('a second registration with another database', async (t) => {
  const archive = await openWorld(t, 'sqlite')
  await archive.deleteFrom('payments').where('payment_id', '>', 5).execute()
  const app = await serve(t, (app) => twoDatabases.addLists(app, options, archive))
  t.equal(await totalOf(app, '/api/payment/list', admin), 31)
  t.equal(await totalOf(app, '/archive/payment/list', admin), 5)
})

t.test('another language', async (t) => {
  const app = await serve(t, (app) => messages.addLists(app, options))
  t.equal((await ask(app, '/assessment/list?search=', admin)).body.message, 'Die Bewertungen wurden gefunden.')
  t.match(await ask(app, '/payment/list?x=1', admin), {
    status: 400,
    body: { error: 'Den Parameter „x“ gibt es nicht; erlaubt sind: search, processor_status, page, limit.' }
  })
  const own = [...recipe('messages').matchAll(/^ {2}(\w+): '(.*)',?$/gm)]
  t.equal(own.length, Object.keys(defaultMessages).length + 4, 'all texts')
  for (const [, name = '', text = ''] of own) {
    const placeholders = (message: string) => message.match(/\{\w+\}/g)?.toSorted()
    t.strictSame(placeholders(text), placeholders(defaultMessages[name as keyof typeof defaultMessages] ?? ''), name)
  }
})

t.test('traces', async (t) => {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  provider.register()
  t.teardown(() => provider.shutdown())
  const app = await serve(t, (app) => traces.addLists(app, options))
  t.equal(await totalOf(app, '/assessment/list?search=jane.doe', admin), 3)
  const spans = exporter.getFinishedSpans().map(({ name, attributes, events }) => ({ name, attributes, events }))
  t.match(spans.find(({ name }) => name === 'request')?.attributes, {
    'url.path': /^\/assessment\/list$/,
    'http.route': '/assessment/list',
    'http.response.status_code': 200
  })
  t.notMatch(JSON.stringify(spans), /jane|Bearer/)
  const hooks = spans.flatMap(({ attributes }) => attributes['hook.callback.name'] ?? [])
  t.strictSame(hooks, ['openExchange', 'verifyToken', 'resolveCaller', 'answer', 'closeExchange'], 'in their order')
})

t.test('readiness', async (t) => {
  const db = await openDatabase(t, 'mysql', { pool: { connectionLimit: 1 } })
  const app = await serve(t, (app) => readiness.addReadiness(app, db))
  t.match(await ask(app, '/ready'), { status: 200, body: { status: 'ok' } })
  await db.connection().execute(async () => t.equal((await ask(app, '/ready')).status, 503))
  t.ok(await until(async () => (await ask(app, '/ready')).status === 200), 'ready again')
})

t.test('a server mounts a list of a host and extended payments', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(
    db,
    "alter table payments add column currency varchar(3) not null default 'EUR'",
    'create table certs (id integer primary key, user_id bigint, name varchar(50), level varchar(20), points decimal(8, 2), issued datetime not null)',
    "insert into certs values (1, 1, 'First aid', 'basic', 87.5, '2026-03-01 09:30:00')"
  )
  const app = await serve(t, (app) => ownLists.addLists(app, db as never, resolveRole))
  const certificate = { certificate_id: '1', email: 'ada@example.org', score: 87.5, issuedAt: '2026-03-01T09:30:00Z' }
  const { body: found } = await ask(app, '/api/certificate/list?search=aid&level=basic&issued_from=2026-03-01', admin)
  t.match(found, { total: 1, certificates: [certificate] })
  const { body: counted } = await ask(app, '/api/certificate/list?counts=level&level=expert', admin)
  t.match(counted, { total: 0, counts: { level: { basic: 1, expert: 0 } } })
  t.match((await ask(app, '/api/certificate/1', admin)).body, { certificate })
  t.equal((await ask(app, '/api/certificate/2', admin)).status, 404)
  const { body: paid } = await ask(app, '/api/payment/list?payment_method=cash&created_to=2024-01-01', admin)
  t.match(paid, { total: 1, data: [{ payment_id: '99', currency: 'EUR' }] })
  t.equal(await totalOf(app, '/api/assessment/list?search=', admin), 30)
})

t.test('the lists without HTTP', async (t) => {
  let calls: Awaited<ReturnType<typeof withoutHttp.addLists>> | undefined
  const app = await serve(t, async (app) => {
    calls = await withoutHttp.addLists(app, options)
  })
  t.equal(await totalOf(app, '/api/payment/list', admin), 31)
  t.strictSame(await calls?.newestOf(1), { total: 3, amounts: [10.5, 10.5, 10.5] })
  t.strictSame(Object.fromEntries((await calls?.countByMethod()) ?? []), { card: 30, cash: 1 })
})

t.test('a resolver of GraphQL, a procedure of tRPC or a service of NestJS', async (t) => {
  const payments = resolver.paymentsWith({
    db,
    resolveRole: ({ user }) => user && { userId: user.sub, role: user.role }
  })
  const { signal } = new AbortController()
  const logged: unknown[] = []
  const log = { error: (error: unknown) => logged.push(error) }
  const requestOf = (user: object | undefined) => ({ user, signal, log }) as unknown as FastifyRequest
  const request = requestOf({ sub: '1', role: 'Individual' })
  // graphql-js gives arguments without a prototype.
  const given = Object.assign(Object.create(null), { search: 'pi', page: null, limit: 2 })
  t.match(await payments(request, given), { total: 3, page: 1, limit: 2, items: [{ user_id: '1' }, {}] })
  for (const nothing of [{}, undefined]) t.match(await payments(request, nothing), { total: 3, limit: 12 })
  t.match(await payments(request, { processor_status: 'of no payment' }), { total: 0 })
  await t.rejects(payments(request, { limit: 0 }), {
    message: /^The query parameter 'limit' must be/,
    extensions: { code: 'BAD_REQUEST' }
  })
  await t.rejects(payments(requestOf(undefined), {}), {
    message: 'Invalid or expired token.',
    extensions: { code: 'UNAUTHORIZED' }
  })
  const broken = resolver.paymentsWith({ db: await openDatabase(t, 'sqlite'), resolveRole: () => admin })
  await t.rejects(broken(request, {}), {
    message: 'Internal server error.',
    extensions: { code: 'INTERNAL_SERVER_ERROR' }
  })
  const failing = resolver.paymentsWith({ db, resolveRole: () => Promise.reject(new Error('The accounts are away.')) })
  await t.rejects(failing(request, {}), {
    message: 'The payments cannot be read.',
    extensions: { code: 'INTERNAL_SERVER_ERROR' }
  })
  t.match(logged, [{ message: 'The accounts are away.' }], 'what is for the log alone')
  const refusing = resolver.paymentsWith({ db, resolveRole: () => admin, roles: { payments: { Admin: 'none' } } })
  await t.rejects(refusing(request, {}), { message: /\S/, extensions: { code: 'FORBIDDEN' } })
})

/** A server with a recipe for `listings`. */
async function serveListings(
  t: Test,
  add: (app: FastifyInstance, listings: Listings<typeof defaultLists>, resolve: typeof resolveRole) => unknown
) {
  const db = await openWorld(t, 'sqlite')
  const { logger, lines } = keepLog('info')
  const app = await serve(t, (app) => add(app, createListings({ db, resolveRole }), resolveRole), { logger })
  return { app, db, logged: (text: string) => lines.filter(({ msg }) => msg === text) }
}

t.test('an export as CSV', async (t) => {
  const { app, db, logged } = await serveListings(t, csvExport.addExport)
  await db.updateTable('users').set({ email: '=A1+"é",\n@b' }).where('user_id', '=', 1).execute()
  const { headers, text } = await ask(app, '/payments.csv', individual)
  t.equal(headers['content-type'], 'text/csv; charset=utf-8')
  t.equal(headers['content-disposition'], 'attachment; filename="payments.csv"')
  t.equal(
    text,
    `\uFEFFpayment_id,email,amount,quantity,payment_status,paid_at,created_at
3,"'=A1+""é"",\n@b",10.5,3,paid,2024-03-01 10:00:00,2024-02-01 12:00:00
2,"'=A1+""é"",\n@b",10.5,2,open,,2024-02-01 12:00:00
1,"'=A1+""é"",\n@b",10.5,1,paid,2024-03-01 10:00:00,2024-02-01 12:00:00\n`
  )
  const { text: found } = await ask(app, '/payments.csv?search=pi_guest', admin)
  t.equal(found.split('\n')[1], '99,,1,1,open,,2023-01-01 00:00:00')
  t.equal(logged('Exported all payments.').length, 2)
  t.equal((await ask(app, '/payments.csv')).status, 401)
  await db.schema.dropTable('payments').execute()
  const failed = await ask(app, '/payments.csv', admin)
  t.match(failed, { status: 500, text: /"message":"Internal server error."/ })
  t.match(logged('The export ended early.'), [{ err: { type: 'ListingError', reason: /database/ } }])
})

t.test('an export for an Excel that expects a semicolon and a decimal comma', async (t) => {
  const comma = { delimiter: ';', cast: { number: (value: number) => String(value).replace('.', ',') } }
  const { app } = await serveListings(t, (app, listings, resolve) => csvExport.addExport(app, listings, resolve, comma))
  const { text } = await ask(app, '/payments.csv', individual)
  t.match(text, /^3;ada@example\.org;10,5;3;paid;/m)
})

t.test('a client that leaves in the middle ends an export', async (t) => {
  let isEnded = false
  async function* each() {
    try {
      while (true) yield { payment_id: await sleep(1, 'one') }
    } finally {
      isEnded = true
    }
  }
  const { app, logged } = await serveListings(t, (app) =>
    csvExport.addExport(app, { each: each as never }, resolveRole)
  )
  const socket = await send((await listen(app)).port, '/payments.csv')
  await once(socket, 'data')
  socket.destroy()
  t.ok(await until(() => isEnded))
  t.equal(logged('The export ended early.').length, 1)
})

t.test('a page as HTML', async (t) => {
  const { app, db } = await serveListings(t, (app, listings) => {
    const find: Parameters<typeof htmlPage.addPage>[1]['find'] = (name, call) => {
      t.ok(call.signal, 'the statement ends if the client leaves')
      return listings.find(name, call)
    }
    return htmlPage.addPage(app, { find }, resolveRole)
  })
  await db.updateTable('users').set({ email: '<script>"&' }).where('user_id', '=', 1).execute()
  const { text, headers } = await ask(app, '/payments?limit=2', individual)
  t.equal(headers['content-type'], 'text/html; charset=utf-8')
  t.match(text, '<td>2024-02-01 12:00:00</td><td>&lt;script&gt;&quot;&amp;</td><td>10.5</td>')
  t.match(text, /<p>3 payments<\/p>[\s\S]*<a href="\?search=&amp;page=2">Older<\/a>/)
  t.notMatch(text, 'Newer')
  const { text: found } = await ask(app, `/payments?search=${encodeURIComponent('"><b>')}`, individual)
  t.match(found, /<input name="search" value="&quot;&gt;&lt;b&gt;"[\s\S]*<p>0 payments<\/p>/)
  t.equal((await ask(app, '/payments')).status, 401)
})

t.test('an OpenAPI document whose schemas keep their names', async (t) => {
  const app = await serve(t, async (app) => {
    await openapi.describe(app)
    app.get('/', { schema: { response: { 200: { allOf: [{ $id: 'Named', type: 'null' }] } } } }, () => null)
  })
  t.match((await app.inject('/docs')).body, /swagger-ui/)
  t.match(app.swagger(), {
    components: { schemas: { Named: {} }, securitySchemes: { bearerAuth: {} } },
    security: [{ bearerAuth: [] }]
  })
})

t.test('a pool of pg gives up what a network has swallowed, and listens to its clients', async (t) => {
  // The proxy of test/reliability/faults.ts tries the pool on a network.
  const errors: Error[] = []
  const pool = pgPool.openPool(await postgresPool(t), (error) => errors.push(error))
  t.equal(pool.options.connectionTimeoutMillis, 500)
  const client = await pool.connect()
  const { stream } = client.connection as unknown as { stream: Socket }
  t.equal(stream.timeout, 15_000)
  stream.destroy(new Error('broken at work'))
  t.ok(await until(() => errors.length > 0))
  t.match(errors[0], { message: 'broken at work' })
  client.release()
  await pool.end()
})

for (const how of ['the class of the pool', 'controlClient'] as const) {
  t.test(`the process lives if Kysely stops a statement on a connection that breaks (${how})`, async (t) => {
    const config = await postgresPool(t)
    const url = new URL(String(config.connectionString))
    const network = await startProxy(t, { host: url.hostname, port: Number(url.port) })
    url.host = `127.0.0.1:${network.port}`
    const errors: Error[] = []
    const log = (error: Error) => void errors.push(error)
    let isLeaving = false
    class Client extends pgPool.listeningClient(log) {
      constructor(config?: pg.ClientConfig) {
        super(config)
        this.on('connect', () => isLeaving && void network.set('reset'))
      }
    }
    const isControl = how === 'controlClient'
    const behind = { ...config, connectionString: url.href, ...(!isControl && { Client }) }
    const control = isControl && { controlClient: Client as never }
    const db = opened(t, new PostgresDialect({ pool: pgPool.openPool(behind, log), ...control }))
    await world.fill(db)
    const { get, port } = await listening(t, { db, timeout: 20_000, tables: slowPayments(db) })
    const client = await send(port, '/payment/list?search=pi_guest')
    t.ok(await until(async () => (await slowStatements(db)) > 0), 'the statement runs')
    isLeaving = true
    client.destroy()
    t.ok(await until(() => errors.length > 0), 'the connection breaks')
    isLeaving = false
    await network.set('none')
    const answers = async () => (await get('/assessment/list?search=', admin)).status === 200
    t.ok(await until(answers), 'the server answers')
  })
}

onDatabases(t, 'records of deleted people are hidden, and those of guests stay', async (t, name) => {
  const db = await openWorld(t, name)
  await execute(db, `alter table users add deleted_at ${name === 'postgres' ? 'timestamp' : 'datetime'}`)
  await execute(db, "update users set deleted_at = '2024-05-01' where user_id = 2")
  const tables = deletedPeople.tablesOf(db as never)
  t.strictSame(await findings(db, tables), [])
  const app = await serve(t, (app) => app.register(listing, { db, resolveRole, tables }))
  const { body } = await ask(app, '/payment/list?limit=100', admin)
  t.equal(body.total, world.payments.length - 3)
  const owners = new Set(body.data?.map(({ user_id }) => user_id))
  t.ok(owners.has('') && owners.has('1') && !owners.has('2'), [...owners].join())
  const { assessments } = (await ask(app, '/assessment/list?search=&limit=100', admin)).body
  const people = new Set(assessments?.map(({ user_id }) => user_id))
  t.ok(people.has('1') && !people.has('2'), [...people].join())
  t.ok(world.assessments.some(({ user_id }) => String(user_id) === '2'))
})

onDatabases(t, 'payments that are overdue', async (t, name) => {
  const db = await openWorld(t, name)
  await execute(db, `alter table payments add due_at ${name === 'postgres' ? 'timestamp' : 'datetime'}`)
  const [past, future] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19))
  const due = (date = '') => `update payments set due_at = '${date.replace('T', ' ')}', paid_at = null where payment_id`
  await execute(db, `${due(past)} in (4, 5)`, `${due(future)} in (6, 7)`)
  const app = await serve(t, (app) => overdue.addLists(app, db as never, resolveRole))
  const { body } = await ask(app, '/payment/list?overdue=true', admin)
  t.strictSame(body.data?.map(({ payment_id }) => payment_id).toSorted(), ['4', '5'])
  t.ok(body.data?.every(({ overdue }) => overdue === true))
  t.equal(await totalOf(app, '/payment/list?overdue=false&search=jane', admin), 3, 'what has no due date')
})

t.test('a search box asks once for what is typed fast, and shows the latest answer only', async (t) => {
  const asked: string[] = []
  const gate = new EventEmitter()
  const app = await serve(t, async (app) => {
    app.addHook('onRequest', async ({ query }) => void asked.push(Object(query).search))
    app.addHook('onSend', async ({ query }) => {
      if (Object(query).search === 'a') await once(gate, 'open')
    })
    await app.register(listing, { db, resolveRole })
  })
  const { address } = await listen(app)
  const shown: number[] = []
  const type = searchBox.searchBox(
    address,
    () => tokenOf(admin),
    ({ total }) => shown.push(total)
  )
  type('a')
  await until(() => asked.length === 1)
  for (const text of ['j', 'ja', 'jane']) type(text)
  t.ok(await until(() => shown.length > 0))
  gate.emit('open')
  await sleep(100)
  t.strictSame(asked, ['a', 'jane'])
  t.strictSame(shown, [3])
})

t.test('the steps of requests are metrics', async (t) => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 60_000 })
  const provider = new MeterProvider({ readers: [reader] })
  otelMetrics.setGlobalMeterProvider(provider)
  t.teardown(() => provider.shutdown())
  metrics.measureSteps()
  const app = await serve(t, (app) => app.register(listing, { db, resolveRole }))
  t.equal(await totalOf(app, '/payment/list?search=jane', admin), 3)
  await provider.forceFlush()
  const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
  t.match(all, [{ descriptor: { name: 'lists.step.duration', unit: 'ms' } }])
  const steps = all.flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes))
  t.ok(steps.some(({ step }) => step === 'page'))
  for (const step of steps) t.match(step, { list: 'payments', reach: 'all', failed: false })
  t.notMatch(JSON.stringify(steps), /jane/)
})

t.test(
  'at a signal a server answers the running requests and ends, although a connection sends nothing',
  { timeout: 30_000 },
  async (t) => {
    const script = `
    import { connect } from 'node:net'
    import { buildServer } from './examples/dist/recipes/build-server.js'
    import { closeOnSignals } from './examples/dist/recipes/shutdown.js'
    const app = await buildServer()
    closeOnSignals(app, { destroy: async () => console.log('The pool is closed.') }, 1000)
    app.get('/slow', () => {
      process.kill(process.pid, 'SIGTERM')
      return new Promise((resolve) => setTimeout(resolve, 300, 'done'))
    })
    app.addHook('onResponse', async (request, reply) => console.log('The answer is sent:', reply.statusCode))
    const address = await app.listen({ port: 0 })
    connect(app.server.address().port, '127.0.0.1').on('error', () => {})
    fetch(address + '/slow').then((answer) => answer.text())`
    const { ended, output } = run(t, ['--input-type=module', '--eval', script])
    t.equal(await ended, 0, output())
    t.match(output(), /^The answer is sent: 200\nThe pool is closed\.$/m)
  }
)

t.test('tenants whose databases an async function finds, each with its own roles', async (t) => {
  const tenantDbs = { one: await openWorld(t, 'sqlite'), other: await openTables(t, 'sqlite') }
  for (const [tenant, db] of Object.entries(tenantDbs)) {
    const id = tenant === 'one' ? 20 : 21
    await execute(db, 'create table members (id integer primary key, role text)')
    await execute(db, `insert into members values (${id}, 'Admin')`)
  }
  const app = await serve(t, (app) =>
    tenants.addLists(app, async (tenant) => tenantDbs[tenant as keyof typeof tenantDbs] as never)
  )
  const totalFor = ([tenant, sub]: (string | undefined)[]) =>
    totalOf(app, '/payment/list', { headers: { authorization: `Bearer ${app.jwt.sign({ sub, tenant } as never)}` } })
  const callers = ['one 20', 'other 21', 'one 21', 'other 20', 'one 20'].map((caller) => caller.split(' '))
  t.strictSame(await Promise.all(callers.map(totalFor)), [31, 0, 401, 401, 31])
  t.equal(await totalOf(app, '/payment/list'), 401)
  t.equal(await totalFor([undefined, '20']), 401, 'a token without a tenant')
})

t.test('row-level security shows each tenant its own rows on one pool', async (t) => {
  const pool = await postgresPool(t)
  const db = openPostgres(t, pool)
  await world.fill(db)
  await execute(db, 'alter table payments add tenant int', 'update payments set tenant = payment_id % 3')
  const reader = await readerUnder(t, db, "tenant = current_setting('app.tenant')::int")

  for (const settings of ['', ' -c timezone=UTC -c statement_timeout=10s -c listing.transactions=off']) {
    const shared = new pg.Pool({ ...pool, max: 2, options: `-c role=${reader}${settings}` })
    t.teardown(() => shared.end())
    const options = { authenticate: async () => undefined, resolveRole: () => admin }
    const app = await serve(t, (app) =>
      rowLevelSecurity.addLists(app, { pool: shared }, ({ headers }) => String(headers['x-tenant']), options)
    )
    // Many requests at a time share two connections.
    const asked = Array.from({ length: 30 }, async (_, number) => {
      const headers = { 'x-tenant': String(number % 3) }
      const { body } = await ask(app, '/payment/list?limit=100', { headers })
      const own = world.payments.filter(({ payment_id }) => payment_id % 3 === number % 3)
      const ids = body.data?.map(({ payment_id }) => payment_id).toSorted()
      t.strictSame(ids, own.map(({ payment_id }) => String(payment_id)).toSorted())
      t.equal(body.total, own.length)
    })
    await Promise.all(asked)
  }
})

t.test('a client of pg prepares each statement once', async (t) => {
  const pool = new pg.Pool({ ...(await postgresPool(t)), max: 1, Client: PreparingClient })
  const db = opened(t, new PostgresDialect({ pool }))
  await world.fill(db)
  const app = await serve(t, (app) => app.register(listing, { db, resolveRole, checkOnReady: 'off' }))
  for (const limit of [1, 2, 3])
    t.equal((await ask(app, `/payment/list?limit=${limit}`, admin)).body.data?.length, limit)
  const { rows } = await pool.query(
    "select generic_plans + custom_plans as uses from pg_prepared_statements where statement like '%page size%'"
  )
  t.strictSame(rows, [{ uses: '3' }])
})

onDatabases(t, 'tenants in one schema, told apart by a column, however their requests mix', async (t, name) => {
  const db = await openWorld(t, name)
  await execute(
    db,
    'alter table payments add tenant_id int',
    'update payments set tenant_id = payment_id % 2',
    'create table members (id int primary key, role varchar(20), tenant_id int)',
    "insert into members values (1, 'Individual', 0), (20, 'Admin', 0), (21, 'Admin', 1), (22, 'Admin', null)"
  )
  const app = await serve(t, (app) => tenantColumn.addLists(app, db as never))
  const get = (query: string, userId: number) => ask(app, `/payment/list?${query}`, { userId, role: 'any' })
  const asked = Array.from({ length: 30 }, async (_, number) => {
    const tenant = number % 2
    const ofTenant = world.payments.filter(({ payment_id }) => payment_id % 2 === tenant)
    const { body } = await get('limit=100', 20 + tenant)
    const ids = (records: readonly { payment_id?: unknown }[] = []) =>
      new Set(records.map((of) => String(of.payment_id)))
    t.strictSame(ids(body.data), ids(ofTenant))
    t.equal(body.total, ofTenant.length)
    const ofBen = ofTenant.filter(({ user_id }) => user_id === 2).length
    t.match((await get('limit=1&search=ben_100', 20 + tenant)).body, { total: ofBen })
  })
  await Promise.all(asked)
  const own = world.payments.filter(({ payment_id, user_id }) => payment_id % 2 === 0 && user_id === 1)
  t.match((await get('', 1)).body, { total: own.length })
  t.equal((await get('', 22)).status, 500, 'no tenant is never every tenant')
})

t.test('the lists share a pool with another library, and see what it has committed', async (t) => {
  const pool = createPool(await mysqlPool(t, { connectionLimit: 2 }))
  await world.fill(opened(t, new MysqlDialect({ pool })))
  const findMember = async (id: number) => {
    const [rows] = await pool.promise().query('select user_id as id from users where user_id = ?', [id])
    const [member] = rows as { id: number }[]
    return member ? { ...member, role: 'Admin' } : null
  }
  const app = await serve(t, (app) => sharedPool.addLists(app, pool, findMember))
  const total = () => totalOf(app, '/payment/list', admin)
  const connection = await pool.promise().getConnection()
  await connection.beginTransaction()
  await connection.query('delete from payments where payment_id = 99')
  t.strictSame(await Promise.all(Array.from({ length: 10 }, total)), Array(10).fill(31))
  await connection.commit()
  connection.release()
  t.equal(await total(), 30)
  t.equal(await totalOf(app, '/payment/list', { userId: 777, role: '' }), 401)
})

onDatabases(t, 'the printed SQL creates the default tables', async (t, name) => {
  const db = await openDatabase(t, name)
  const printed = run(t, ['examples/recipes/tables-sql.mjs', name])
  t.equal(await printed.ended, 0, printed.output())
  await execute(db, ...printed.output().split(/;\n/).filter(Boolean))
  t.strictSame(await findings(db), [])
})

t.test('one record by its id is there for those who see it, and missing for the others', async (t) => {
  const app = await serve(t, (app) => oneRecord.addPayments(app, options))
  t.match(await ask(app, '/payment/3', individual), {
    status: 200,
    body: { payment: { payment_id: '3', email: 'ada@example.org' } }
  })
  t.equal((await ask(app, '/payment/99', individual)).status, 404)
  t.equal((await ask(app, '/payment/99', admin)).status, 200)
  t.equal((await ask(app, '/payment/98', admin)).status, 404)
  t.equal((await ask(app, '/payment/', admin)).status, 404, 'no id, which would filter nothing')
  t.equal((await ask(app, '/payment/list', admin)).status, 200)
  t.equal((await ask(app, '/payment/3')).status, 401)
})

t.test('TanStack Query pages, scrolls without end, counts for a badge, and asks again after a 503 alone', async (t) => {
  const db = await openLessons(t, 'sqlite')
  let failing: number[] = []
  const asked: string[] = []
  const app = await serve(t, async (app) => {
    app.addHook('onRequest', async ({ url }) => {
      asked.push(url)
      const statusCode = failing.shift()
      if (statusCode) throw Object.assign(new Error('down'), { statusCode })
    })
    const given = { db, resolveRole, tables: lessonTables(db, 'sqlite') }
    await app.register(listing, { ...given, lists: [lessons] })
    const openapi = { operationId: 'feedLessons' }
    await app.register(listing, {
      ...given,
      lists: [lessons.extend({ path: '/lesson/feed', openapi, paging: 'after' })]
    })
  })
  const { address } = await listen(app)
  const { page, scroll, count } = tanstackQuery.queriesOf(address, () => tokenOf(admin))
  const client = new QueryClient()
  t.teardown(() => client.clear())

  failing = [503]
  const several = page('/lesson/list', { state: ['booked', 'moved'], page: 2, limit: 5, search: undefined })
  t.match(await client.fetchQuery(several), { page: 2, total: 32, data: { length: 5 } })
  t.strictSame(asked, Array(2).fill('/lesson/list?state=booked&state=moved&page=2&limit=5'))

  const endless = new InfiniteQueryObserver(client, scroll('/lesson/list', { limit: 20 }))
  t.teardown(endless.subscribe(() => undefined))
  while ((await endless.fetchNextPage()).hasNextPage);
  t.strictSame(endless.getCurrentResult().data?.pageParams, [{}, { page: 2 }, { page: 3 }])

  const feed = new InfiniteQueryObserver(client, scroll('/lesson/feed', { limit: 20 }))
  t.teardown(feed.subscribe(() => undefined))
  while ((await feed.fetchNextPage()).hasNextPage);
  const idsOf = (pages: readonly unknown[] = []) => pages.flatMap((each) => (each as { data: unknown[] }).data)
  t.strictSame(idsOf(feed.getCurrentResult().data?.pages), idsOf(endless.getCurrentResult().data?.pages))
  t.match(feed.getCurrentResult().data?.pageParams, [{}, { after: String }, { after: String }])

  t.equal(await client.fetchQuery(count('/lesson/list', { state: 'done' })), 16)
  failing = [500, 500]
  await t.rejects(client.fetchQuery(count('/lesson/list', {})), { name: 'Error', status: 500 })
  t.strictSame(failing, [500])
})

t.test('a serverless function makes one server, which runs no statement before the first request', async (t) => {
  const statements: unknown[] = []
  const sent: unknown[] = []
  const db = await openWorld(t, 'sqlite', { onQuery: (query) => statements.push(query) })
  let [built, failed] = [0, false]
  const handler = serverless.handlerOf(async () => {
    built++
    if (!failed) {
      failed = true
      throw new Error('no secret')
    }
    const before = statements.length
    const app = await serve(t, (app) => {
      app.addHook('onRequest', async ({ headers }) => void sent.push(headers.cookie))
      return app.register(listing, { db, resolveRole, checkOnReady: 'off' })
    })
    t.equal(statements.length, before)
    return app
  })
  const event = { rawPath: '/payment/list', rawQueryString: 'limit=2', headers: { ...headersOf(admin) } }
  await t.rejects(handler(event), /no secret/)
  for (const [time, cookies] of [['cold'], ['warm', ['a=1', 'b=2']]] as const) {
    const { statusCode, body } = await handler({ ...event, ...(cookies && { cookies: [...cookies] }) })
    t.match([statusCode, JSON.parse(body)], [200, { total: 31, data: { length: 2 } }], time)
  }
  t.equal(built, 2)
  t.strictSame(sent, [undefined, 'a=1; b=2'])
})

t.test('who has seen which records is kept, and without it nobody sees any', async (t) => {
  const kept: unknown[] = []
  const app = await serve(t, (app) =>
    whoSawWhat.addLists(app, options, async (entry) => {
      if (kept.length > 1) throw new Error('the disk is full')
      kept.push(entry)
    })
  )
  t.equal(await totalOf(app, '/payment/list', individual), 3)
  t.equal(await totalOf(app, '/assessment/list?search=&limit=1', individual), 3)
  t.equal((await ask(app, '/payment/list?x=1', individual)).status, 400)
  t.equal((await ask(app, '/payment/list')).status, 401)
  t.strictSame(kept, [
    { userId: '1', roles: ['Individual'], list: '/payment/list', ids: ['3', '2', '1'] },
    { userId: '1', roles: ['Individual'], list: '/assessment/list', ids: ['3'] }
  ])
  t.match(await ask(app, '/payment/list', individual), { status: 500, body: { error: 'Internal server error.' } })
})

t.test('the log of who saw what has one record, too, and no record without an entry', async (t) => {
  const kept: unknown[] = []
  const messages = { found: 'Found.', notFound: 'Lost.' }
  const statusOf = async (list: List, path: string) => {
    const app = await serve(t, (app) =>
      whoSawWhat.addLists(app, { ...options, lists: [list] }, async ({ ids }) => kept.push(ids))
    )
    return (await ask(app, path, individual)).status
  }
  const withRecord = (key: string) => payments.extend({ record: { path: '/payment/:payment_id', key, messages } })
  t.equal(await statusOf(withRecord('payment'), '/payment/2'), 200)
  t.strictSame(kept, [['2']])
  t.equal(await statusOf(withRecord('bill'), '/payment/2'), 500)
  // A list with the property of another one, and another id.
  t.equal(await statusOf(assessments.extend({ key: 'data' }), '/assessment/list?search='), 500)
  t.strictSame(kept, [['2']])
})

t.test('a request meets the hooks in the order of docs/hooks.svg', async (t) => {
  const order: string[] = []
  const db = await openWorld(t, 'sqlite', { onQuery: () => order.push('the database') })
  const app = await serve(t, async (app) => {
    for (const hook of ['onRequest', 'preParsing', 'onSend', 'onResponse'] as const) {
      app.addHook(hook as 'onRequest', async () => void order.push(`your ${hook}`))
    }
    const authenticate = async () => void order.push('authenticate')
    const resolve = async () => {
      order.push('resolveRole')
      return admin
    }
    await app.register(listing, { db, authenticate, resolveRole: resolve })
  })
  order.length = 0
  await ask(app, '/payment/list')
  const picture = readFileSync('docs/hooks.svg', 'utf8').matchAll(/class="name".*?>([\w ]+)/g)
  const drawn = [...picture].map(([, name = '']) => name).filter((name) => name !== 'the query')
  t.strictSame([...new Set(order)], drawn)
})

t.test('the language of a message follows the request', async (t) => {
  const texts = { en: {}, de: { unauthorized: 'Das Token ist ungültig.' } }
  const app = await serve(t, (app) => languages.addLists(app, options, texts))
  const said = async (language?: string) =>
    (await ask(app, '/payment/list', { headers: { ...(language && { 'accept-language': language }) } })).body.error
  t.equal(await said('de-CH,de;q=0.9,en;q=0.8'), texts.de.unauthorized)
  for (const other of [undefined, 'en', 'fr', '*']) t.equal(await said(other), defaultMessages.unauthorized)
})

onServers(t, 'the first list fills an empty database, and runs again', async (t, name) => {
  const DATABASE_URL = name === 'mysql' ? (await mysqlUrl(t)).url : String((await postgresPool(t)).connectionString)
  for (const time of ['the first time', 'the second time']) {
    const { answer, stop, ended, output } = await firstList(t, { DATABASE_URL })
    t.match(answer, { total: 1, assessments: [{ first_name: 'Zoë', org_names: ['Acme'] }] }, time)
    stop()
    t.equal(await ended, 0, output())
  }
})

t.test('the server of the README runs on MySQL, and its migrations run before', async (t) => {
  const { url: DATABASE_URL, db } = await mysqlUrl(t)
  const migrate = run(t, [write(t, 'migrate.mjs', transpiled(recipe('migrate')))], { DATABASE_URL })
  t.equal(await migrate.ended, 0, migrate.output())
  t.match(migrate.output(), /Success$/m)
  await execute(
    db,
    'create table members (id bigint primary key, role varchar(30))',
    "insert into members values (20, 'Admin')"
  )
  const server = run(t, [write(t, 'server.mjs', transpiled(recipe('server')))], { DATABASE_URL, JWT_SECRET: secret })
  const address = () => /Server listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(server.output())?.[1]
  t.ok(await until(address, 60_000), server.output())
  const exp = Math.floor(Date.now() / 1000) + 60
  const ask = (payload: object) =>
    fetch(`${address()}/payment/list`, { headers: { authorization: `Bearer ${token(payload)}` } })
  t.match(await (await ask({ sub: '20', exp })).json(), { status: 'success', total: 0, data: [] })
  t.equal((await ask({ sub: '21', exp })).status, 401)
  t.equal((await ask({ sub: '20' })).status, 401, 'a token without an end')
  t.match(server.output(), /"msg":"incoming request"/)
})

t.test('a look shows the totals of each role, the newest records, and the values behind computed fields', async (t) => {
  const { url: DATABASE_URL, db } = await mysqlUrl(t)
  await world.fill(db)
  await execute(db, 'alter table payments add cents integer', 'update payments set cents = quantity')
  const { ended, output } = run(t, ['examples/dist/recipes/look.js'], { DATABASE_URL })
  t.equal(await ended, 0, output())
  const totals = output().match(/^\w+ as .*(?= in total$)/gm)
  t.strictSame(totals, [
    'assessments as Individual: 3',
    'assessments as Practitioner: 9',
    'assessments as Individual and Practitioner: 9',
    'assessments as Admin: 30',
    'payments as Individual: 3',
    'payments as Practitioner: 3',
    'payments as Individual and Practitioner: 3',
    'payments as Admin: 31'
  ])
  t.match(output(), /│ 0 +│ '30' .*'2024-03-01T09:30:00Z'.*'2024-03-01 09:30:00'/)
  t.match(output(), /│ stored date_assignment │/)
  const admins = output().slice(output().indexOf('payments as Admin'))
  const ids = [...admins.matchAll(/^│ \d+ +│ '(\d+)' /gm)].map(([, id]) => Number(id))
  t.strictSame(ids, [30, 29, 28, 27, 26, 25, 24, 23, 22, 21], 'the newest record comes first')
  t.match(admins, /^│ .* stored cents │/m, 'a stored value that equals another field')
  t.notMatch(admins, /stored quantity/, 'a value that its own field shows')
})

t.test('the conformance checks run in the test runner of Node.js, and pass or say why not', async (t) => {
  const { ended, output } = run(t, ['examples/dist/recipes/lists.test.js'])
  t.equal(await ended, 0, output())
  t.match(output(), /^# pass \d\d$/m)
  t.match(output(), /payments: a role without reach is refused # SKIP No caller's 'reach\.payments' is 'none'\.$/m)
  t.match(output(), /^# skipped 2$/m)
})

t.test('a test of resolveRole runs without a server', async (t) => {
  const { ended, output } = run(t, ['examples/dist/recipes/resolve-role.test.js'])
  t.equal(await ended, 0, output())
  t.match(output(), /^# pass 1$/m)
})

t.test('every recipe is tested', async (t) => {
  const files = ['test/examples/recipes.test.ts', 'test/docs/blocks.test.ts', 'test/support/running/documents.ts']
  const test = files.map((file) => readFileSync(file, 'utf8')).join()
  // The compiler checks tables.ts and missing-tables.ts, lists.test.ts runs build-server.ts, and own-lists.ts uses certificates.ts.
  const names = readdirSync('examples/recipes').map((name) => name.replace(/\.m?ts$/, ''))
  for (const name of names.filter(
    (name) => !['tables', 'missing-tables', 'build-server', 'certificates'].includes(name)
  )) {
    t.match(test, new RegExp(`recipes/${name}\\b|recipe\\('${name}'`), name)
  }
})
