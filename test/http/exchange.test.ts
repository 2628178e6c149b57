/** An exchange has one answer, and a deadline. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter, once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import t from 'tap'
import { type Exchange, exchangeOf, onClose, openExchanges } from '../../src/http/exchange.js'
import listing, { type ListingOptions, payments } from '../../src/index.js'
import { admin } from '../support/fixtures/world.js'
import { listen, listening } from '../support/hosts/listening.js'
import { failuresIn } from '../support/hosts/log.js'
import { serve } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'
import fc from '../support/oracle/properties.js'
import { until } from '../support/running/until.js'
import { openWorld } from '../support/servers/tables.js'

const db = await openWorld(t, 'sqlite')

const fail = async () => {
  throw Object.assign(new Error('late'), { statusCode: 418 })
}

const tooLong = { status: 504, body: { status: 504, error: 'The request took too long.' } }

/** Milliseconds: the deadline, and the delay of the answer. */
const timeout = 100
const delay = 150

/** Slow hooks of a host. */
const hooks: Record<string, (app: FastifyInstance) => unknown> = {
  onError: (app) => app.addHook('onError', () => sleep(delay)),
  onSend: (app) => app.addHook('onSend', () => sleep(delay)),
  'onSend with a callback': (app) =>
    app.addHook('onSend', (_request, _reply, payload, done) => void setTimeout(done, delay, null, payload))
}

/** Work that ends after the deadline. */
const works: Record<string, { find?: () => unknown; resolveRole?: () => unknown; authenticate?: () => unknown }> = {
  'a key of tokens that is missing': { authenticate: fail },
  'a role': { resolveRole: () => admin },
  'a role that is refused': { resolveRole: fail },
  'a page': { find: () => undefined },
  'a page that fails': { find: fail }
}

t.test('work that ends while a hook delays the 504 changes nothing', async (t) => {
  const held = async ([hook, hold]: [string, (app: FastifyInstance) => unknown]) => {
    let work: (typeof works)[string] = {}
    const endLate = async (end: () => unknown) => {
      await until(() => failuresIn(lines).length > 0)
      return end()
    }
    const db = await openWorld(t, 'sqlite', {
      before: ({ sql }) => sql.includes('sort key') && work.find && endLate(work.find)
    })
    const before = (app: FastifyInstance) => {
      app.setErrorHandler((_error, _request, reply) => reply.code(418).send('The host answers.'))
      hold(app)
    }
    const resolveRole = () => (work.resolveRole ? endLate(work.resolveRole) : admin) as typeof admin
    // As @fastify/jwt does while a server that has its key does not answer.
    const authenticate = async () => void (work.authenticate && (await endLate(work.authenticate)))
    const options = { db, authenticate, resolveRole, timeout }
    const { get, lines, texts } = await serve(t, options, { before, log: 'debug' })
    for (const [what, each] of Object.entries(works)) {
      work = each
      lines.length = 0
      const { status, body } = await get('/payment/list?search=jane.doe', admin)
      t.strictSame({ status, body }, tooLong, `${hook}, ${what}`)
      await sleep(delay)
      const kinds = lines.flatMap(({ kind }) => kind ?? [])
      t.strictSame(kinds, ['timeout'])
    }
    t.notMatch(texts.join(), /already sent|Found|late|jane/)
  }
  await Promise.all(Object.entries(hooks).map(held))
})

const steps = ['onRequest', 'authenticate', 'resolveRole', 'preHandler', 'find', 'onSend', 'onError'] as const
type Step = (typeof steps)[number]

/** The milliseconds that each step of a request takes, and the step that fails. */
type Course = Record<Step, number> & { fails: Step | 'nothing'; role: string }

/** Milliseconds of the slowest step, and of the deadline. */
const slowest = 100

/** Most steps take no time. One or two slow steps end near the deadline. */
const duration = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ max: slowest, min: 0 }))

const anyCourse: fc.Arbitrary<Course> = fc.record({
  ...(Object.fromEntries(steps.map((step) => [step, duration])) as Record<Step, typeof duration>),
  fails: fc.constantFrom<Course['fails']>(...steps.slice(0, 6), 'nothing', 'nothing', 'nothing', 'nothing'),
  role: fc.constantFrom('Admin', 'Individual', 'nobody')
})

