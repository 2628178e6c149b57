import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions
} from 'fastify'
import t, { type Test } from 'tap'
import { exchangeOf } from '../../src/http/exchange.js'
import { pairsOf } from '../../src/http/route.js'
import listing, { column, defineList, type List, payments } from '../../src/index.js'
import { goods as listOfGoods } from '../support/fixtures/goods.js'
import { admin, fill } from '../support/fixtures/world.js'
import { ask, hostWith, serve } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'
import { execute } from '../support/oracle/check.js'
import { until } from '../support/running/until.js'
import { openDatabase, postgresPool } from '../support/servers/databases.js'
import { openPostgres } from '../support/servers/pools.js'
import { startProxy } from '../support/servers/proxy.js'
import { openWorld } from '../support/servers/tables.js'

t.test('an invalid parameter is a 400 that says what is allowed, and sends no statement', async (t) => {
  const statements: unknown[] = []
  const db = await openWorld(t, 'sqlite', { onQuery: (query) => statements.push(query) })
  const { get } = await serve(t, { db, unknownParameters: ['utm_source'] })
  statements.length = 0
  for (const [query, error] of [
    ['limit=101', "The query parameter 'limit' must be a whole number from 1 to 100, in plain digits."],
    ['utm=mail', "The query parameter 'utm' is unknown. Allowed: search, processor_status, page, limit, utm_source."]
  ]) {
    const { body, headers } = await get(`/payment/list?${query}`, admin)
    t.strictSame(body, { status: 400, error })
    t.equal(headers['cache-control'], 'private, no-store')
  }
  t.strictSame(statements, [])
  t.equal((await get('/payment/list?utm_source=mail', admin)).status, 200)
})

t.test('a request without a caller reads nothing', async (t) => {
  const db = () => t.fail('the database is not asked') as never
  // A hook that takes the caller away stands for a hook of the plugin that did not run.
  const app = await hostWith(t, { db, resolveRole: () => admin }, (app) => {
    app.addHook('onRoute', (route) => {
      const forget = async (_request: FastifyRequest, reply: FastifyReply) => {
        delete exchangeOf(reply)?.caller
      }
      route.onRequest = [forget, ...[route.onRequest ?? []].flat()]
    })
  })
  t.match(await ask(app, '/payment/list'), { status: 500, body: { error: 'Internal server error.' } })
})

/** The lists on PostgreSQL behind a network, with a pool of one connection. */
async function behindNetwork(t: Test) {
  const { connectionString } = await postgresPool(t)
  const url = new URL(String(connectionString))
  await fill(openPostgres(t, { connectionString }))
  const network = await startProxy(t, { host: url.hostname, port: Number(url.port) })
  url.host = `127.0.0.1:${network.port}`
  const statements: string[] = []
  let after: (statement: string) => unknown = () => undefined
  const db = openPostgres(t, { connectionString: url.href, max: 1 }, ({ query }) => {
    statements.push(query.sql)
    after(query.sql)
  })
  const server = await serve(t, { db }, { log: 'warn' })
  const onStatement = (run: typeof after) => {
    after = run
  }
  return { ...server, db, network, statements, onStatement }
}

t.test(
  'a transaction that fails after its answer is told once, and changes neither this answer nor the next',
  async (t) => {
    const { get, lines, network, onStatement } = await behindNetwork(t)
    t.equal((await get('/payment/list', admin)).body.total, 31)
    onStatement((statement) => void (statement.includes('count(') && network.set('reset')))
    const { status, body } = await get('/payment/list', admin)
    t.match({ status, body }, { status: 200, body: { total: 31 } })
    t.ok(await until(() => lines.length > 0))
    onStatement(() => undefined)
    await network.set('none')
    t.equal((await get('/payment/list', admin)).body.total, 31, 'on another connection')
    const told = { level: 40, list: 'payments', msg: 'The transaction failed after its answer.' }
    t.match(lines, [told])
    t.equal(lines.length, 1)
  }
)

t.test('a server and a database that are closed right after an answer end, although the commit is slow', async (t) => {
  const { app, db, get, lines, network, statements } = await behindNetwork(t)
  await network.set('slow')
  for (const page of [1, 2]) {
    t.equal((await get(`/payment/list?limit=2&page=${page}`, admin)).body.total, 31, `page ${page} on one connection`)
  }
  t.not(statements.at(-1), 'commit', 'the commit is on its way')
  await app.close()
  await db.destroy()
  t.equal(statements.at(-1), 'commit')
  t.strictSame(lines, [])
})

