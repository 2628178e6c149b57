/** An exchange has one answer, and a deadline. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import jwt from '@fastify/jwt'
import fc from 'fast-check'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import t from 'tap'
import listing, { type ListingOptions } from '../../src/index.js'
import { listen, listening } from '../support/listening.js'
import { keepLog } from '../support/log.js'
import { ask, resolveRole, serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { until } from '../support/until.js'
import { admin } from '../support/world.js'

const fail = async () => {
  throw Object.assign(new Error('late'), { statusCode: 418 })
}

/** Milliseconds: the deadline, the duration of the late work, and the delay of the answer. */
const timeout = 100
const late = 150
const held = 150

/** Slow hooks of a host. */
const hooks: Record<string, (app: FastifyInstance) => unknown> = {
  onError: (app) => app.addHook('onError', () => sleep(held)),
  onSend: (app) => app.addHook('onSend', () => sleep(held)),
  'onSend with a callback': (app) =>
    app.addHook('onSend', (_request, _reply, payload, done) => void setTimeout(done, held, null, payload))
}

const works: Record<string, { find?: () => Promise<unknown>; resolveRole?: () => Promise<typeof admin> }> = {
  'a role': { resolveRole: () => sleep(late, admin) },
  'a role that is refused': { resolveRole: () => sleep(late).then(fail) },
  'a page': { find: () => sleep(late) },
  'a page that fails': { find: () => sleep(late).then(fail) }
}

for (const [hook, hold] of Object.entries(hooks)) {
  for (const [work, { find = async () => undefined, resolveRole = async () => admin }] of Object.entries(works)) {
    t.test(`${work} that arrives while ${hook} delays the 504 changes nothing`, async (t) => {
      const db = await openWorld(t, 'sqlite', { before: ({ sql }) => sql.includes('record creation') && find() })
      const options = { db, resolveRole, timeout, checkOnReady: 'off' as const }
      const before = (app: FastifyInstance) => {
        app.setErrorHandler((_error, _request, reply) => reply.code(418).send('The host answers.'))
        hold(app)
      }
      const { get, lines } = await serve(t, options, { before, log: 'debug' })
      const { status, body } = await get('/payment/list?search=', admin)
      t.strictSame({ status, body }, { status: 504, body: { status: 504, error: 'The request took too long.' } })
      await sleep(held)
      t.strictSame(
        lines.flatMap(({ kind }) => kind ?? []),
        ['timeout']
      )
      t.notMatch(lines.map(({ msg }) => msg).join(), /already sent|Found|late/)
    })
  }
}

/** The milliseconds that each step of a request takes, and the step that fails. */
interface Course {
  onRequest: number
  authenticate: number
  resolveRole: number
  preHandler: number
  find: number
  onSend: number
  onError: number
  fails: 'onRequest' | 'authenticate' | 'resolveRole' | 'preHandler' | 'find' | 'onSend' | 'nothing'
  role: string
}

const steps = ['onRequest', 'authenticate', 'resolveRole', 'preHandler', 'find', 'onSend', 'onError'] as const

const anyCourse: fc.Arbitrary<Course> = fc.record({
  ...(Object.fromEntries(
    // Most steps take no time. One or two slow steps end near the deadline.
    steps.map((step) => [step, fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ max: 60, min: 0 }))])
  ) as Record<(typeof steps)[number], fc.Arbitrary<number>>),
  fails: fc.constantFrom(...steps.slice(0, 6), 'nothing', 'nothing', 'nothing', 'nothing') as fc.Arbitrary<
    Course['fails']
  >,
  role: fc.constantFrom('Admin', 'Individual', 'nobody')
})

