import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import t from 'tap'
import { exchangeOf } from '../../src/http/exchange.js'
import listing from '../../src/index.js'
import { ask, serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { admin, individual, practitioner } from '../support/world.js'

const lists = ['/assessment/list?search=a', '/payment/list?search=']

t.test('an invalid parameter is a 400 that says what is allowed, and sends no statement', async (t) => {
  let queries = 0
  const onQuery = () => {
    queries++
  }
  const db = await openWorld(t, 'sqlite', { onQuery })
  const { get } = await serve(t, { db })
  queries = 0

  const wholeNumber = (name: string, maximum: number) =>
    `The query parameter '${name}' must be a whole number from 1 to ${maximum}, in plain digits.`
  const maximumPage = Math.floor(Number.MAX_SAFE_INTEGER / 100)
  const numbers = [
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '%2B1',
    '+1',
    '%201',
    '1%20',
    '',
    '%EF%BC%91',
    '01',
    'abc',
    'Infinity',
    'null'
  ]
  const cases: [query: string, error: string | RegExp][] = [
    ...numbers.map((value): [string, string] => [`page=${value}`, wholeNumber('page', maximumPage)]),
    ...numbers.map((value): [string, string] => [`limit=${value}`, wholeNumber('limit', 100)]),
    ['limit=101', wholeNumber('limit', 100)],
    [`page=${maximumPage + 1}`, wholeNumber('page', maximumPage)],
    ['page=99999999999999999999', wholeNumber('page', maximumPage)],
    ['page=1&page=1', "The query parameter 'page' must be given only once."],
    ['search=b', "The query parameter 'search' must be given only once."],
    [
      'staus=pending',
      /^The query parameter 'staus' is not known; allowed are: search, (processor_)?status, page, limit\.$/
    ],
    ['Search=a', /is not known/],
    ['page[]=1', /is not known/],
    ['__proto__=1', /is not known/],
    ['constructor=1', /is not known/],
    ['=1', /is not known/],
    ['page=%zz', 'The query string must be percent-encoded UTF-8.'],
    ['page=%ff', 'The query string must be percent-encoded UTF-8.'],
    ['page=%ED%A0%80', 'The query string must be percent-encoded UTF-8.']
  ]
  for (const list of lists) {
    for (const [query, error] of cases) {
      const answer = await get(`${list}&${query}`, admin)
      t.equal(answer.status, 400, `${list}&${query}`)
      t.match(answer.body, { status: 400, error })
      t.strictSame(Object.keys(answer.body), ['status', 'error'])
      t.equal(answer.headers['cache-control'], 'private, no-store')
    }
  }

  for (const [url, error] of [
    ['/assessment/list', "The query parameter 'search' is required; it may be empty."],
    [
      '/assessment/list?search=&status=done',
      "The query parameter 'status' must be one of: completed, pending, reserved."
    ],
    [
      '/assessment/list?search=&status=Pending',
      "The query parameter 'status' must be one of: completed, pending, reserved."
    ],
    ['/assessment/list?search=%00', "The query parameter 'search' must not contain control characters."],
    ['/assessment/list?search=a%0Ab', "The query parameter 'search' must not contain control characters."],
    [
      '/payment/list?processor_status=%7F',
      "The query parameter 'processor_status' must not contain control characters."
    ],
    [`/payment/list?search=${'a'.repeat(257)}`, "The query parameter 'search' must have at most 256 characters."]
  ] as const) {
    t.strictSame((await get(url, admin)).body, { status: 400, error }, url)
  }
  t.equal(queries, 0)
})

t.test('empty filters filter nothing', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get } = await serve(t, { db })
  t.equal((await get('/assessment/list?search=&status=', admin)).body.total, 30)
  t.equal((await get('/payment/list?search=&processor_status=', admin)).body.total, 31)
  t.equal((await get(`/payment/list?search=${encodeURIComponent('😀'.repeat(256))}`, admin)).status, 200)
})

t.test('the host can ignore unknown parameters or allow them by name', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const ignoring = await serve(t, { db, unknownParameters: 'ignore' })
  t.equal((await ignoring.get('/payment/list?x=1&x=2&%5B=&y', admin)).status, 200)
  t.equal((await ignoring.get('/payment/list?limit=1&limit=1', admin)).status, 400)
  const naming = await serve(t, { db, unknownParameters: ['utm_source'] })
  t.equal((await naming.get('/payment/list?utm_source=mail', admin)).status, 200)
  t.match((await naming.get('/payment/list?utm=mail', admin)).body, {
    error: "The query parameter 'utm' is not known; allowed are: search, processor_status, page, limit, utm_source."
  })
})

t.test('the host can set the default and the maximum limit', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get } = await serve(t, { db, defaultLimit: 3, maxLimit: 5 })
  t.match((await get('/payment/list', admin)).body, { limit: 3, page: 1, total: 31 })
  t.equal((await get('/payment/list?limit=5', admin)).body.data?.length, 5)
  t.match((await get('/payment/list?limit=6', admin)).body, { status: 400, error: /from 1 to 5/ })
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

t.test('a caller without permission to see payments gets a 403', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get } = await serve(t, { db, visibility: { payments: { Practitioner: 'none' } } })
  t.strictSame((await get('/payment/list?page=0', practitioner)).body, {
    status: 403,
    error: 'You do not have permission to access these payments.'
  })
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

t.test('a hook that answers after the deadline does not make Fastify log the search term', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const options = {
    db,
    timeout: 100,
    authenticate: async (_request: FastifyRequest, reply: FastifyReply) => {
      await sleep(400)
      reply.code(401).send('late')
      return reply
    }
  }
  const { get, texts } = await serve(t, options, { log: 'info' })
  t.equal((await get('/payment/list?search=jane', admin)).status, 504)
  await sleep(400)
  t.notMatch(texts.join(''), 'Reply was already sent')
  t.notMatch(texts.join(''), /jane/)
})
