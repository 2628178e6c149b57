import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  type RawRequestDefaultExpression
} from 'fastify'
import t from 'tap'
import { maskingSerializers, maskUrl } from '../../src/http/request-log.js'
import type { List } from '../../src/lists/list.js'
import { admin } from '../support/fixtures/world.js'
import { keepLog } from '../support/hosts/log.js'
import { serve } from '../support/hosts/server.js'
import fc from '../support/oracle/properties.js'
import { openWorld } from '../support/servers/tables.js'

type Serializer = (request: FastifyRequest) => unknown

const url = '/list?search=jane@example.org&page=2'
const masked = '/list?search=***&page=2'
const list = { filters: {}, parameters: { search: {}, status: {}, processor_status: {} } } as unknown as List
const names = new Set(['search', 'status', 'processor_status', 'page', 'limit'])

/**
 * The `req` of Fastify's line for an incoming request to a route with masking serializers.
 *
 * @param req the serializer of the server
 * @param registered the serializers of the registration
 */
async function lineOf(req?: Serializer, registered?: { req: Serializer }, options: FastifyServerOptions = {}) {
  const { logger, lines } = keepLog('info')
  const app = Fastify({ ...options, logger: { ...logger, ...(req && { serializers: { req } }) } as object })
  app.get('/list', { logSerializers: maskingSerializers(app, list, registered) }, (request, reply) => {
    const { url, originalUrl } = request
    // Fastify keeps an original URL that was read.
    request.log.info({ req: request })
    reply.send({ url, originalUrl })
  })
  const answer = await app.inject({ url, headers: { host: 'lists.example' } })
  await app.close()
  t.strictSame(answer.json(), { url, originalUrl: url }, 'the handler has the real URL')
  t.notMatch(JSON.stringify(lines), /jane/)
  return lines.find(({ msg }) => msg === 'incoming request')?.req
}

t.test('the names of parameters stay in the line, and no value but those of page and limit', async (t) => {
  const cases: [url: string, masked: string][] = [
    ['', ''],
    ['/l?search=jane@example.org', '/l?search=***'],
    ['/l?search=', '/l?search=***'],
    ['/l?search', '/l?***'],
    ['/l?jane@example.org=1', '/l?***'],
    ['/l?constructor=jane', '/l?***'],
    ['/l?page=1&limit=100', '/l?page=1&limit=100'],
    ['/l?status=completed&processor_status=requires_action&limit=5', '/l?status=***&processor_status=***&limit=5'],
    ['/l?page=1234567890123456', '/l?page=1234567890123456'],
    ['/l?page=12345678901234567', '/l?page=***'],
    ['/l?page=-1', '/l?page=***'],
    ['/l?page=1=jane', '/l?page=***'],
    ['/l?Page=1', '/l?***'],
    ['/l?page=1\n', '/l?page=***'],
    ['/l?a=1\n&page=2&b\nc', '/l?***&page=2&***'],
    ['/l?jane', '/l?***'],
    ['/l?page=1?search=jane', '/l?page=***'],
    ['/l?page=1#jane', '/l?page=***'],
    ['/l?page=1;search=jane', '/l?page=***'],
    ['/l?a=$&page=1', '/l?***&page=1'],
    ['/l#search=jane', '/l#search=***'],
    ['/l;search=jane', '/l;search=***'],
    ['/l#?search=jane&page=1', '/l#***&page=1'],
    ['http://lists/l?search=jane', 'http://lists/l?search=***'],
    ['HTTPS://jane:password@lists/l?page=1', 'HTTPS://***@lists/l?page=1'],
    ['http://jane@example.org@lists/l', 'http://***@lists/l'],
    ['/l/@jane', '/l/@jane']
  ]
  for (const [url, expected] of cases) t.equal(maskUrl(url, names), expected, JSON.stringify(url))
})

t.test('no search term is left in a masked URL, and masking is idempotent', async () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code).replace(/\p{Cs}/u, '%')) }),
      fc.boolean(),
      (term, encoded) => {
        const search = encoded ? encodeURIComponent(term) : term.replaceAll('&', '')
        return maskUrl(`/l?page=3&search=${search}&limit=5`, names) === '/l?page=3&search=***&limit=5'
      }
    )
  )
  fc.assert(fc.property(fc.string(), (url) => maskUrl(maskUrl(url, names), names) === maskUrl(url, names)))
})

t.test("Fastify's own request line has the masked URL, and its other properties are unchanged", async (t) => {
  t.match(await lineOf(), { method: 'GET', url: masked, host: 'lists.example', remoteAddress: '127.0.0.1' })
})