t.test('status, headers and body belong to the same answer, whichever step is late', async (t) => {
  const courses = new AsyncLocalStorage<Course>()
  const take = async (step: (typeof steps)[number], course = courses.getStore()) => {
    if (course && course[step] > 0) await sleep(course[step])
    if (course?.fails === step) throw Object.assign(new Error(`jane.doe in ${step}`), { sql: 'jane.doe' })
  }
  const courseOf = ({ headers }: FastifyRequest): Course => JSON.parse(String(headers['x-course']))
  const db = await openWorld(t, 'sqlite', { before: ({ sql }) => sql.includes('record') && take('find') })
  const options = {
    db,
    timeout: 60,
    checkOnReady: 'off' as const,
    authenticate: (request: FastifyRequest) => take('authenticate', courseOf(request)),
    resolveRole: async (request: FastifyRequest) => {
      const course = courseOf(request)
      courses.enterWith(course)
      await take('resolveRole', course)
      return course.role === 'nobody' ? null : { userId: 20, role: course.role }
    }
  }
  const { app, texts } = await serve(t, options, {
    log: 'trace',
    before: (app) => {
      app.addHook('onRequest', (request) => take('onRequest', courseOf(request)))
      app.addHook('preHandler', (request) => take('preHandler', courseOf(request)))
      app.addHook('onSend', (request) => take('onSend', courseOf(request)))
      app.addHook('onError', (request) => take('onError', courseOf(request)))
    }
  })
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
  const all = fc.sample(anyCourse, 2_500)
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      for (let course = all.pop(); course; course = all.pop()) await request(course)
    })
  )
  t.strictSame(wrong, [])
  t.strictSame([...statuses.keys()].sort(), [200, 401, 500, 504], 'each status occurred')
  t.strictSame(
    texts.filter((text) => text.includes('jane')),
    [],
    'no line contains the search term or the thrown error'
  )
  t.strictSame(
    texts.filter((text) => text.includes('already sent')),
    []
  )
})

t.test('an authentication that fails after the deadline, while a hook delays the 504, changes nothing', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const fail = async () => {
    await sleep(late)
    throw Object.assign(new Error('select jane.doe'), { sql: 'select jane.doe', statusCode: 500 })
  }
  const ways: Record<string, Partial<ListingOptions>> = {
    'the option authenticate': { authenticate: fail },
    'a key from a server': {}
  }
  for (const [way, options] of Object.entries(ways)) {
    const { logger, texts } = keepLog()
    const app = Fastify({ logger })
    t.teardown(() => app.close())
    app.register(jwt, { secret: fail })
    app.addHook('onSend', () => sleep(held))
    app.register(listing, { db, resolveRole, timeout, checkOnReady: 'off', ...options })
    const headers = headersOf(admin)
    const { status, body } = await ask(app, '/payment/list?search=jane.doe', { headers })
    t.strictSame({ status, body }, { status: 504, body: { status: 504, error: 'The request took too long.' } }, way)
    await sleep(2 * held)
    t.notMatch(texts.join(), /jane\.doe/, way)
  }
})

t.test('the log line about a hook that sends twice does not contain the search term', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const before = (app: FastifyInstance) =>
    app.addHook('preHandler', async (_request, reply) => {
      reply.send('once')
      reply.send('twice')
    })
  const { get, texts } = await serve(t, { db }, { before, log: 'trace' })
  await get('/payment/list?search=jane.doe&page=1', admin)
  t.notMatch(texts.join(), /jane\.doe/)
})

/** Hooks of a host that answer twice, and the answer that the client gets. */
const twice: Record<
  string,
  [before: (app: FastifyInstance) => unknown, options: Partial<ListingOptions>, expected: object]
