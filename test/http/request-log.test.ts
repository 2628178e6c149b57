import fc from 'fast-check'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import t from 'tap'
import { maskError, maskingSerializers, maskUrl } from '../../src/http/request-log.js'
import { keepLog, type Line } from '../support/log.js'

type Serializers = Record<string, (request: FastifyRequest) => unknown>

const withSerializers = (logger: object, serializers: Serializers) => ({ ...logger, serializers })

const url = '/list?search=jane@example.org&page=2'
const masked = '/list?***&page=2'

/** Asks a route with masking serializers, and gives what the handler saw of the URL. */
async function ask(app: FastifyInstance, registered?: Serializers): Promise<unknown> {
  app.get('/list', { logSerializers: maskingSerializers(app, registered) }, async ({ url, originalUrl }) => ({
    url,
    originalUrl
  }))
  const answer = await app.inject({ url, headers: { host: 'lists.example' } })
  await app.close()
  return answer.json()
}

/** The `req` of Fastify's line for an incoming request. */
const requestOf = (lines: readonly Line[]) => lines.find(({ msg }) => msg === 'incoming request')?.req

t.test('every pair of a query string is masked but for harmless ones', (t) => {
  const longest = 'a'.repeat(32)
  const cases: [url: string, masked: string][] = [
    ['/assessment/list', '/assessment/list'],
    ['', ''],
    ['/l?search=jane@example.org', '/l?***'],
    ['/l?search=', '/l?***'],
    ['/l?search=a&search=b', '/l?***&***'],
    ['/assessment/list?search=jane@example.org&page=2', '/assessment/list?***&page=2'],
    ['/l?page=1&limit=100', '/l?page=1&limit=100'],
    ['/l?status=completed&processor_status=requires_action', '/l?status=completed&processor_status=requires_action'],
    ['/l?status=&processor_status=', '/l?status=&processor_status='],
    [`/l?status=${longest}`, `/l?status=${longest}`],
    [`/l?status=${longest}a`, '/l?***'],
    ['/l?page=1234567890123456', '/l?page=1234567890123456'],
    ['/l?page=12345678901234567', '/l?***'],
    ['/l?page=', '/l?***'],
    ['/l?page=-1', '/l?***'],
    ['/l?page=jane', '/l?***'],
    ['/l?page=1=jane', '/l?***'],
    ['/l?status=Jane', '/l?***'],
    ['/l?status=j.doe', '/l?***'],
    ['/l?status=a%40b', '/l?***'],
    ['/l?status=a1', '/l?***'],
    ['/l?xpage=1', '/l?***'],
    ['/l?page=1x', '/l?***'],
    ['/l?Page=1', '/l?***'],
    ['/l?page=1\n', '/l?***'],
    ['/l?a=1\n&page=2&b\nc', '/l?***&page=2&***'],
    ['/l?jane', '/l?***'],
    ['/l?jane@example.org=1', '/l?***'],
    ['/l?token=abc&page=1', '/l?***&page=1'],
    ['/l?page=1?search=jane', '/l?***'],
    ['/l?page=1#jane', '/l?***'],
    ['/l?page=1;search=jane', '/l?***'],
    ['/l?a=$&page=1', '/l?***&page=1'],
    ['http://lists/l?search=jane', 'http://lists/l?***'],
    ['HTTPS://jane:password@lists/l?page=1', 'HTTPS://***@lists/l?page=1'],
    ['http://jane@example.org@lists/l', 'http://***@lists/l'],
    ['/l/@jane', '/l/@jane']
  ]
  for (const [url, expected] of cases) t.equal(maskUrl(url), expected, JSON.stringify(url))
  t.end()
})

t.test('no search term gets through, and masking twice is masking once', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (term, encoded) => {
      const search = encoded ? encodeURIComponent(term) : term.replaceAll('&', '')
      return maskUrl(`/l?page=3&search=${search}&limit=5`) === '/l?page=3&***&limit=5'
    })
  )
  fc.assert(fc.property(fc.string(), (url) => maskUrl(maskUrl(url)) === maskUrl(url)))
  t.end()
})

t.test("Fastify's own request line has the masked URL and everything else as ever", async (t) => {
  const { logger, lines } = keepLog('info')
  const seen = await ask(Fastify({ logger }))
  t.match(requestOf(lines), { method: 'GET', url: masked, host: 'lists.example', remoteAddress: '127.0.0.1' })
  t.notMatch(JSON.stringify(lines), 'jane')
  t.strictSame(seen, { url, originalUrl: url }, 'the handler has the real URL')
})

