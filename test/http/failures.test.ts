/** The answer and the log line of each kind of failure. */
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { Failure, type FailureKind } from '../../src/errors/failure.js'
import { exchangeOf } from '../../src/http/exchange.js'
import { failuresOf } from '../../src/http/failures.js'
import { defaultMessages } from '../../src/lists/messages.js'
import { payments } from '../../src/lists/payments.js'
import { openDatabase } from '../support/databases.js'
import { failuresIn, keepLog } from '../support/log.js'
import { serve } from '../support/server.js'

/** The answer and the level of each kind. */
const kinds: Record<FailureKind, [status: number, error: string, level: string, headers?: Record<string, string>]> = {
  parameter: [400, 'For the operator.', 'debug'],
  unauthorized: [401, 'Invalid or expired token.', 'debug', { 'www-authenticate': 'Bearer' }],
  forbidden: [403, 'You do not have permission to access these payments.', 'debug'],
  aborted: [499, 'For the operator.', 'debug'],
  host: [500, 'Internal Server Error.', 'error'],
  internal: [500, 'Internal server error.', 'error'],
  unavailable: [503, 'Service temporarily unavailable.', 'warn', { 'retry-after': '1' }],
  timeout: [504, 'The request took too long.', 'warn']
}
const levels: Record<number, string> = { 20: 'debug', 40: 'warn', 50: 'error' }

type How = 'send' | 'write'

const handlers = failuresOf(payments, defaultMessages)

/** A server with a failing route, and its log lines. */
function hostOf(how: How, thrown: unknown, headers: Record<string, string> = {}) {
  const { logger, lines } = keepLog('debug')
  const app = Fastify({ logger })
  app.get('/', { errorHandler: handlers[how] }, async (_request, reply) => {
    exchangeOf(reply).reach = 'own'
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
      t.match(line, { msg: 'For the operator.', list: 'payments', reach: 'own', kind, code: 'E' })
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
  for (const [statusCode, error] of [
    [400, 'Bad Request.'],
    [418, "I'm a Teapot."],
    [429, 'Too Many Requests.'],
    [599, 'Error.']
  ] as const) {
    const { app, failures } = hostOf('send', Object.assign(new Error('secret'), { statusCode }))
    const answer = await app.inject('/')
    t.equal(answer.body, JSON.stringify({ status: statusCode, error }))
    t.equal(failures().length, 1)
    t.notMatch(JSON.stringify(failures()), /secret/)
  }
})

t.test('a 403 has the text of its list, even if the host has replaced the config of the route', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const before = (app: FastifyInstance) =>
    app.addHook('onRoute', (route) => {
      route.config = {}
    })
  const { get } = await serve(t, { db }, { before })
  const answer = await get('/assessment/list?search=', { userId: 1, role: 'nobody' })
  t.strictSame(answer.body, { status: 403, error: 'You do not have permission to access these assessments.' })
})

t.test('a hook of the host that fails before the hooks of the lists has the error body too', async (t) => {
  const db = await openDatabase(t, 'sqlite')
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