t.test('a path that is taken says what to change, and both ways lead to a boot', async (t) => {
  const options = { db: await openWorld(t, 'sqlite'), authenticate: async () => undefined, resolveRole: () => admin }
  const bootOf = async (
    before: (app: FastifyInstance) => unknown,
    prefix = '',
    lists: readonly List[] = [payments]
  ) => {
    const app = Fastify()
    t.teardown(() => app.close())
    await before(app)
    await app.register(listing, { ...options, prefix, lists, checkOnReady: 'off' })
    await app.ready()
    return app
  }
  const first =
    (prefix = '') =>
    (app: FastifyInstance) =>
      app.register(listing, { ...options, prefix, checkOnReady: 'off' })
  const own = (url: string) => (app: FastifyInstance) => app.get(url, () => 'own')
  const taken = (path: string) => ({
    name: 'TypeError',
    code: 'FST_LISTING_INVALID_OPTION',
    message:
      `List 'payments': the server has a route '${path}' already. Register the lists under another 'prefix', or mount ` +
      "the list under another path: payments.extend({ path: '/…' })."
  })
  await t.rejects(bootOf(first()), taken('/payment/list'))
  await t.rejects(bootOf(first('/api'), '/api'), taken('/api/payment/list'))
  await t.rejects(bootOf(own('/payment/list')), taken('/payment/list'), 'a route of the host')
  const other = [payments.extend({ path: '/v2/payment/list', openapi: { operationId: 'listPayments2' } })]
  for (const app of [await bootOf(first(), '/v2'), await bootOf(first(), '', other)]) {
    for (const path of ['/payment/list', '/v2/payment/list'])
      t.match(await ask(app, path), { body: { total: 31 } }, path)
  }
  const record = { path: '/payment/:id', key: 'payment', messages: { found: 'Found.', notFound: 'No.' } } as const
  const one = payments.extend({ record })
  const version = one.extend({ path: '/v2/payment/list', openapi: { operationId: 'listPayments2' } })
  const mounted = (app: FastifyInstance) =>
    app.register(listing, { ...options, lists: [one] as readonly List[], checkOnReady: 'off' })
  await t.rejects(bootOf(mounted, '', [version]), {
    message:
      "List 'payments': the server has a route '/payment/:id' already. Register the lists under another 'prefix', or " +
      "mount the record under another path: payments.extend({ record: { path: '/…', … } })."
  })
  await t.rejects(bootOf(mounted, '', [one]), taken('/payment/list'), 'the list comes first')
  const moved = version.extend({ record: { ...record, path: '/v2/payment/:id' } })
  t.match(await ask(await bootOf(mounted, '', [moved]), '/v2/payment/none'), { status: 404 })
  // Another method, and a pattern that the path only matches.
  await bootOf((app) => app.post('/payment/list', () => 'own').get('/payment/:id', () => 'own'))
})

t.test('a semicolon is part of an id, unless it ends the path on this server', async (t) => {
  const goods = defineList({
    ...listOfGoods,
    fields: { id: column.id({ examples: ['1'] }) },
    columns: { owner: column.id(), added_at: column.wallTime({ whenNull: 'error' }) },
    record: { path: '/goods/:id', key: 'one', messages: { found: 'Found.', notFound: 'No such thing.' } }
  })
  const db = await openDatabase(t, 'sqlite')
  await execute(
    db,
    'create table goods (id varchar(9) primary key, owner bigint, added_at datetime)',
    "insert into goods values ('a', 1, '2026-03-01 09:30:00'), ('a;b', 1, '2026-03-01 09:30:00')"
  )
  const asked = async (server: FastifyServerOptions, urls: readonly string[]) => {
    const { get } = await serve(t, { db, lists: [goods] as never }, { server })
    return Promise.all(urls.map(async (url) => (await get(url, admin)).text))
  }
  const found = (id: string) => `{"status":"success","message":"Found.","one":{"id":"${id}"}}`
  const none = '{"status":404,"error":"No such thing."}'
  const unknown = (name: string) => `{"status":400,"error":"The query parameter '${name}' is unknown. Allowed: none."}`
  const urls = ['/goods/a;b', '/goods/a%3Bb', '/goods/a;c', '/goods/a;b?c=d', '/goods/a;']
  t.strictSame(await asked({}, urls), [found('a;b'), found('a;b'), none, unknown('c'), none])
  const cut = [unknown('b'), found('a;b'), unknown('c'), unknown('b?c'), found('a')]
  t.strictSame(await asked({ routerOptions: { useSemicolonDelimiter: true } as object }, urls), cut)
  t.strictSame(await asked({ useSemicolonDelimiter: true }, urls), cut, 'as Fastify had the option before')
})