t.test('status, headers and body belong to the same answer, whichever step is late', async (t) => {
  const courses = new AsyncLocalStorage<Course>()
  const take = async (step: Step, course = courses.getStore()) => {
    if (course && course[step] > 0) await sleep(course[step])
    if (course?.fails === step) throw Object.assign(new Error(`jane.doe in ${step}`), { sql: 'jane.doe' })
  }
  const courseOf = ({ headers }: FastifyRequest): Course => JSON.parse(String(headers['x-course']))
  const db = await openWorld(t, 'sqlite', { before: ({ sql }) => sql.includes('record') && take('find') })
  const options = {
    db,
    timeout: slowest,
    authenticate: (request: FastifyRequest) => take('authenticate', courseOf(request)),
    resolveRole: async (request: FastifyRequest) => {
      const course = courseOf(request)
      courses.enterWith(course)
      await take('resolveRole', course)
      return course.role === 'nobody' ? null : { userId: 20, role: course.role }
    }
  }
  const before = (app: FastifyInstance) => {
    for (const hook of ['onRequest', 'preHandler', 'onSend', 'onError'] as const) {
      app.addHook(hook as 'onRequest', (request) => take(hook, courseOf(request)))
    }
  }
  const { app, texts } = await serve(t, options, { before, log: 'trace' })
  const { port } = await listen(app)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())

  const statuses = new Map<number, number>()
  const wrong: unknown[] = []
  const request = async (course: Course) => {
    const headers = { 'x-course': JSON.stringify(course) }
    const sent = get({ port, host: '127.0.0.1', path: '/payment/list?search=jane.doe', agent, headers })
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const text = (await answer.setEncoding('utf8').toArray()).join('')
    const status = answer.statusCode ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const body = JSON.parse(text)
    const isWhole =
      (status === 200 ? body.status === 'success' && Array.isArray(body.data) : body.status === status && body.error) &&
      answer.headers['content-type'] === 'application/json; charset=utf-8' &&
      answer.headers['cache-control'] === 'private, no-store' &&
      (answer.headers['www-authenticate'] === 'Bearer') === (status === 401)
    if (!isWhole) wrong.push({ course, status, text, headers: answer.headers })
  }
  const all = fc.sample(anyCourse, 400)
  let extra = 0
  // On a busy machine, each of the first requests may be late.
  const isDone = () => all.length === 0 && (statuses.size >= 4 || performance.now() > end)
  const end = performance.now() + 60_000
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      while (!isDone()) await request(all.pop() ?? (fc.sample(anyCourse, { numRuns: 1, seed: extra++ })[0] as Course))
    })
  )
  t.strictSame(wrong, [])
  t.strictSame([...statuses.keys()].sort(), [200, 401, 500, 504], 'each status occurred')
  const telling = texts.filter((text) => /jane|already sent/.test(text))
  t.strictSame(telling, [], 'no line contains the search term or the thrown error')
})

type Authenticate = NonNullable<ListingOptions['authenticate']>
type PreHandler = (request: FastifyRequest, reply: FastifyReply) => unknown

/** Hooks of a host that answer, and go on. `again` comes while another hook delays the answer. */
const twice: Record<string, [hook: { authenticate: Authenticate } | { preHandler: PreHandler }, expected: object]> = {
  'authenticate sends its error, as many examples do': [
    {
      authenticate: async (_request, reply) => {
        reply.send(Object.assign(new Error('jane.doe'), { statusCode: 401 }))
      }
    },
    { statusCode: 401, body: '{"status":401,"error":"Invalid or expired token."}' }
  ],
  'a preHandler sends its error': [
    { preHandler: (_request, reply) => void reply.send(Object.assign(new Error('jane.doe'), { statusCode: 403 })) },
    { statusCode: 403, body: '{"status":403,"error":"You do not have permission to access these payments."}' }
  ],
  'a preHandler sends a body': [
    { preHandler: (_request, reply) => void reply.code(403).send('no') },
    { statusCode: 403, body: 'no', headers: { 'content-type': 'text/plain; charset=utf-8' } }
  ],
  'a preHandler sends a body and no status': [
    { preHandler: (_request, reply) => void reply.send('own') },
    { statusCode: 200, body: 'own' }
  ],
  'a callback lets through, and refuses later': [
    {
      authenticate: (_request, reply, done) => {
        reply.raw.once('again', () => done(Object.assign(new Error('late'), { statusCode: 401 })))
        done()
      }
    },
    { statusCode: 200 }
  ]
}