t.test("the host's own serializer gets a request without the search term", async (t) => {
  const line = await lineOf(({ query, raw, url, originalUrl, method, headers }) => {
    return { query, raw: raw.url, url, originalUrl, method, host: headers.host }
  })
  const expected = { query: {}, raw: masked, url: masked, originalUrl: masked, method: 'GET', host: 'lists.example' }
  t.strictSame(line, expected)
})

t.test('the line has only the masked URL if there is no serializer or it returns nothing', async (t) => {
  for (const nothing of [undefined, null]) {
    t.strictSame(await lineOf(undefined, { req: () => nothing }), { url: masked }, String(nothing))
  }

  // With `logger: false`, Fastify uses a logger without serializers.
  const app = Fastify({ logger: false })
  let line: unknown
  app.get('/list', async (request) => {
    line = maskingSerializers(app, list).req(request)
    return {}
  })
  await app.inject(url)
  await app.close()
  t.strictSame(line, { url: masked })
})

t.test('the search term is masked in the original URL if the host rewrites URLs', async (t) => {
  const rewriteUrl = (raw: RawRequestDefaultExpression) => String(raw.url)
  const req: Serializer = ({ raw }) => ({ url: raw.url, original: Reflect.get(raw, 'originalUrl') })
  const line = await lineOf(req, undefined, { rewriteUrl })
  t.strictSame(line, { url: masked, original: masked })
})

type Serializers = Record<string, (value: unknown) => unknown>

/** A logger that is not pino. Its children may use serializers, or ignore them. */
function loggerOf(usesSerializers: boolean) {
  const lines: string[] = []
  const loggerWith = (serializers: Serializers): FastifyBaseLogger => {
    const write = (level: string) => (fields: unknown, text?: string) => {
      const { req } = Object(fields)
      const shown = req && (serializers.req?.(req) ?? { url: req.url })
      lines.push([level, text ?? fields, JSON.stringify(shown)].join(' '))
    }
    const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
    const child = (_bindings: object, options: { serializers?: Serializers } = {}) =>
      loggerWith(usesSerializers ? { ...serializers, ...options.serializers } : serializers)
    return { ...Object.fromEntries(levels.map((level) => [level, write(level)])), level: 'info', child } as never
  }
  return { loggerInstance: loggerWith({}), lines }
}

const db = await openWorld(t, 'sqlite')
const warned = /^warn The log may show search terms: /

t.test('the boot warns if the logger of a request ignores the serializer that masks the search term', async (t) => {
  const { loggerInstance, lines } = loggerOf(false)
  const { get } = await serve(t, { db }, { server: { loggerInstance } })
  t.match(lines, [/^info This line tests whether/, warned])
  t.equal(lines.length, 2)
  await get('/payment/list?search=jane', admin)
  t.match(lines.join('\n'), /jane/, 'the warning is right')
})

t.test('the boot does not warn if the logger uses the serializer', async (t) => {
  const { loggerInstance, lines } = loggerOf(true)
  const { get } = await serve(t, { db }, { server: { loggerInstance } })
  t.match(lines, [/^info This line tests whether/])
  t.equal(lines.length, 1)
  await get('/payment/list?search=jane', admin)
  t.match(lines.join('\n'), 'info incoming request')
  t.notMatch(lines.join('\n'), /jane/)
  for (const level of ['trace', 'silent']) {
    const { lines } = await serve(t, { db }, { log: level })
    t.strictSame(lines, [], `pino at the level ${level}`)
  }
})

t.test('the boot warns if a factory of the host ignores the serializer, or only for real requests', async (t) => {
  for (const factory of [
    (logger: FastifyBaseLogger, bindings: object) => logger.child(bindings),
    (logger: FastifyBaseLogger, bindings: object, options: object, { socket }: IncomingMessage) =>
      logger.child({ ...bindings, address: socket.address() }, options)
  ]) {
    const before = (app: FastifyInstance) => app.setChildLoggerFactory(factory)
    const { lines } = await serve(t, { db }, { log: 'warn', before })
    const warnings = lines.map(({ msg }) => `warn ${msg}`)
    t.match(warnings, [warned])
  }
})

t.test('the serializer that a host gives with the registration gets the masked URL', async (t) => {
  const logSerializers = { req: ({ url }: FastifyRequest) => `registered ${url}` }
  const { get, lines } = await serve(t, { db, logSerializers } as never, { log: 'info' })
  await get('/payment/list?search=jane', admin)
  const incoming = lines.filter(({ msg }) => msg === 'incoming request')
  t.match(incoming, [{ req: 'registered /payment/list?search=***' }])
})
