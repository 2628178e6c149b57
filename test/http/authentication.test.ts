import { type EventEmitter, once } from 'node:events'
import http2 from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import jwt, { type FastifyJWTOptions } from '@fastify/jwt'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions
} from 'fastify'
import t from 'tap'
import listing, { type Authenticate, type ListingOptions } from '../../src/index.js'
import { admin, individual } from '../support/fixtures/world.js'
import { listening, send } from '../support/hosts/listening.js'
import { failuresIn } from '../support/hosts/log.js'
import { ask, hostWith, resolveRole, secret, serve } from '../support/hosts/server.js'
import { badAuthorizations, headersOf, tokenOf } from '../support/hosts/tokens.js'
import { until } from '../support/running/until.js'
import { openWorld } from '../support/servers/tables.js'

const unauthorized = { status: 401, text: '{"status":401,"error":"Invalid or expired token."}' }

const statements: unknown[] = []
const db = await openWorld(t, 'sqlite', { onQuery: (query) => statements.push(query) })

t.test('every invalid token is the same 401, and calls neither the resolver nor the database', async (t) => {
  statements.length = 0
  let asked = 0
  const { get } = await serve(t, {
    db,
    resolveRole: (request) => {
      asked++
      return resolveRole(request)
    }
  })
  for (const [kind, authorization] of Object.entries(badAuthorizations)) {
    const headers = authorization === undefined ? {} : { authorization }
    t.match(
      await get('/payment/list?page=0&staus=x', { headers }),
      { ...unauthorized, headers: { 'www-authenticate': 'Bearer', 'cache-control': 'private, no-store' } },
      kind
    )
  }
  t.equal(asked, 0)
  t.strictSame(statements, [])
})

t.test('the scheme may have any case, and be followed by several spaces', async (t) => {
  const { get } = await serve(t, { db })
  for (const scheme of ['bearer ', 'BEARER ', 'Bearer   ']) {
    t.equal((await get('/payment/list', { headers: { authorization: scheme + tokenOf(admin) } })).status, 200, scheme)
  }
})

t.test('a header with text around the token is refused before jwtVerify runs', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  // This jwtVerify accepts every token that reaches it.
  app.decorateRequest('jwtVerify', async () => ({}))
  app.register(listing, { db, resolveRole: () => admin })
  for (const [authorization, status] of [
    ['Bearer abc', 200],
    ['Bearer a.b-c_d~e+f/g==', 200],
    ['Bearer abc def', 401],
    ['Bearer abc,def', 401],
    ['Bearer abc;x=1', 401],
    ['Bearer abc=x', 401],
    ['Bearer abc "', 401],
    ['Bearer =', 401],
    ['Bearerabc', 401],
    ['x Bearer abc', 401],
    ['Basic x, Bearer abc', 401]
  ] as const) {
    t.equal((await ask(app, '/payment/list', { headers: { authorization } })).status, status, authorization)
  }
})

t.test('only a token in the Authorization header counts, wherever @fastify/jwt reads tokens', async (t) => {
  const good = tokenOf(admin)
  const cookie = { cookieName: 'token', signed: false }
  const members = { secret, namespace: 'members', jwtVerify: 'jwtVerify' }
  const registrations: Record<string, FastifyJWTOptions[]> = {
    'a place of its own': [{ secret, verify: { extractToken: () => good } }],
    'a cookie as the only place, and a cache of tokens': [
      { secret, cookie, verify: { onlyCookie: true, cache: true } }
    ],
    'two namespaces': [
      { secret: 'x'.repeat(32), namespace: 'others' },
      { ...members, cookie, verify: { onlyCookie: true } }
    ]
  }
  for (const [what, registered] of Object.entries(registrations)) {
    const app = Fastify()
    t.teardown(() => app.close())
    app.addHook('onRequest', async (request) => {
      Object.assign(request, { cookies: { token: good } })
    })
    app.register(listing, { db, resolveRole, checkOnReady: 'off' })
    // A host may register @fastify/jwt after the lists.
    for (const options of registered) app.register(jwt, options)
    for (const authorization of [undefined, 'Bearer x', 'Bearer x.y.z', `Basic ${good}`]) {
      const answer = await ask(app, '/payment/list', { headers: authorization === undefined ? {} : { authorization } })
      t.equal(answer.status, 401, `${what}, ${authorization?.slice(0, 12)}`)
    }
    const answer = await ask(app, '/payment/list', { headers: headersOf(individual) })
    t.match(answer, { status: 200, body: { total: 3 } }, what)
  }
})