for (const [what, [hook, expected]] of Object.entries(twice)) {
  t.test(`a client gets one answer, also if a hook delays it: ${what}`, async (t) => {
    const before = (app: FastifyInstance) => {
      if ('preHandler' in hook) app.addHook('preHandler', async (request, reply) => hook.preHandler(request, reply))
      app.addHook('onSend', async (_request, reply) => {
        await sleep(20)
        reply.raw.emit('again')
        await sleep(80)
      })
    }
    const options = { db, resolveRole: () => admin, ...('authenticate' in hook && hook) }
    const { app, texts } = await serve(t, options, { before, log: 'debug' })
    const headers = headersOf(admin)
    const answer = await app.inject({ url: '/payment/list?search=jane.doe', headers })
    t.match(answer, expected)
    t.equal(texts.join().includes('Found.'), answer.statusCode === 200)
    await sleep(100)
    t.match(await app.inject({ url: '/payment/list', headers }), { statusCode: answer.statusCode }, 'the server lives')
    t.notMatch(texts.join(), /jane\.doe/)
  })
}

t.test('the lists do not answer a hijacked reply', async (t) => {
  const before = (app: FastifyInstance) =>
    app.addHook('preHandler', (_request, reply) => {
      reply.hijack()
      setTimeout(() => reply.raw.writeHead(200).end('host'), timeout + 300)
    })
  const { app } = await serve(t, { db, timeout }, { before })
  const headers = headersOf(admin)
  t.match(await app.inject({ url: '/payment/list', headers }), { statusCode: 200, body: 'host' })
})

t.test('a client that leaves while a hook delays authenticate’s own answer is not a failure', async (t) => {
  let isClosed = false
  const before = (app: FastifyInstance) =>
    app.addHook('onSend', async ({ raw }) => {
      sent.destroy()
      await once(raw.socket, 'close')
      isClosed = true
    })
  const authenticate: ListingOptions['authenticate'] = async (_request, reply) => reply.code(401).send('own')
  const { port, lines } = await listening(t, { db, authenticate }, { before, log: 'trace' })
  const sent = get({ port, host: '127.0.0.1', path: '/payment/list' }).on('error', () => undefined)
  t.ok(await until(() => isClosed))
  const failures = lines.filter(({ level }) => level > 30)
  t.strictSame(failures, [])
})

t.test('a hook that calls callNotFound gets a 404', async (t) => {
  for (const place of ['authenticate', 'preHandler'] as const) {
    const hook = async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.callNotFound()
      return reply
    }
    const before = (app: FastifyInstance) => {
      if (place === 'preHandler') app.addHook(place, hook)
      app.addHook('onSend', () => sleep(20))
    }
    const options = { db, resolveRole: () => admin, authenticate: place === 'authenticate' ? hook : async () => {} }
    const { get } = await serve(t, options, { before })
    t.equal((await get('/payment/list')).status, 404, place)
  }
})

const record = { path: '/payment/:id', key: 'payment', messages: { found: 'Found.', notFound: 'No.' } } as const
const withRecord = payments.extend({ record })

for (const url of ['/payment/list', '/payment/1']) {
  t.test(`a hook that answers while a statement runs ends the work on the request: ${url}`, async (t) => {
    const statements: string[] = []
    let answer: (() => unknown) | undefined
    const db = await openWorld(t, 'sqlite', {
      before: async ({ sql }) => {
        statements.push(sql)
        await answer?.()
      }
    })
    const before = (app: FastifyInstance) =>
      app.addHook('onRequest', (_request, reply, done) => {
        answer = async () => {
          answer = undefined
          statements.length = 0
          reply.code(202).send('early')
          await once(reply.raw, 'finish')
        }
        done()
      })
    const { app, lines } = await serve(t, { db, lists: [withRecord] } as never, { before, log: 'debug' })
    t.match(await app.inject({ url, headers: headersOf(admin) }), { statusCode: 202, body: 'early' })
    // The pool of SQLite has one connection, so the next statement of the request would run in between.
    for (let count = 0; count < 10; count++) await sql`select 'others'`.execute(db)
    t.strictSame([...new Set(statements)], ["select 'others'"])
    const told = lines.filter(({ level, msg }) => level > 30 || msg === 'Found.')
    t.strictSame(told, [])
  })
}

