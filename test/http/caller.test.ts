import { setTimeout as sleep } from 'node:timers/promises'
import jwt, { type FastifyJWTOptions } from '@fastify/jwt'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import listing, { type ListingOptions } from '../../src/index.js'
import { openDatabase } from '../support/databases.js'
import { failuresIn } from '../support/log.js'
import { ask, hostWith, resolveRole, secret, serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { badAuthorizations, headersOf, tokenOf } from '../support/tokens.js'
import { admin, individual } from '../support/world.js'

const unauthorized = { status: 401, text: '{"status":401,"error":"Invalid or expired token."}' }

/** A database that keeps its statements. */
async function watched(t: Test) {
  const statements: unknown[] = []
  return { db: await openWorld(t, 'sqlite', { onQuery: (query) => statements.push(query) }), statements }
}

t.test('every invalid token is the same 401, and calls neither the resolver nor the database', async (t) => {
  const { db, statements } = await watched(t)
  let asked = 0
  const { get } = await serve(t, {
    db,
    resolveRole: (request) => {
      asked++
      return resolveRole(request)
    }
  })
  statements.length = 0
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
  const { get } = await serve(t, { db: await openWorld(t, 'sqlite') })
  for (const scheme of ['bearer ', 'BEARER ', 'Bearer   ']) {
    t.equal((await get('/payment/list', { headers: { authorization: scheme + tokenOf(admin) } })).status, 200, scheme)
  }
})

t.test('a header with text around the token is refused before jwtVerify runs', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  // This jwtVerify accepts every token that reaches it.
  app.decorateRequest('jwtVerify', async () => ({}))
  app.register(listing, { db: await openWorld(t, 'sqlite'), resolveRole: () => admin })
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

t.test('only a token in the Authorization header counts, whatever @fastify/jwt is configured to read', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const good = tokenOf(admin)
  const cookie = { cookieName: 'token', signed: false }
  const members = { secret, namespace: 'members', jwtVerify: 'jwtVerify' }
  const registrations: Record<string, FastifyJWTOptions[]> = {
    'a place of its own': [{ secret, verify: { extractToken: () => good } }],
    'a cookie': [{ secret, cookie }],
    'a cookie as the only place, and a cache of tokens': [
      { secret, cookie, verify: { onlyCookie: true, cache: true } }
    ],
    'a namespace with a place of its own': [{ ...members, verify: { extractToken: () => good } }],
    'a namespace with a cookie': [{ ...members, cookie }],
    'a namespace with a cookie as the only place': [{ ...members, cookie, verify: { onlyCookie: true } }],
    'two namespaces': [
      { secret: 'x'.repeat(32), namespace: 'others' },
      { ...members, cookie, verify: { onlyCookie: true } }
    ]
  }
  for (const [what, registered] of Object.entries(registrations)) {
    const app = Fastify()
    t.teardown(() => app.close())
    for (const options of registered) app.register(jwt, options)
    app.addHook('onRequest', async (request) => {
      Object.assign(request, { cookies: { token: good } })
    })
    app.register(listing, { db, resolveRole })
    for (const authorization of [undefined, 'Bearer x', 'Bearer x.y.z', `Basic ${good}`, `Bearer ${good} ${good}`]) {
      const answer = await ask(app, '/payment/list', { headers: authorization === undefined ? {} : { authorization } })
      t.equal(answer.status, 401, `${what}, ${authorization?.slice(0, 12)}`)
    }
    t.match(
      await ask(app, '/payment/list', { headers: headersOf(individual) }),
      { status: 200, body: { total: 3 } },
      what
    )
  }
})

t.test('without request.jwtVerify and authenticate the boot stops, and the error says what to do', async (t) => {
  const options = { db: await openDatabase(t, 'sqlite'), resolveRole, checkOnReady: 'off' } as const
  const advice =
    /register @fastify\/jwt on the same server, or give the option 'authenticate'\. If a plugin of yours registers @fastify\/jwt, wrap that plugin in fastify-plugin.* If @fastify\/jwt has a namespace, .* give authenticate: \(request\) => request\.membersJwtVerify\(\)\./
  const registrations: ((app: FastifyInstance) => unknown)[] = [
    () => undefined,
    (app) => app.register(async (scope) => void scope.register(jwt, { secret })),
    (app) => app.register(jwt, { secret, namespace: 'members' })
  ]
  for (const register of registrations) {
    const app = Fastify()
    register(app)
    app.register(listing, options)
    await t.rejects(async () => app.ready(), { code: 'FST_LISTING_NO_AUTHENTICATION', message: advice })
  }
})

t.test('an authenticate that answers without returning the reply ends the request', async (t) => {
  const { db, statements } = await watched(t)
  for (const [style, authenticate] of Object.entries<NonNullable<ListingOptions['authenticate']>>({
    promise: async (_request, reply) => {
      reply.code(401).send({ own: 'body' })
    },
    callback: (_request, reply, done) => {
      reply.code(401).send({ own: 'body' })
      done()
    },
    'a promise that rejects afterwards': async (_request, reply) => {
      reply.code(401).send({ own: 'body' })
      throw new Error('too late')
    }
  })) {
    const resolveRole = () => t.fail('nobody is asked for a role') as never
    // Fastify runs the next hooks while this hook delays the answer.
    const before = (app: FastifyInstance) => app.addHook('onSend', () => sleep(50))
    const { app, texts } = await serve(t, { db, authenticate, resolveRole }, { before, log: 'debug' })
    statements.length = 0
    t.match(await app.inject('/payment/list'), { statusCode: 401, body: '{"own":"body"}' }, style)
    t.strictSame(statements, [])
    t.notMatch(texts.join(), /second answer|too late/)
  }
})

t.test('@fastify/jwt may be registered after the lists', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(listing, { db, resolveRole })
  app.register(jwt, { secret })
  await app.ready()
  t.equal((await ask(app, '/payment/list', admin)).status, 200)
  t.equal((await ask(app, '/payment/list')).status, 401)
})