t.test('without request.jwtVerify and authenticate the boot stops, and the error says what to do', async (t) => {
  const app = Fastify()
  app.register(listing, { db, resolveRole, checkOnReady: 'off' })
  await t.rejects(async () => app.ready(), {
    code: 'FST_LISTING_NO_AUTHENTICATION',
    message:
      /register @fastify\/jwt on the same server, or give the option 'authenticate'\. If a plugin of yours registers @fastify\/jwt, wrap that plugin in fastify-plugin.* If @fastify\/jwt has a namespace, .* give authenticate: \(request\) => request\.membersJwtVerify\(\)\./
  })
})

t.test('an authenticate that throws after its answer was sent changes nothing', async (t) => {
  let isThrown = false
  const authenticate: ListingOptions['authenticate'] = async (_request, reply) => {
    reply.code(401).send('own')
    await once(reply.raw, 'finish')
    isThrown = true
    throw new Error('late')
  }
  const { app, texts } = await serve(t, { db, authenticate }, { log: 'trace' })
  t.match(await app.inject('/payment/list'), { statusCode: 401, body: 'own' })
  t.ok(await until(() => isThrown))
  await sleep(20)
  t.notMatch(texts.join(), /late|already sent/)
})

t.test('a hook that sets a status and answers nothing gets a 504', async (t) => {
  for (const [place, status] of [
    ['authenticate', 401],
    ['preHandler', 403]
  ] as const) {
    const hook = async (_request: unknown, reply: FastifyReply) => {
      reply.code(status)
    }
    const before = (app: FastifyInstance) => place === 'preHandler' && app.addHook(place, hook)
    const options = place === 'authenticate' ? { authenticate: hook } : {}
    const { get } = await serve(t, { db, timeout: 100, ...options }, { before })
    for (const url of ['/payment/list', '/payment/list?page=0'])
      t.match(await get(url, individual), { status: 504 }, place)
  }
  const before = (app: FastifyInstance) => app.addHook('onRequest', async (_request, reply) => void reply.code(203))
  const { get } = await serve(t, { db }, { before })
  t.match(await get('/payment/list', individual), { status: 203, body: { status: 'success' } })
})

t.test('the answer to an error of authenticate or resolveRole has its status, and never its message', async (t) => {
  let fault: unknown
  const fail = async (): Promise<never> => {
    throw fault
  }
  const apps = [
    await hostWith(t, { db, authenticate: fail, resolveRole: () => admin }),
    await hostWith(t, { db, resolveRole: fail })
  ]
  for (const [fields, status, error] of [
    [{ code: 'FAST_JWT_INVALID_ALGORITHM' }, 401, 'Invalid or expired token.'],
    [{ statusCode: 403 }, 403, 'You do not have permission to access these payments.'],
    [{ statusCode: 429 }, 429, 'Too Many Requests.'],
    [{}, 500, 'Internal server error.'],
    [{ code: 'ECONNREFUSED' }, 503, 'Service temporarily unavailable.']
  ] as const) {
    fault = Object.assign(new Error('secret message'), fields)
    for (const app of apps) {
      t.strictSame((await ask(app, '/payment/list')).body, { status, error }, JSON.stringify(fields))
    }
  }
})