t.test('a term that the list makes too long is a 400, whose sentence is true for the client', async (t) => {
  const columns = { columns: ['title'], examples: ['x'] } as const
  const fold = { ...columns, term: (term: string) => term.normalize('NFKC') }
  const goods = defineList({
    ...listOfGoods,
    fields: { id: column.id({ examples: ['1'] }), title: column.text({ examples: ['x'] }) },
    columns: { owner: column.id(), added_at: column.wallTime({ whenNull: 'error' }) },
    search: fold
  })
  const db = await openDatabase(t, 'sqlite')
  await execute(db, 'create table goods (id integer primary key, owner bigint, title text, added_at datetime)')
  const options = { db, resolveRole: () => admin, lists: [goods] }
  const messages = { termTooLong: '„{name}“ ist zu lang.', parameterTooLong: '„{name}“ hat über {maximum} Zeichen.' }
  const [english, german] = [await hostWith(t, options as never), await hostWith(t, { ...options, messages } as never)]
  const textOf = async (app: FastifyInstance, search: string) =>
    (await ask(app, `/goods/list?search=${encodeURIComponent(search)}`)).body
  // A compatibility form has 18 characters: 56 of them fold to 1,008, and 57 to 1,026.
  t.match(await textOf(english, 'ﷺ'.repeat(56)), { status: 'success' })
  const error = "The query parameter 'search' is too long for this list; use a shorter one."
  t.strictSame(await textOf(english, 'ﷺ'.repeat(57)), { status: 400, error })
  t.strictSame(await textOf(german, 'ﷺ'.repeat(57)), { status: 400, error: '„search“ ist zu lang.' })
  t.strictSame(await textOf(german, 'x'.repeat(257)), { status: 400, error: '„search“ hat über 256 Zeichen.' })
})

t.test('a page has the fields of the envelope in order, and the records under their key', async (t) => {
  const { get } = await serve(t, { db: await openWorld(t, 'sqlite') })
  const { text } = await get('/payment/list?limit=1&page=40', admin)
  const message = 'Payments retrieved successfully.'
  t.equal(text, `{"status":"success","message":"${message}","page":40,"limit":1,"total":31,"data":[]}`)
})

t.test('HEAD answers like GET without a body', async (t) => {
  const { app, get } = await serve(t, { db: await openWorld(t, 'sqlite') })
  const url = '/assessment/list?search=ada'
  const { text } = await get(url, admin)
  const { authorization } = headersOf(admin)
  const head = await app.inject({ method: 'HEAD', url, headers: { authorization } })
  const length = String(Buffer.byteLength(text))
  t.match(head, { statusCode: 200, body: '', headers: { 'content-length': length } })
  t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 401)
})

t.test('the query string starts after the first question mark', async (t) => {
  for (const url of ['/payment/list', '/payment/list&page=0', '/é page=0', '', '/payment/list?', '?&&']) {
    t.strictSame(pairsOf(url), [], url)
  }
  t.strictSame(pairsOf('?search=a'), [['search', 'a']])
  t.strictSame(pairsOf('/payment/list?search=?page=0'), [['search', '?page=0']])
})

t.test('a query string may start elsewhere', async (t) => {
  const end = /[?;#]/
  t.strictSame(pairsOf('/payment/list;search=jane', end), [['search', 'jane']])
  t.strictSame(pairsOf('/payment/list?search=a;b', end), [['search', 'a;b']])
  t.strictSame(pairsOf('/note/a;b'), [])
  t.strictSame(pairsOf('/note/a;b?c=d'), [['c', 'd']])
})

t.test('a pair may have no value, and comes as often as it is given', async (t) => {
  t.strictSame(pairsOf('/?a&b=&=c&a=1&a=%32+'), [
    ['a', ''],
    ['b', ''],
    ['', 'c'],
    ['a', '1'],
    ['a', '2 ']
  ])
})

t.test('text after a path without a question mark is not ignored', async (t) => {
  for (const url of ['/payment/list#search=jane', '/payment/list?search=a#b']) t.equal(pairsOf(url), undefined, url)
  t.strictSame(pairsOf('/payment/list?search=a;b'), [['search', 'a;b']])
})

t.test('a query string that is not percent-encoded UTF-8 is no pairs', async (t) => {
  const encoded =
    '% %z %zz %4 100% %u0041 %ff %80 %C3 %C3%28 %C0%80 %E0%80%AF %ED%A0%80 %ED%A0%BD%ED%B8%80 %F4%90%80%80 %F0%9F%98'
  const raw = ['é', '😀', '\ud83d', '\u00a0', '\u2028', ' ', '\t', '\n', '\0', '\x7f', '\x80']
  const queries = [...encoded.split(' '), ...raw].flatMap((text) => [
    ...[`search=${text}`, `search=a&${text}=1`, `search=a&${text}`, `search=a&x=${text}`, text]
  ])
  const read = queries.filter((query) => pairsOf(`/?${query}`) !== undefined)
  t.strictSame(read, [])
})