t.test('authenticate may have every style of a Fastify hook', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const isKnown = (request: FastifyRequest) => request.headers['x-session'] === 'good'
  const refusal = (statusCode = 401) => Object.assign(new Error('secret reason'), { statusCode })
  const styles: Record<string, NonNullable<ListingOptions['authenticate']>> = {
    'an async function that throws': async (request) => {
      if (!isKnown(request)) throw refusal()
    },
    'a callback': (request, _reply, done) => done(isKnown(request) ? undefined : refusal()),
    'a callback that throws nothing': (request, reply, done) => {
      reply.code(401)
      if (!isKnown(request)) throw undefined
      reply.code(200)
      done()
    },
    'a callback that throws': (request, _reply, done) => {
      if (!isKnown(request)) throw refusal()
      done()
    },
    'one that sets the status and throws': async (request, reply) => {
      if (isKnown(request)) return
      reply.code(401)
      throw new Error('secret reason')
    },
    'one that sends the error': async (request, reply) =>
      isKnown(request) ? undefined : reply.code(401).send(refusal())
  }
  for (const [style, authenticate] of Object.entries(styles)) {
    const app = await hostWith(t, { db, authenticate, resolveRole: () => admin })
    const refused = await ask(app, '/payment/list')
    t.match(refused, { ...unauthorized, headers: { 'www-authenticate': 'Bearer' } }, style)
    t.equal((await ask(app, '/payment/list', { headers: { 'x-session': 'good' } })).status, 200, style)
  }

  const authenticate: ListingOptions['authenticate'] = async (_request, reply) => reply.code(401).send({ own: 'body' })
  t.match(
    await (await hostWith(t, { db, resolveRole: () => admin, authenticate })).inject('/payment/list'),
    { statusCode: 401, body: '{"own":"body"}', headers: { 'cache-control': 'private, no-store' } },
    'an own reply keeps its body'
  )
})