> = {
  'a callback that lets through, and refuses later': [
    () => undefined,
    {
      authenticate: (_request, _reply, done) => {
        done()
        setTimeout(() => done(Object.assign(new Error('late'), { statusCode: 401 })), 30)
      }
    },
    { statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8' } }
  ],
  'a callback that lets through, and answers later': [
    () => undefined,
    {
      authenticate: (_request, reply, done) => {
        done()
        setTimeout(() => reply.code(401).type('text/plain').send('no'), 30)
      }
    },
    { statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8' } }
  ],
  'a preHandler that answers without returning the reply': [
    (app) =>
      app.addHook('preHandler', async (_request, reply) => {
        reply.code(403).type('text/plain').send('no')
      }),
    {},
    { statusCode: 403, body: 'no', headers: { 'content-type': 'text/plain' } }
  ],
  'a preHandler that answers without a body, and then with one': [
    (app) =>
      app.addHook('preHandler', async (_request, reply) => {
        reply.code(202).send()
        await sleep(20)
        reply.code(403).type('text/plain').send('no')
      }),
    {},
    { statusCode: 202, body: '', headers: { 'content-type': undefined } }
  ],
  'a preHandler that answers a request that is wrong besides': [
    (app) =>
      app.addHook('preHandler', async (request, reply) => {
        request.raw.url += '&page=0'
        reply.code(403).type('text/plain').send('no')
      }),
    {},
    { statusCode: 403, body: 'no', headers: { 'content-type': 'text/plain' } }
  ]
}

for (const [what, [add, options, expected]] of Object.entries(twice)) {
  t.test(`the first answer counts: ${what}`, async (t) => {
    const db = await openWorld(t, 'sqlite')
    const before = (app: FastifyInstance) => {
      add(app)
      // The delay leaves time for the second answer.
      app.addHook('onSend', () => sleep(100))
    }
    const resolveRole = () => admin
    const { app } = await serve(t, { db, resolveRole, ...options }, { before })
    const headers = headersOf(admin)
    const answer = await app.inject({ url: '/payment/list?search=', headers })
    t.match(answer, expected)
    t.equal(answer.body.startsWith('{"status":"success"'), answer.statusCode === 200)
  })
}

t.test('the lists do not answer a hijacked reply', async (t) => {
  const db = await openWorld(t, 'sqlite')
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
  const db = await openWorld(t, 'sqlite')
  const before = (app: FastifyInstance) => app.addHook('onSend', () => sleep(100))
  const authenticate: ListingOptions['authenticate'] = async (_request, reply) => reply.code(401).send('own')
  const { port, lines } = await listening(t, { db, authenticate }, { before, log: 'trace' })
  const sent = get({ port, host: '127.0.0.1', path: '/payment/list' }).on('error', () => undefined)
  await sleep(50)
  sent.destroy()
  await sleep(200)
  t.strictSame(
    lines.filter(({ level }) => level > 30),
    []
  )
})

t.test('a 404 from authenticate logs no search term', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const authenticate: ListingOptions['authenticate'] = (_request, reply) => reply.callNotFound()
  const resolveRole = () => t.fail('nobody is asked for a role') as never
  const { get, texts } = await serve(t, { db, authenticate, resolveRole }, { log: 'trace' })
  t.equal((await get('/payment/list?search=jane.doe')).status, 404)
  t.notMatch(texts.join(), /jane\.doe/)
})

for (const [what, payload, type] of [
  ['an object', { pre: 1 }, 'application/json; charset=utf-8'],
  ['a text', 'pre', 'text/plain; charset=utf-8'],
  ['bytes', Buffer.from('pre'), 'application/octet-stream']
] as const) {
  t.test(
    `a hook that sends ${what} without returning the reply keeps its media type, and onSend hooks can change it`,
    async (t) => {
      const db = await openWorld(t, 'sqlite')
      for (const [onSend, expected] of [
        [() => sleep(50), { statusCode: 200, headers: { 'content-type': type } }],
        [
          async (_request: FastifyRequest, reply: FastifyReply) => {
            await sleep(50)
            reply.type('text/csv')
            return 'a,b'
          },
          { statusCode: 200, body: 'a,b', headers: { 'content-type': 'text/csv' } }
        ],
        [
          async (_request: FastifyRequest, reply: FastifyReply) => {
            await sleep(50)
            reply.code(304)
            return ''
          },
          { statusCode: 304, body: '' }
        ]
      ] as const) {
        const before = (app: FastifyInstance) => {
          app.addHook('preHandler', async (_request, reply) => {
            reply.send(payload)
          })
          app.addHook('onSend', onSend as () => Promise<void>)
        }
        const { app } = await serve(t, { db, resolveRole: () => admin }, { before })
        const headers = headersOf(admin)
        t.match(await app.inject({ url: '/payment/list', headers }), expected)
      }
    }
  )
}

t.test('a hook that answers while a statement runs ends the work on the request', async (t) => {
  let isRead = false
  const db = await openWorld(t, 'sqlite', {
    before: async ({ sql }) => {
      if (!sql.includes('record creation')) return
      await sleep(100)
      isRead = true
    }
  })
  const before = (app: FastifyInstance) =>
    app.addHook('onRequest', (_request, reply, done) => {
      setTimeout(() => reply.code(202).send('early'), 50)
      done()
    })
  const { app, lines } = await serve(t, { db, checkOnReady: 'off' }, { before, log: 'info' })
  const answer = await app.inject({ url: '/payment/list', headers: headersOf(admin) })
  t.match(answer, { statusCode: 202, body: 'early' })
  t.ok(await until(() => isRead))
  t.strictSame(
    lines.filter(({ level }) => level > 30),
    []
  )
})

t.test('a second answer by callNotFound is dropped', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const first: Record<string, [answer: (reply: FastifyReply) => unknown, status: number]> = {
    send: [(reply) => reply.code(202).send('first'), 202],
    callNotFound: [(reply) => reply.callNotFound(), 404]
  }
  for (const [what, [answer, status]] of Object.entries(first)) {
    const authenticate: ListingOptions['authenticate'] = async (_request, reply) => {
      answer(reply)
      reply.callNotFound()
    }
    const before = (app: FastifyInstance) => app.addHook('onSend', () => sleep(20))
    const { get, lines } = await serve(t, { db, authenticate }, { before, log: 'debug' })
    t.equal((await get('/payment/list')).status, status, what)
    t.match(
      lines.filter(({ msg }) => msg.includes('second answer')),
      [{ level: 20 }]
    )
  }
})