t.test('resolveRole and db run in the async context in which authenticate calls done', async (t) => {
  const storage = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const note = <Result>(result: Result): Result => {
    seen.push(storage.getStore())
    return result
  }
  const { get } = await serve(t, {
    db: () => note(db),
    authenticate: (_request, _reply, done) => storage.run('the context', done),
    resolveRole: () => note(admin)
  })
  t.equal((await get('/payment/list')).status, 200)
  t.strictSame(seen, ['the context', 'the context'])
})

t.test('the time of a request counts from its start, the hooks of the host included', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const timeout = 60_000
  app.addHook('onRequest', () => sleep(100))
  openExchanges(app, timeout)
  app.get('/', async (_request, reply) => {
    const { timeLeft } = (exchangeOf(reply) as Exchange).deadline
    const first = timeLeft()
    await sleep(100)
    return [first, timeLeft()]
  })
  const [first, second] = (await app.inject('/')).json()
  t.ok(first > 0 && first < timeout - 90, `${first} ms after 100`)
  t.ok(second > 0 && second < first - 90, `${second} ms after 100 more`)
})

const { authorization } = headersOf(admin)

t.test('every pipelined request of a client that leaves is stopped', async (t) => {
  let asked = 0
  const resolveRole = () => {
    asked++
    return new Promise<never>(() => undefined)
  }
  const { port, lines } = await listening(t, { db, resolveRole })
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET /payment/list HTTP/1.1\r\nhost: lists\r\nauthorization: ${authorization}\r\n\r\n`.repeat(8))
  t.ok(await until(() => asked === 8))
  socket.destroy()
  t.ok(await until(() => failuresIn(lines).length === 8))
  for (const line of failuresIn(lines)) t.match(line, { level: 20, kind: 'aborted' })
})

t.test('a hook that reads the request is not taken for a client that leaves', async (t) => {
  const readers: Record<string, (raw: Readable) => unknown> = {
    resume: (raw) => raw.resume() && sleep(20),
    pipeline: (raw) => pipeline(raw, new PassThrough().resume())
  }
  for (const [how, read] of Object.entries(readers)) {
    const before = (app: FastifyInstance) => app.addHook('onRequest', async ({ raw }) => void (await read(raw)))
    const { port } = await listening(t, { db, resolveRole: () => sleep(20, admin) }, { before })
    for (const body of ['', '{}']) {
      const headers = { authorization, 'content-type': 'application/json', 'content-length': String(body.length) }
      const sent = request({ port, host: '127.0.0.1', path: '/payment/list', headers })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      t.equal(answer.statusCode, 200, `${how}, ${body.length} bytes`)
      answer.resume()
    }
  }
})

t.test('over HTTP/2, the connection of a request is its stream, and not the socket of all streams', async (t) => {
  const [stream, socket] = [new EventEmitter(), new EventEmitter()]
  let closed = 0
  const forget = onClose({ stream, socket } as never, () => closed++)
  socket.emit('close')
  t.equal(closed, 0)
  stream.emit('close')
  t.equal(closed, 1)
  t.doesNotThrow(() => forget?.())
  t.equal(
    onClose({ stream: { destroyed: true }, socket } as never, () => undefined),
    undefined
  )
})

t.test('a request on a kept-alive connection removes its listener', async (t) => {
  const counts = new Map<Socket, number[]>()
  const before = (app: FastifyInstance) =>
    app.addHook('preHandler', async ({ raw: { socket } }) => {
      counts.set(socket, [...(counts.get(socket) ?? []), socket.listenerCount('close')])
    })
  const { port } = await listening(t, { db }, { before })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  for (let asked = 0; asked < 5; asked++) {
    const sent = request({ port, host: '127.0.0.1', path: '/payment/list', headers: { authorization }, agent }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    await answer.resume().toArray()
  }
  const [all = [], ...others] = counts.values()
  t.equal(others.length, 0)
  t.strictSame(new Set(all), new Set([all[0]]))
  t.equal(all.length, 5)
})

t.test('after a redirect of a hook the request goes no further, however slow the answer is', async (t) => {
  let resolved = 0
  const app = Fastify()
  t.teardown(() => app.close())
  app.addHook('onSend', () => sleep(50))
  await app.register(listing, {
    db: db as never,
    authenticate: async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.redirect('/login')
    },
    resolveRole() {
      resolved++
      return admin
    }
  })
  const { statusCode, headers } = await app.inject('/payment/list')
  t.strictSame([statusCode, headers.location, resolved], [302, '/login', 0])
})