/** Hooks of both styles. Each writes its name into `ran`. */
const hooksIn = (ran: string[]) => ({
  async promise() {
    await sleep(1)
    ran.push('promise')
  },
  callback(_request: unknown, _reply: unknown, done: () => void) {
    ran.push('callback')
    setImmediate(done)
  },
  resolveRole() {
    ran.push('resolveRole')
    return admin
  }
})

t.test('the hooks of an array run in order, async hooks and hooks with a callback', async (t) => {
  const ran: string[] = []
  const { promise, callback, resolveRole } = hooksIn(ran)
  const authenticate = [promise, callback, promise]
  const app = await hostWith(t, { db, authenticate, resolveRole })
  authenticate.pop()
  t.equal((await ask(app, '/payment/list')).status, 200)
  t.strictSame(ran, ['promise', 'callback', 'promise', 'resolveRole'], 'a later change of the array has no effect')
})

const refused = Object.assign(new Error('secret reason'), { statusCode: 401 })
const refusals: Record<string, [hook: Authenticate, status: number, text: string]> = {
  'rejects with a status': [
    async () => Promise.reject(Object.assign(new Error('No.'), { statusCode: 403 })),
    403,
    'You do not have permission to access these payments.'
  ],
  'throws undefined after it has set a status': [
    (_request, reply) => {
      reply.code(401)
      throw undefined
    },
    401,
    'Invalid or expired token.'
  ],
  'passes an error on, and calls done again': [
    (_request, _reply, done) => {
      done(refused)
      done()
    },
    401,
    'Invalid or expired token.'
  ],
  'passes an error on': [(_request, _reply, done) => done(refused), 401, 'Invalid or expired token.'],
  answers: [(_request, reply) => reply.code(202).send('mine'), 202, 'mine'],
  'answers and does not return the reply': [async (_request, reply) => void reply.code(418).send('mine'), 418, 'mine'],
  'answers and calls done': [(_request, reply, done) => done(void reply.code(418).send('mine')), 418, 'mine']
}
for (const [how, [hook, status, text]] of Object.entries(refusals)) {
  t.test(`the first hook that ${how} ends the request`, async (t) => {
    statements.length = 0
    for (const place of [0, 1, 2]) {
      const ran: string[] = []
      const { promise, callback, resolveRole } = hooksIn(ran)
      const authenticate = [callback, promise].toSpliced(place, 0, hook)
      // Fastify runs the next hooks while this hook delays the answer.
      const before = (app: FastifyInstance) => app.addHook('onSend', () => sleep(20))
      const { get } = await serve(t, { db, authenticate, resolveRole }, { before })
      const answer = await get('/payment/list')
      t.match(answer, { status, headers: { 'cache-control': 'private, no-store' } })
      t.equal(answer.headers['www-authenticate'], status === 401 ? 'Bearer' : undefined)
      t.equal(answer.text, text === 'mine' ? text : JSON.stringify({ status, error: text }))
      t.strictSame(ran, ['callback', 'promise'].slice(0, place))
    }
    t.strictSame(statements, [])
  })
}

t.test('null or undefined from resolveRole is a 401, which keeps the headers of authenticate', async (t) => {
  statements.length = 0
  const authenticate: ListingOptions['authenticate'] = (_request, reply, done) => {
    reply.header('x-own', '1')
    done()
  }
  for (const answer of [null, undefined, Promise.resolve(null)]) {
    const app = await hostWith(t, { db, authenticate, resolveRole: () => answer })
    t.match(await ask(app, '/payment/list'), { ...unauthorized, headers: { 'x-own': '1' } })
    t.strictSame(statements, [])
  }
})