t.test(
  'the answer to an error of authenticate or resolveRole has the status of the error, never its message',
  async (t) => {
    const db = await openWorld(t, 'sqlite')
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
      [{ code: 'ECONNREFUSED' }, 503, 'Service temporarily unavailable.'],
      [{ statusCode: 504 }, 504, 'The request took too long.']
    ] as const) {
      fault = Object.assign(new Error('secret message'), fields)
      for (const app of apps) {
        const { body, headers } = await ask(app, '/payment/list')
        t.strictSame(body, { status, error }, JSON.stringify(fields))
        t.equal(headers['retry-after'], status === 503 ? '1' : undefined)
      }
    }
    for (fault of ['text', undefined, null, 0]) {
      for (const app of apps) t.equal((await ask(app, '/payment/list')).status, 500, `throws ${fault}`)
    }
  }
)

t.test('null or undefined from resolveRole is a 401, which keeps the headers of authenticate', async (t) => {
  const { db, statements } = await watched(t)
  const authenticate: ListingOptions['authenticate'] = (_request, reply, done) => {
    reply.header('x-own', '1')
    done()
  }
  for (const answer of [null, undefined, Promise.resolve(null)]) {
    const app = await hostWith(t, { db, authenticate, resolveRole: () => answer })
    statements.length = 0
    t.match(await ask(app, '/payment/list'), { ...unauthorized, headers: { 'x-own': '1' } })
    t.strictSame(statements, [])
  }
})

t.test(
  'the result of resolveRole is validated, and the log describes an invalid result without its values',
  async (t) => {
    const { db, statements } = await watched(t)
    let answer: unknown
    const { get, lines } = await serve(t, { db, resolveRole: () => answer as never }, { log: 'error' })
    statements.length = 0
    for (const [given, message] of [
      [{ id: 1, role: 'Admin' }, /userId .*; it returned an object with id, role\.$/],
      [{ userId: '', role: 'Admin' }, /userId .*; it returned an empty string\.$/],
      [{ userId: '1\u0000', role: 'Admin' }, /userId .*; it returned a string\.$/],
      [{ userId: '\ud800', role: 'Admin' }, /userId .*; it returned a string\.$/],
      [{ userId: null, role: 'Admin' }, /userId .*; it returned null\.$/],
      [{ userId: 1.5, role: 'Admin' }, /userId .*; it returned 1\.5\.$/],
      [{ userId: Number.NaN, role: 'Admin' }, /userId .*; it returned NaN\.$/],
      [{ userId: 2 ** 53, role: 'Admin' }, /userId .*; it returned 9007199254740992\.$/],
      [{ userId: { hidden: 1 }, role: 'Admin' }, /userId .*; it returned an object with hidden\.$/],
      [{ userId: ['hidden'], role: 'Admin' }, /userId .*; it returned an array/],
      [{ userId: 1, roles: ['Admin'] }, /role that is a string; it returned an object with userId, roles\.$/],
      [{ userId: 20, role: 7 }, /role that is a string; it returned 7\.$/],
      [true, /userId .*; it returned true\.$/],
      ['hidden', /userId .*; it returned a string\.$/]
    ] as const) {
      answer = given
      lines.length = 0
      t.strictSame((await get('/payment/list', admin)).body, { status: 500, error: 'Internal server error.' })
      t.match(lines, [{ msg: message }])
      t.equal(lines.length, 1)
    }
    t.strictSame(statements, [])
  }
)

t.test('user ids may be numbers, bigints and text', async (t) => {
  let userId: number | bigint | string = 0
  const db = await openWorld(t, 'sqlite')
  const app = await hostWith(t, { db, resolveRole: () => ({ userId, role: 'Individual' }) })
  for (const same of [1, 1n, '1']) {
    userId = same
    t.equal((await ask(app, '/payment/list')).body.total, 3, `${typeof same} ${same}`)
  }
  for (userId of ['01', '1 ', '1abc', '1.0', '1e0']) t.equal((await ask(app, '/payment/list')).body.total, 0, userId)
})

t.test('an unknown role has the reach of any other role, and is logged once', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get, lines } = await serve(t, { db }, { log: 'warn' })
  for (const role of ['ADMIN', 'Admin ', 'admin', 'constructor', '__proto__', '', 'ADMIN', 'x'.repeat(1000)]) {
    const caller = { userId: 1, role }
    t.equal((await get('/assessment/list?search=', caller)).status, 403, role)
    t.equal((await get('/payment/list', caller)).body.total, 3, role)
  }
  t.strictSame(
    lines.map(({ role }) => role),
    ['ADMIN', 'Admin ', 'admin', 'constructor', '__proto__', '', 'x'.repeat(64)]
  )
  lines.length = 0
  for (let i = 0; i < 200; i++) await get('/payment/list', { userId: 1, role: `made up ${i}` })
  t.equal(lines.length, 93, 'at most a hundred unknown roles are logged')
})