t.test("the host's own serializer is given a request with the masked URL", async (t) => {
  const { logger, lines } = keepLog('info')
  const req = (request: FastifyRequest) => ({
    path: request.url,
    original: request.originalUrl,
    verb: request.method,
    host: request.headers.host
  })
  await ask(Fastify({ logger: withSerializers(logger, { req }) }))
  t.strictSame(requestOf(lines), { path: masked, original: masked, verb: 'GET', host: 'lists.example' })
})

t.test('the serializer that the lists are registered with goes before that of the server', async (t) => {
  const { logger, lines } = keepLog('info')
  const req = () => 'of the server'
  await ask(Fastify({ logger: withSerializers(logger, { req }) }), { req: ({ url }) => `registered ${url}` })
  t.equal(requestOf(lines), `registered ${masked}`)
})

t.test("a host's serializer finds the term nowhere in the request", async (t) => {
  const { logger, lines } = keepLog('info')
  const req = ({ query, raw, url }: FastifyRequest) => ({ query, rawUrl: raw.url, method: raw.method, url })
  await ask(Fastify({ logger: withSerializers(logger, { req }) }))
  t.strictSame(requestOf(lines), { query: {}, rawUrl: masked, method: 'GET', url: masked })
})

t.test('where there is no serializer, or it gives nothing, the line has the masked URL alone', async (t) => {
  for (const nothing of [undefined, null]) {
    const { logger, lines } = keepLog('info')
    await ask(Fastify({ logger }), { req: () => nothing })
    t.strictSame(requestOf(lines), { url: masked }, String(nothing))
  }

  // without a logger Fastify has one that does nothing, and no serializers
  const app = Fastify({ logger: false })
  let line: unknown
  app.get('/list', async (request) => {
    line = maskingSerializers(app).req(request)
    return {}
  })
  await app.inject(url)
  await app.close()
  t.strictSame(line, { url: masked })
})

t.test('the term is masked wherever Fastify ends a path', (t) => {
  for (const url of ['/payment/list#search=jane', '/payment/list;search=jane', '/payment/list#?search=jane&page=1']) {
    t.notMatch(maskUrl(url), /jane/)
  }
  t.end()
})

t.test('nor is the term in what Fastify keeps of a URL that the host rewrites', async (t) => {
  const { logger, lines } = keepLog('info')
  const req = ({ raw }: FastifyRequest) => ({ ...raw, url: raw.url, original: Reflect.get(raw, 'originalUrl') })
  const app = Fastify({
    logger: withSerializers(logger, { req }),
    rewriteUrl: ({ url }) => String(url).replace('/old', '')
  })
  app.get('/list', { logSerializers: maskingSerializers(app) }, async () => 'done')
  await app.inject({ url: `/old${url}` })
  await app.close()
  t.match(requestOf(lines), { url: masked, original: masked })
  t.notMatch(JSON.stringify(lines), /jane/)
})

const requestWith = (url: string, headers: Record<string, string> = {}) => ({ url, headers }) as FastifyRequest

t.test('an error is shown without the values of the request', async (t) => {
  const url = "/list?search=Jane%20O'Hara_1&processor_status=%ff&page=2"
  const headers = { authorization: 'Bearer abc.def', cookie: 'session=s3cr3t; theme=dark' }
  const hex = Buffer.from("Jane O'Hara_1").toString('hex').toUpperCase()
  const message = [
    "search Jane O'Hara_1 or jane%20o'hara_1, quoted 'Jane O''Hara_1' and '%Jane O'Hara!_1%', hex X'%HEX'",
    'status %ff, token abc.def, session s3cr3t, user 20 but not 2024, page 2'
  ].join('\n')
  const error = new TypeError(message.replace('%HEX', hex))
  const shown = maskError(error, requestWith(url, headers), '20')
  t.equal(shown.name, 'TypeError')
  t.equal(
    shown.message,
    "search *** or ***, quoted '***' and '%***%', hex X'***'\nstatus ***, token ***, session ***, user *** but not 2024, page 2"
  )
  t.match(shown.stack, /^TypeError: search \*\*\*.*\n {4}at .*request-log\.test\.ts:\d+:\d+/s)
  t.notMatch(shown.stack, /Jane|s3cr3t|abc\.def/i)
})

t.test('the statement that MySQL quotes in an error is not shown', async (t) => {
  const { message } = maskError(
    new Error("You have an error in your SQL syntax near 'select secret\nfrom payments' at line 1"),
    requestWith('/list')
  )
  t.equal(message, "You have an error in your SQL syntax near '…'")
})

t.test('the message of a request with very many parameters is not shown', async (t) => {
  const url = `/list?${Array.from({ length: 51 }, (_, index) => `p${index}=x`).join('&')}`
  t.strictSame(maskError({ name: 'E', message: 'x' }, requestWith(url)), {
    name: '***',
    message: '***',
    stack: '***: ***\n'
  })
  t.equal(maskError({ message: 'undefined' }, requestWith('/list')).message, 'undefined')
})
