/** The answer and the log line of each kind of failure. */
import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyServerOptions } from 'fastify'
import t from 'tap'
import { defaultMessages } from '../../src/errors/client-texts.js'
import { Failure, type FailureKind } from '../../src/errors/failure.js'
import { errorHandlersOf } from '../../src/http/error-answers.js'
import { payments } from '../../src/lists/ready/payments.js'
import { admin } from '../support/fixtures/world.js'
import { listening } from '../support/hosts/listening.js'
import { failuresIn, keepLog } from '../support/hosts/log.js'
import { type Options, serve } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'
import { wrapped } from '../support/hosts/wrapped.js'
import { openWorld, slowPayments } from '../support/servers/tables.js'

const db = await openWorld(t, 'sqlite')

/** The answer and the level of each kind. */
const kinds: Record<FailureKind, [status: number, error: string, level: string, headers?: Record<string, string>]> = {
  parameter: [400, 'For the operator.', 'debug'],
  unauthorized: [401, 'Invalid or expired token.', 'debug', { 'www-authenticate': 'Bearer' }],
  forbidden: [403, 'You do not have permission to access these payments.', 'debug'],
  notFound: [404, 'For the operator.', 'debug'],
  aborted: [499, 'For the operator.', 'debug'],
  host: [500, 'Internal Server Error.', 'error'],
  internal: [500, 'Internal server error.', 'error'],
  unavailable: [503, 'Service temporarily unavailable.', 'warn', { 'retry-after': '1' }],
  timeout: [504, 'The request took too long.', 'warn']
}
const levels: Record<number, string> = { 20: 'debug', 40: 'warn', 50: 'error' }

type How = 'send' | 'write'

const handlers = errorHandlersOf(payments, defaultMessages)

/** A server with a failing route, and its log lines. */
function hostOf(how: How, thrown: unknown, headers: Record<string, string> = {}) {
  const { logger, lines } = keepLog('debug')
  const app = Fastify({ logger })
  app.get('/', { errorHandler: handlers[how] }, async (_request, reply) => {
    reply.headers(headers)
    throw thrown
  })
  return { app, failures: () => failuresIn(lines) }
}

for (const how of ['send', 'write'] as const) {
  t.test(`each kind of failure has its body, its headers and one log line (${how})`, async (t) => {
    for (const [kind, [status, error, level, headers = {}]] of Object.entries(kinds)) {
      const { app, failures } = hostOf(how, new Failure(kind as FailureKind, 'For the operator.', { code: 'E' }))
      const answer = await app.inject('/')
      t.equal(answer.statusCode, status, kind)
      t.equal(answer.body, JSON.stringify({ status, error }))
      t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      for (const name of ['retry-after', 'www-authenticate']) t.equal(answer.headers[name], headers[name], kind)
      t.equal(failures().length, 1)
      const [line] = failures()
      t.match(line, { msg: 'For the operator.', list: 'payments', kind, code: 'E' })
      t.equal(levels[Number(line?.level)], level, kind)
    }
  })
}

t.test("an error keeps the host's Retry-After header and replaces its WWW-Authenticate header", async (t) => {
  const own = { 'retry-after': '7', 'www-authenticate': 'Basic' }
  const busy = await hostOf('send', new Failure('unavailable', 'x'), own).app.inject('/')
  t.equal(busy.headers['retry-after'], '7')
  const unknown = await hostOf('send', new Failure('unauthorized', 'x'), own).app.inject('/')
  t.equal(unknown.headers['www-authenticate'], 'Bearer')
})

t.test('the body for a status of the host has the name of the status, never the message of the error', async (t) => {
  const errors = { 400: 'Bad Request.', 418: "I'm a Teapot.", 429: 'Too Many Requests.', 599: 'Error.' }
  for (const [statusCode, error] of Object.entries(errors)) {
    const { app, failures } = hostOf('send', Object.assign(new Error('secret'), { statusCode }))
    const answer = await app.inject('/')
    t.equal(answer.body, JSON.stringify({ status: Number(statusCode), error }))
    t.equal(failures().length, 1)
    t.notMatch(JSON.stringify(failures()), /secret/)
  }
})

t.test('a 403 has the text of its list, even if the host has replaced the config of the route', async (t) => {
  const before = (app: FastifyInstance) =>
    app.addHook('onRoute', (route) => {
      route.config = {}
    })
  const { get } = await serve(t, { db }, { before })
  const answer = await get('/assessment/list?search=', { userId: 1, role: 'nobody' })
  t.strictSame(answer.body, { status: 403, error: 'You do not have permission to access these assessments.' })
})

t.test('a hook of the host that fails before the hooks of the lists has the error body too', async (t) => {
  const before = (app: FastifyInstance) =>
    app.addHook('onRequest', async () => {
      throw Object.assign(new Error('secret'), { statusCode: 429 })
    })
  const { get, lines } = await serve(t, { db }, { before, log: 'debug' })
  const answer = await get('/payment/list')
  t.match(answer, {
    body: { status: 429, error: 'Too Many Requests.' },
    headers: { 'cache-control': 'private, no-store' }
  })
  t.match(failuresIn(lines), [{ list: 'payments', kind: 'host', reach: undefined }])
})

const fail = (fields: object) => Promise.reject(Object.assign(new Error('secret'), fields))

