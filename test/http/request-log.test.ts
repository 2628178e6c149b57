import fc from 'fast-check'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import t from 'tap'
import { maskingSerializers, maskUrl } from '../../src/http/request-log.js'
import { keepLog, type Line } from '../support/log.js'

type Serializers = Record<string, (request: FastifyRequest) => unknown>

const withSerializers = (logger: object, serializers: Serializers) => ({ ...logger, serializers })

const url = '/list?search=jane@example.org&page=2'
const masked = '/list?***&page=2'

/** Requests a route with masking serializers, and returns the URL that the handler saw. */
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

t.test('every parameter of a query string is masked, except harmless ones', (t) => {
  const cases: [url: string, masked: string][] = [
    ['/assessment/list', '/assessment/list'],
    ['', ''],
    ['/l?search=jane@example.org', '/l?***'],
    ['/l?search=', '/l?***'],
    ['/l?search=a&search=b', '/l?***&***'],
    ['/assessment/list?search=jane@example.org&page=2', '/assessment/list?***&page=2'],
    ['/l?page=1&limit=100', '/l?page=1&limit=100'],
    ['/l?status=completed&processor_status=requires_action&limit=5', '/l?***&***&limit=5'],
    ['/l?page=1234567890123456', '/l?page=1234567890123456'],
    ['/l?page=12345678901234567', '/l?***'],
    ['/l?page=', '/l?***'],
    ['/l?page=-1', '/l?***'],
    ['/l?page=jane', '/l?***'],
    ['/l?page=1=jane', '/l?***'],
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

t.test('no search term is left in a masked URL, and masking is idempotent', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (term, encoded) => {
      const search = encoded ? encodeURIComponent(term) : term.replaceAll('&', '')
      return maskUrl(`/l?page=3&search=${search}&limit=5`) === '/l?page=3&***&limit=5'
    })
  )
  fc.assert(fc.property(fc.string(), (url) => maskUrl(maskUrl(url)) === maskUrl(url)))
  t.end()
})

t.test("Fastify's own request line has the masked URL, and its other properties are unchanged", async (t) => {
  const { logger, lines } = keepLog('info')
  const seen = await ask(Fastify({ logger }))
  t.match(requestOf(lines), { method: 'GET', url: masked, host: 'lists.example', remoteAddress: '127.0.0.1' })
  t.notMatch(JSON.stringify(lines), 'jane')
  t.strictSame(seen, { url, originalUrl: url }, 'the handler has the real URL')
})

t.test("the host's own serializer gets a request with the masked URL", async (t) => {
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

t.test('the serializer of the registration overrides the serializer of the server', async (t) => {
  const { logger, lines } = keepLog('info')
  const req = () => 'of the server'
  await ask(Fastify({ logger: withSerializers(logger, { req }) }), { req: ({ url }) => `registered ${url}` })
  t.equal(requestOf(lines), `registered ${masked}`)
})

t.test("the request that a host's serializer gets does not contain the search term", async (t) => {
  const { logger, lines } = keepLog('info')
  const req = ({ query, raw, url }: FastifyRequest) => ({ query, rawUrl: raw.url, method: raw.method, url })
  await ask(Fastify({ logger: withSerializers(logger, { req }) }))
  t.strictSame(requestOf(lines), { query: {}, rawUrl: masked, method: 'GET', url: masked })
})

t.test('the line has only the masked URL if there is no serializer or it returns nothing', async (t) => {
  for (const nothing of [undefined, null]) {
    const { logger, lines } = keepLog('info')
    await ask(Fastify({ logger }), { req: () => nothing })
    t.strictSame(requestOf(lines), { url: masked }, String(nothing))
  }

  // With `logger: false`, Fastify uses a logger without serializers.
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

t.test('the search term is masked after each delimiter that can end a path', (t) => {
  for (const url of ['/payment/list#search=jane', '/payment/list;search=jane', '/payment/list#?search=jane&page=1']) {
    t.notMatch(maskUrl(url), /jane/)
  }
  t.end()
})

t.test('the search term is masked in the original URL if the host rewrites URLs', async (t) => {
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
