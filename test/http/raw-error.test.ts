/** The error that is written without the hooks of the host, and the headers that an error drops. */
import { once } from 'node:events'
import { get, type IncomingMessage, request } from 'node:http'
import http2 from 'node:http2'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyServerOptions } from 'fastify'
import t from 'tap'
import { listening } from '../support/listening.js'
import { failuresIn } from '../support/log.js'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { admin } from '../support/world.js'

const db = await openWorld(t, 'sqlite')

/** Milliseconds. */
const timeout = 100

const hang = () => new Promise<void>(() => undefined)

t.test('a request that hangs in a hook of the host is answered at the deadline', async (t) => {
  for (const step of ['preParsing', 'onSend'] as const) {
    const before = (app: FastifyInstance) => app.addHook(step as 'onRequest', hang)
    const { get, lines } = await serve(t, { db, timeout }, { before, log: 'info' })
    const { status, body, headers } = await get('/assessment/list?search=', admin)
    t.strictSame({ status, body }, { status: 504, body: { status: 504, error: 'The request took too long.' } }, step)
    t.equal(headers['cache-control'], 'private, no-store')
    t.match(failuresIn(lines), [{ kind: 'timeout', list: 'assessments' }])
  }
})

t.test('the 504 of a HEAD request has no body, also on a server that forbids to write one', async (t) => {
  const before = (app: FastifyInstance) => app.addHook('onSend', hang)
  const server = { http: { rejectNonStandardBodyWrites: true } } as FastifyServerOptions
  const { port } = await listening(t, { db, timeout }, { before, server })
  const sent = request({ port, method: 'HEAD', path: '/payment/list', headers: headersOf(admin) }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  t.match(answer, { statusCode: 504, headers: { 'content-type': 'application/json; charset=utf-8' } })
  t.strictSame(await answer.toArray(), [])
})

const fail = (fields: object) => Promise.reject(Object.assign(new Error('secret'), fields))

t.test('the lists send their own error body if a hook of the host fails', async (t) => {
  const failing: [
    hook: (reply: FastifyReply) => unknown,
    status: number,
    error: string,
    ownHeader: string | undefined
  ][] = [
    [() => fail({}), 500, 'Internal server error.', 'y'],
    // Node.js refuses the header after it has taken the others.
    [(reply) => void reply.header('x-own', 'a\nb'), 500, 'Internal server error.', undefined],
    [() => fail({ code: 'ECONNREFUSED' }), 503, 'Service temporarily unavailable.', 'y'],
    [() => fail({ statusCode: 599 }), 599, 'Error.', 'y']
  ]
  for (const [hook, expected, error, ownHeader] of failing) {
    const before = (app: FastifyInstance) => {
      app.setErrorHandler((_error, _request, reply) => reply.code(418).send('The host answers.'))
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('etag', 'x').header('x-host', 'y')
      })
      app.addHook('onSend', async (_request, reply) => hook(reply))
    }
    const { get, texts } = await serve(t, { db }, { before, log: 'trace' })
    const { status, text, headers } = await get('/payment/list?search=jane.doe', admin)
    t.strictSame([status, JSON.parse(text)], [expected, { status: expected, error }])
    t.match(headers, { 'cache-control': 'private, no-store', etag: undefined, 'x-host': ownHeader })
    t.equal(headers['retry-after'], status === 503 ? '1' : undefined)
    t.notMatch(texts.join(), /jane\.doe/)
    // The level debug has the message of a host's own error.
    t.notMatch(texts.filter((line) => !line.includes('"level":20')).join(), /secret/)
  }
})

t.test('a delayed answer over HTTP/2 is a 504 at the deadline', async (t) => {
  const before = (app: FastifyInstance) => app.addHook('onSend', hang)
  const server = { http2: true } as FastifyServerOptions
  const { address } = await listening(t, { db, timeout }, { before, server })
  const session = http2.connect(address)
  t.teardown(() => session.destroy())
  const warnings: Error[] = []
  const keep = (warning: Error) => warnings.push(warning)
  process.on('warning', keep)
  t.teardown(() => process.off('warning', keep))
  for (const method of ['GET', 'HEAD']) {
    const { authorization } = headersOf(admin)
    const stream = session.request({ ':method': method, ':path': '/payment/list', authorization })
    const [headers] = await once(stream, 'response')
    t.match(headers, { ':status': 504, 'cache-control': 'private, no-store' })
    const text = (await stream.setEncoding('utf8').toArray()).join('')
    t.equal(text, method === 'GET' ? '{"status":504,"error":"The request took too long."}' : '')
  }
  t.notMatch(warnings.join(), /Status message/)
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

t.test('an answer that has started and stalls is cut off at the deadline', async (t) => {
  const begun = new Readable({ read: () => undefined })
  begun.push('abc')
  const before = (app: FastifyInstance) => app.addHook('onSend', async () => begun)
  const { port, lines } = await listening(t, { db, timeout }, { before, log: 'info' })
  const headers = headersOf(admin)
  const sent = get({ port, host: '127.0.0.1', path: '/payment/list', headers })
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  await t.rejects(answer.toArray(), { code: 'ECONNRESET' })
  t.match(failuresIn(lines), [{ kind: 'timeout', list: 'payments' }])
})

t.test('an error drops the headers of the answer that it replaces, and keeps those of the host', async (t) => {
  const stale = {
    'content-encoding': 'gzip',
    etag: 'x',
    'last-modified': 'Sun, 01 Mar 2026 00:00:00 GMT',
    trailer: 'x'
  }
  for (const [expected, hook, more] of [
    [500, () => fail({}), {}],
    [504, hang, { 'retry-after': '7', 'www-authenticate': 'Basic' }]
  ] as const) {
    const before = (app: FastifyInstance) => {
      app.addHook('onRequest', async (_request, reply) => {
        reply.header('content-security-policy', "default-src 'none'").raw.statusMessage = 'Fine'
      })
      app.addHook('onSend', async (_request, reply) => {
        if (reply.statusCode !== 200) return
        reply.headers({ ...stale, ...more })
        await hook()
      })
    }
    const { get } = await serve(t, { db, timeout: expected === 504 ? timeout : 60_000 }, { before })
    const { status, headers } = await get('/payment/list', admin)
    t.equal(status, expected)
    t.equal(headers['content-security-policy'], "default-src 'none'")
    for (const name of Object.keys({ ...stale, ...more })) t.equal(headers[name], undefined, name)
  }
})