t.test('the lists send their own error body if a hook of the host fails', async (t) => {
  const failing: [hook: (reply: FastifyReply) => unknown, status: number, error: string][] = [
    [() => fail({}), 500, 'Internal server error.'],
    // Node.js refuses the header after it has taken the others.
    [(reply) => void reply.header('x-own', 'a\nb'), 500, 'Internal server error.'],
    [() => fail({ code: 'ECONNREFUSED' }), 503, 'Service temporarily unavailable.'],
    [() => fail({ statusCode: 599 }), 599, 'Error.']
  ]
  for (const [hook, expected, error] of failing) {
    const before = (app: FastifyInstance) => {
      app.setErrorHandler((_error, _request, reply) => reply.code(418).send('The host answers.'))
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('etag', 'x')
      })
      app.addHook('onSend', async (_request, reply) => hook(reply))
    }
    const { get, texts } = await serve(t, { db }, { before, log: 'trace' })
    const { status, text, headers } = await get('/payment/list?search=jane.doe', admin)
    t.strictSame([status, JSON.parse(text)], [expected, { status: expected, error }])
    t.match(headers, { 'cache-control': 'private, no-store', etag: undefined })
    t.equal(headers['retry-after'], status === 503 ? '1' : undefined)
    t.notMatch(texts.join(), /jane\.doe/)
    // The level debug has the message of a host's own error.
    t.notMatch(texts.filter((line) => !line.includes('"level":20')).join(), /secret/)
  }
})

t.test('such an error of a HEAD request has no body, also on a server that forbids to write one', async (t) => {
  const before = (app: FastifyInstance) => app.addHook('onSend', () => fail({}))
  const server = { http: { rejectNonStandardBodyWrites: true } } as FastifyServerOptions
  const { port } = await listening(t, { db }, { before, server })
  const sent = request({ port, method: 'HEAD', path: '/payment/list', headers: headersOf(admin) }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  t.match(answer, { statusCode: 500, headers: { 'content-type': 'application/json; charset=utf-8' } })
  t.strictSame(await answer.toArray(), [])
})

t.test('an error whose body a hook turns into a stream is sent in chunks', async (t) => {
  const before = (app: FastifyInstance) =>
    app.addHook('onSend', async (_request, reply, payload) => {
      reply.removeHeader('content-length')
      return Readable.from([payload as string])
    })
  const { port } = await listening(t, { db }, { before })
  const [response] = (await once(get({ port, path: '/payment/list' }), 'response')) as [IncomingMessage]
  t.match(response, { statusCode: 401, headers: { 'transfer-encoding': 'chunked' } })
  t.match((await response.setEncoding('utf8').toArray()).join(''), /^\{"status":401,/)
})

t.test('an error drops the headers of the answer that it replaces, and keeps those of the host', async (t) => {
  const stale = {
    'content-encoding': 'gzip',
    etag: 'x',
    'last-modified': 'Sun, 01 Mar 2026 00:00:00 GMT',
    trailer: 'x'
  }
  const before = (app: FastifyInstance) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('content-security-policy', "default-src 'none'")
    })
    app.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode !== 200) return
      reply.headers(stale)
      await fail({})
    })
  }
  const { get } = await serve(t, { db }, { before })
  const { status, headers } = await get('/payment/list', admin)
  t.equal(status, 500)
  t.equal(headers['content-security-policy'], "default-src 'none'")
  for (const name of Object.keys(stale)) t.equal(headers[name], undefined, name)
})

t.test(
  'a database of resolveRole that is slow or down is a 504 or a 503, whatever library wraps its error',
  async (t) => {
    let fault: unknown
    const fail = async (): Promise<never> => {
      throw fault
    }
    const { get, lines, texts } = await serve(t, { db, resolveRole: fail }, { log: 'debug' })
    for (const [what, error, status] of wrapped) {
      fault = error
      const [, text, , headers = {}] = kinds[status === 503 ? 'unavailable' : 'timeout']
      t.match(await get('/payment/list', admin), { status, headers, body: { status, error: text } }, what)
      t.match(
        failuresIn(lines).at(-1),
        { kind: status === 503 ? 'unavailable' : 'timeout', callback: 'resolveRole' },
        what
      )
    }
    t.notMatch(texts.join(), /jane|members/, 'the log has no statement and no value')
  }
)

t.test('the line of a 504 says what the request waited for', async (t) => {
  const never = () => new Promise<never>(() => undefined)
  const mysql = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
  const postgres = await openWorld(t, 'postgres')
  const waits: [waitingFor: string, options: Partial<Options>, before?: (app: FastifyInstance) => unknown][] = [
    ['authenticate', { authenticate: never }],
    ['resolveRole', { resolveRole: never }],
    ['statement', { db: postgres, tables: slowPayments(postgres) }],
    // The hook has used up the time before the plugin's first step.
    ['hook', { authenticate: never }, (app) => app.addHook('onRequest', () => sleep(2_020))],
    ['hook', {}, (app) => app.addHook('preHandler', () => sleep(2_020))]
  ]
  const line = async ([waitingFor, options, before]: (typeof waits)[number]) => {
    const { get, lines } = await serve(
      t,
      { db: mysql, timeout: 2_000, ...options },
      { log: 'warn', ...(before && { before }) }
    )
    t.equal((await get('/payment/list?search=pi', admin)).status, 504, waitingFor)
    const late = failuresIn(lines).filter(({ kind }) => kind === 'timeout')
    t.match(late, [{ waitingFor, milliseconds: Number }])
    t.equal(late.length, 1)
  }
  await Promise.all(waits.map(line))
  await mysql.connection().execute(() => line(['connection', {}]))
})
