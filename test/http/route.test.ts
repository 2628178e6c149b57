import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import t from 'tap'
import { exchangeOf } from '../../src/http/exchange.js'
import listing from '../../src/index.js'
import { ask, serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { until } from '../support/until.js'
import { admin, individual } from '../support/world.js'

t.test('an invalid parameter is a 400 that says what is allowed, and sends no statement', async (t) => {
  const statements: unknown[] = []
  const db = await openWorld(t, 'sqlite', { onQuery: (query) => statements.push(query) })
  const { get } = await serve(t, { db })
  statements.length = 0
  const page = "The query parameter 'page' must be a whole number from 1 to 90071992547409, in plain digits."
  for (const [url, error] of [
    ['/assessment/list', "The query parameter 'search' is required; it may be empty."],
    [
      '/assessment/list?search=&status=Pending',
      "The query parameter 'status' must be one of: completed, pending, reserved."
    ],
    ['/assessment/list?search=a%0Ab', "The query parameter 'search' must not contain control characters."],
    [`/payment/list?search=${'a'.repeat(257)}`, "The query parameter 'search' must have at most 256 characters."],
    ['/payment/list?search=a&search=b', "The query parameter 'search' must be given only once."],
    ['/payment/list?limit=101', "The query parameter 'limit' must be a whole number from 1 to 100, in plain digits."],
    ['/payment/list?page=', page],
    ['/payment/list?page=+1', page],
    [
      '/payment/list?page[]=1',
      /^The query parameter 'page\[\]' is not known; allowed are: search, processor_status, page, limit\.$/
    ],
    ['/payment/list?__proto__=1', /^The query parameter '__proto__' is not known/],
    ['/payment/list?search=%ED%A0%80', 'The query string must be percent-encoded UTF-8.']
  ] as const) {
    const { status, body, headers } = await get(url, admin)
    t.strictSame([status, Object.keys(body), body.status], [400, ['status', 'error'], 400], url)
    t.match(body.error, error)
    t.equal(headers['cache-control'], 'private, no-store')
  }
  t.strictSame(statements, [])
})

t.test('the host can ignore unknown parameters or allow them by name', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const ignoring = await serve(t, { db, unknownParameters: 'ignore' })
  t.equal((await ignoring.get('/payment/list?x=1&x=2&%5B=&y', admin)).status, 200)
  const naming = await serve(t, { db, unknownParameters: ['utm_source'] })
  t.equal((await naming.get('/payment/list?utm_source=mail', admin)).status, 200)
  t.match((await naming.get('/payment/list?utm=mail', admin)).body, {
    error: "The query parameter 'utm' is not known; allowed are: search, processor_status, page, limit, utm_source."
  })
})

t.test('the host can change every message', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get } = await serve(t, {
    db,
    visibility: { payments: { Individual: 'none' } },
    messages: {
      paymentsFound: 'Zahlungen gefunden.',
      unauthorized: 'Bitte anmelden.',
      paymentsForbidden: 'Keine Rechte.',
      parameterNotInteger: '{name}: 1 bis {maximum}.'
    }
  })
  t.equal((await get('/payment/list', admin)).body.message, 'Zahlungen gefunden.')
  t.equal((await get('/payment/list')).body.error, 'Bitte anmelden.')
  t.equal((await get('/payment/list', individual)).body.error, 'Keine Rechte.')
  t.equal((await get('/payment/list?limit=0', admin)).body.error, 'limit: 1 bis 100.')
  t.equal(
    (await get('/assessment/list', admin)).body.error,
    "The query parameter 'search' is required; it may be empty."
  )
})

t.test('the request line in the log does not contain the search term', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { app, get, lines, texts } = await serve(t, { db }, { log: 'info' })
  await get('/assessment/list?search=jane%40example.com&page=2&status=pending', admin)
  await get('/assessment/list?%73earch=jane%40example.com', admin)
  await get('/assessment/list?serach=jane%40example.com', admin)
  const headers = headersOf(admin)
  await app.inject({ method: 'HEAD', url: '/assessment/list?search=jane%40example.com', headers })
  const urls = lines.map(({ req }) => (req as { url?: string } | undefined)?.url).filter(Boolean)
  const masked = '/assessment/list?***'
  t.strictSame(urls, [`${masked}&page=2&***`, masked, masked, masked])
  t.notMatch(texts.join(''), /jane/)
})

t.test('a request without a caller reads nothing', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  // A hook that takes the caller away stands for a hook of the plugin that did not run.
  app.addHook('onRoute', (route) => {
    const forget = async (_request: FastifyRequest, reply: FastifyReply) => {
      delete exchangeOf(reply).caller
    }
    route.onRequest = [forget, ...[route.onRequest ?? []].flat()]
  })
  const db = () => t.fail('the database is not asked') as never
  app.register(listing, { db, authenticate: async () => undefined, resolveRole: () => admin })
  t.match(await ask(app, '/payment/list'), { status: 500, body: { error: 'Internal server error.' } })
})

t.test('a missing table repeats the start-up check', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get, lines } = await serve(t, { db, checkOnReady: 'warn' }, { log: 'warn' })
  await db.schema.dropTable('payments').execute()
  t.equal((await get('/payment/list', admin)).status, 500)
  t.ok(await until(() => lines.some(({ msg }) => msg.includes('- payments needs the columns'))))
})