t.test(
  'the log names the callback that threw and the codes of its error, and does not mention the option tables',
  async (t) => {
    const db = await openWorld(t, 'sqlite')
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
      ['resolveRole', { resolveRole: async () => fail() }],
      ['resolveRole', { resolveRole: () => queryBuilder as never }],
      ['authenticate', { authenticate: fail }],
      ['authenticate', { authenticate: async () => fail() }],
      ['authenticate', { authenticate: (_request, _reply, done) => done(missing) }],
      ['db', { db: fail }],
      ['tables', { db: () => db, tables: fail }]
    ]
    for (const [callback, options] of cases) {
      const { get, lines } = await serve(t, { db, ...options }, { log: 'error' })
      t.equal((await get('/payment/list?search=jane', admin)).status, 500, callback)
      const codes = { code: 'ER_NO_SUCH_TABLE', errno: 1146, error: 'Error', missing: undefined }
      t.match(lines, [{ msg: `${callback} threw an error.`, callback, ...codes, at: /caller\.test/ }])
      t.equal(lines.length, 1)
    }
  }
)

t.test('the log has the message of an error of the host itself, and of no driver', async (t) => {
  const db = await openWorld(t, 'sqlite')
  class NoMember extends Error {}
  class SQLite3Error extends Error {}
  const errorWith = (fields: object) => Object.assign(new Error('jane'), fields)
  const circle = new Error('round')
  circle.cause = circle
  const cases: [thrown: unknown, error: string | undefined][] = [
    [new NoMember('jane'), 'NoMember'],
    [new SyntaxError('Unexpected token in jane'), 'SyntaxError'],
    [new TypeError('x is not a function'), 'TypeError: x is not a function'],
    [Object.assign(new Error('Closed.'), { status: 423, statusCode: 423 }), 'Error: Closed.'],
    [new Error('outer', { cause: new Error('inner') }), 'Error: outer'],
    [circle, 'Error: round'],
    ['Nobody.', 'Error: resolveRole threw a string.'],
    [undefined, 'Error: resolveRole threw undefined.'],
    [errorWith({ errno: 1 }), 'Error'],
    [errorWith({ code: '23505' }), 'Error'],
    [errorWith({ code: 23505 }), 'Error'],
    [errorWith({ code: 'MEMBER' }), 'Error'],
    [errorWith({ sqlState: '42000' }), 'Error'],
    [errorWith({ sql: 'select 1' }), 'Error'],
    [errorWith({ sqlMessage: 'jane' }), 'Error'],
    [errorWith({ clientVersion: '6' }), 'Error'],
    [errorWith({ name: 'SqliteError' }), 'Error'],
    [errorWith({ [Symbol('x')]: 1 }), 'Error'],
    [new SQLite3Error('UNIQUE constraint failed for jane'), 'SQLite3Error'],
    [new DOMException('jane', 'AbortError'), 'DOMException'],
    [new Error('jane', { cause: errorWith({ errno: 1 }) }), 'Error'],
    [new Error('jane', { cause: new Error('jane', { cause: new SQLite3Error('jane') }) }), 'Error'],
    [new Error('jane', { cause: 'jane' }), 'Error'],
    [new AggregateError([errorWith({ errno: 1 })], 'jane'), 'AggregateError'],
    [{ message: 'jane', stack: 'jane' }, undefined]
  ]
  let thrown: unknown
  const resolveRole = () => Promise.reject(thrown)
  const { get, lines } = await serve(t, { db, resolveRole }, { log: 'debug' })
  for (const [each, error] of cases) {
    thrown = each
    lines.length = 0
    await get('/payment/list', admin)
    t.match(failuresIn(lines), [{ callback: 'resolveRole', error }], String(error))
    t.notMatch(JSON.stringify(lines), /jane/)
  }
})