t.test('resolveRole and db run in the async context in which authenticate calls done', async (t) => {
  const storage = new AsyncLocalStorage<string>()
  const world = await openWorld(t, 'sqlite')
  const seen: unknown[] = []
  const note = <Result>(result: Result): Result => {
    seen.push(storage.getStore())
    return result
  }
  const { get } = await serve(t, {
    db: () => note(world),
    authenticate: (_request, _reply, done) => storage.run('the context', done),
    resolveRole: () => note(admin)
  })
  t.equal((await get('/payment/list')).status, 200)
  t.strictSame(seen, ['the context', 'the context'])
})

t.test(
  'a preHandler hook of the host that calls callNotFound gets a 404, also in an encapsulated 404 handler',
  async (t) => {
    const db = await openWorld(t, 'sqlite')
    const callNotFound = async (_request: FastifyRequest, reply: FastifyReply) => reply.callNotFound()
    const before = (app: FastifyInstance) => app.addHook('preHandler', callNotFound)
    const { get } = await serve(t, { db }, { before })
    t.equal((await get('/payment/list', admin)).status, 404)
  }
)

t.test('a second answer from an onSend hook does not change the status of the first', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const before = (app: FastifyInstance) =>
    app.addHook('onSend', async (_request, reply) => {
      reply.code(202).type('text/plain').send('other')
    })
  const { get } = await serve(t, { db }, { before })
  for (const [url, status] of [
    ['/payment/list', 401],
    ['/payment/list?page=0', 400]
  ] as const) {
    const answer = await get(url, status === 401 ? undefined : admin)
    t.match(answer, { status, body: { status }, headers: { 'content-type': 'application/json; charset=utf-8' } }, url)
  }
})