t.test('the log names the callback that threw, the codes of its error, and what its query lacks', async (t) => {
  const missing = Object.assign(new Error("Table 'crm.members' doesn't exist"), {
    code: 'ER_NO_SUCH_TABLE',
    errno: 1146
  })
  const fail = () => {
    throw missing
  }
  // Knex and Prisma return thenables that are not promises.
  const queryBuilder = Object.fromEntries([
    ['then', (_resolve: unknown, reject: (error: Error) => void) => reject(missing)]
  ])
  const cases: [callback: string, options: Partial<ListingOptions>][] = [
    ['resolveRole', { resolveRole: fail }],
    ['resolveRole', { resolveRole: () => queryBuilder as never }],
    ['authenticate', { authenticate: (_request, _reply, done) => done(missing) }],
    ['db', { db: fail }],
    ['tables', { db: () => db, tables: fail }]
  ]
  for (const [callback, options] of cases) {
    const { get, lines } = await serve(t, { db, ...options }, { log: 'error' })
    t.equal((await get('/payment/list?search=jane', admin)).status, 500, callback)
    const facts = { code: 'ER_NO_SUCH_TABLE', errno: 1146, error: 'Error', missing: 'crm.members' }
    const msg = `${callback} threw an error. Missing in the database: crm.members.`
    t.match(lines, [{ msg, callback, ...facts, at: /authentication\.test/ }])
    t.equal(lines.length, 1)
  }
})

const { authorization } = headersOf(admin)

/** Clients that ask, and then leave. */
const clients = {
  'HTTP/1.1': async (port: number) => {
    const socket = await send(port, '/payment/list')
    return () => socket.destroy()
  },
  'HTTP/2, one stream': async (port: number) => {
    const { session, stream } = streamOf(port)
    stream.once('close', () => session.destroy())
    return () => stream.close(http2.constants.NGHTTP2_CANCEL)
  },
  'HTTP/2, the whole session': async (port: number) => {
    const { session } = streamOf(port)
    return () => session.destroy()
  }
}

function streamOf(port: number) {
  const session = http2.connect(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':path': '/payment/list', authorization }).on('error', () => undefined)
  return { session, stream }
}

for (const [protocol, step] of [
  ['HTTP/1.1', 'a hook'],
  ['HTTP/1.1', 'authenticate'],
  ['HTTP/1.1', 'a second hook of authenticate'],
  ['HTTP/1.1', 'resolveRole'],
  ['HTTP/2, one stream', 'a hook'],
  ['HTTP/2, one stream', 'authenticate'],
  ['HTTP/2, one stream', 'a second hook of authenticate'],
  ['HTTP/2, the whole session', 'resolveRole']
] as const) {
  t.test(`a client that leaves over ${protocol} during ${step} asks nothing further`, async (t) => {
    const taken: string[] = []
    let [left, leave] = [(): void => undefined, (): void => undefined]
    const asked = new Promise<void>((resolve) => {
      left = resolve
    })
    const slow = async (now: string, { raw }: FastifyRequest) => {
      taken.push(now)
      if (now !== step) return
      await asked
      const closed = once((raw as { stream?: EventEmitter }).stream ?? raw.socket, 'close')
      leave()
      await closed
    }
    const options = {
      db,
      authenticate: ['authenticate', 'a second hook of authenticate'].map(
        (name) => (request: FastifyRequest) => slow(name, request)
      ),
      resolveRole: (request: FastifyRequest) => slow('resolveRole', request).then(() => admin)
    }
    const before = (app: FastifyInstance) => app.addHook('onRequest', (request) => slow('a hook', request))
    const server = (protocol === 'HTTP/1.1' ? {} : { http2: true }) as FastifyServerOptions
    const { port, lines } = await listening(t, options, { server, before })
    statements.length = 0
    leave = await clients[protocol](port)
    left()
    t.ok(await until(() => failuresIn(lines).length > 0))
    t.match(failuresIn(lines), [{ level: 20, kind: 'aborted', msg: 'The client left before the answer.' }])
    t.strictSame(statements, [])
    t.equal(taken.at(-1), step)
  })
}
