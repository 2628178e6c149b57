import { setTimeout as sleep } from 'node:timers/promises'
import jwt, { type FastifyJWTOptions } from '@fastify/jwt'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import listing, { type ListingOptions } from '../../src/index.js'
import { openDatabase } from '../support/databases.js'
import { failuresIn, keepLog } from '../support/log.js'
import { ask, hostWith, resolveRole, secret, serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { badAuthorizations, token } from '../support/tokens.js'
import { admin } from '../support/world.js'

const paths = ['/assessment/list?search=', '/payment/list']
const unauthorized = { status: 401, error: 'Invalid or expired token.' }

/** A database that counts its statements after the boot. */
async function counted(t: Test) {
  let queries = 0
  const onQuery = () => {
    queries++
  }
  const db = await openWorld(t, 'sqlite', { onQuery })
  const queriesOf = async (act: () => Promise<unknown>) => {
    queries = 0
    await act()
    return queries
  }
  return { db, queriesOf }
}

t.test('every invalid token is the same 401, and calls neither the resolver nor the database', async (t) => {
  const { db, queriesOf } = await counted(t)
  let asked = 0
  const server = await serve(t, {
    db,
    resolveRole: (request) => {
      asked++
      return resolveRole(request)
    }
  })
  for (const [kind, authorization] of Object.entries(badAuthorizations)) {
    for (const path of ['/assessment/list?search=', '/payment/list?page=0&staus=x']) {
      const queries = await queriesOf(async () => {
        const answer = await server.get(path, { headers: authorization === undefined ? {} : { authorization } })
        t.equal(answer.status, 401, `${kind} on ${path}`)
        t.strictSame(answer.body, unauthorized)
        t.match(answer.headers, { 'www-authenticate': 'Bearer', 'cache-control': 'private, no-store' })
      })
      t.equal(queries, 0)
    }
  }
  t.equal(asked, 0)
  t.equal(
    (await server.get('/payment/list', { headers: { authorization: `bearer ${token({ sub: '20', role: 'Admin' })}` } }))
      .status,
    200
  )
})

t.test('a token is read from the Authorization header only, whatever @fastify/jwt is configured to read', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const good = token({ sub: '20', role: 'Admin' })
  for (const verify of [{ extractToken: () => good }, { onlyCookie: true }]) {
    const app = Fastify()
    t.teardown(() => app.close())
    app.register(jwt, { secret, verify, cookie: { cookieName: 'token', signed: false } })
    app.addHook('onRequest', async (request) => {
      Object.assign(request, { cookies: { token: good } })
    })
    app.register(listing, { db, resolveRole })
    t.equal((await ask(app, '/payment/list')).status, 401)
    t.equal((await ask(app, '/payment/list', { headers: { authorization: 'Bearer x.y.z' } })).status, 401)
    t.equal((await ask(app, '/payment/list', { headers: { authorization: `Bearer ${good}` } })).status, 200)
  }
})

t.test('a header with text around the token is refused before jwtVerify runs', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const app = Fastify()
  t.teardown(() => app.close())
  // This jwtVerify accepts every token that reaches it.
  app.decorateRequest('jwtVerify', async () => ({}))
  app.register(listing, { db, resolveRole: () => admin })
  await app.ready()
  const statusOf = async (authorization: string) =>
    (await ask(app, '/payment/list', { headers: { authorization } })).status
  for (const good of ['Bearer abc', 'bearer abc', 'Bearer   abc', 'Bearer a.b-c_d~e+f/g==']) {
    t.equal(await statusOf(good), 200, good)
  }
  for (const bad of [
    'Bearer abc def',
    'Bearer abc,def',
    'Bearer abc;x=1',
    'Bearer abc=x',
    'Bearer abc "',
    'Bearer =',
    'Bearerabc',
    'x Bearer abc',
    'Basic x, Bearer abc'
  ]) {
    t.equal(await statusOf(bad), 401, bad)
  }
})

t.test('a cookie never authenticates a request, with any namespace of @fastify/jwt', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const good = token({ sub: '20', role: 'Admin' })
  const other = token({ sub: '1', role: 'Individual' })
  const cookie = { cookieName: 'token', signed: false }
  const registrations: Record<string, FastifyJWTOptions[]> = {
    'a namespace, whose cookie is the only place': [
      { secret, cookie, namespace: 'members', jwtVerify: 'jwtVerify', verify: { onlyCookie: true } }
    ],
    'a namespace with a place of its own': [
      { secret, namespace: 'members', jwtVerify: 'jwtVerify', verify: { extractToken: () => good } }
    ],
    'a namespace with a cookie': [{ secret, cookie, namespace: 'members', jwtVerify: 'jwtVerify' }],
    'two namespaces': [
      { secret: 'x'.repeat(32), namespace: 'others' },
      { secret, cookie, namespace: 'members', jwtVerify: 'jwtVerify', verify: { onlyCookie: true } }
    ],
    'a cookie': [{ secret, cookie }],
    'a cookie and a cache of tokens': [{ secret, cookie, verify: { onlyCookie: true, cache: true } }]
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
    const answer = await ask(app, '/payment/list', { headers: { authorization: `Bearer ${other}` } })
    t.match(answer, { status: 200, body: { total: 3 } }, `${what}: the token of the header decides`)
  }
})

t.test(
  'a namespace of @fastify/jwt without request.jwtVerify stops the boot, and the error says what to do',
  async (t) => {
    const app = Fastify()
    app.register(jwt, { secret, namespace: 'members' })
    app.register(listing, { db: await openDatabase(t, 'sqlite'), resolveRole, checkOnReady: 'off' })
    await t.rejects(async () => app.ready(), {
      message: /If @fastify\/jwt has a namespace, .* give authenticate: \(request\) => request\.membersJwtVerify\(\)\./
    })
  }
)

t.test('an authenticate that answers without returning the reply ends the request', async (t) => {
  const { db, queriesOf } = await counted(t)
  for (const [style, authenticate] of Object.entries<NonNullable<ListingOptions['authenticate']>>({
    promise: async (_request, reply) => {
      reply.code(401).send({ own: 'body' })
    },
    callback: (_request, reply, done) => {
      reply.code(401).send({ own: 'body' })
      done()
    }
  })) {
    let asked = 0
    const app = Fastify()
    t.teardown(() => app.close())
    // Fastify runs the next hooks while this hook delays the answer.
    app.addHook('onSend', () => sleep(50))
    app.register(listing, {
      db,
      authenticate,
      resolveRole: () => {
        asked++
        return admin
      }
    })
    await app.ready()
    const queries = await queriesOf(async () => {
      const answer = await app.inject('/payment/list')
      t.match(answer, { statusCode: 401, body: '{"own":"body"}' }, style)
    })
    t.equal(queries, 0)
    t.equal(asked, 0)
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

t.test('without @fastify/jwt and authenticate the boot stops, and the error says what to do', async (t) => {
  const app = Fastify()
  // @fastify/jwt is there, but encapsulated.
  app.register(async (scope) => void scope.register(jwt, { secret }))
  app.register(listing, { db: await openDatabase(t, 'sqlite'), resolveRole, checkOnReady: 'off' })
  await t.rejects(async () => app.ready(), {
    message:
      /register @fastify\/jwt on the same server, or give the option 'authenticate'\. If a plugin of yours registers @fastify\/jwt, wrap that plugin in fastify-plugin/
  })
})

t.test('authenticate may have every style of a Fastify hook', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const isKnown = (request: FastifyRequest) => request.headers['x-session'] === 'good'
  const refusal = (statusCode = 401) => Object.assign(new Error('secret reason'), { statusCode })
  const styles: Record<string, NonNullable<ListingOptions['authenticate']>> = {
    'an async function that throws': async (request) => {
      if (!isKnown(request)) throw refusal()
    },
    'a function that rejects': (request: FastifyRequest): Promise<void> =>
      isKnown(request) ? Promise.resolve() : Promise.reject(refusal()),
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
    for (const path of paths) {
      const answer = await ask(app, path)
      t.equal(answer.status, 401, style)
      t.strictSame(answer.body, unauthorized, style)
      t.equal(answer.headers['www-authenticate'], 'Bearer')
      t.equal((await ask(app, path, { headers: { 'x-session': 'good' } })).status, 200, style)
    }
  }

  const replies = await hostWith(t, {
    db,
    resolveRole: () => admin,
    authenticate: async (_request, reply) => reply.code(401).send({ own: 'body' })
  })
  const answer = await replies.inject('/payment/list')
  t.equal(answer.statusCode, 401)
  t.equal(answer.body, '{"own":"body"}', 'an own reply keeps its body')
  t.equal(answer.headers['cache-control'], 'private, no-store')
})

t.test(
  'the answer to an error of authenticate or resolveRole has the status of the error, never its message',
  async (t) => {
    const db = await openWorld(t, 'sqlite')
    const text: Record<number, string> = {
      401: 'Invalid or expired token.',
      402: 'Payment Required.',
      403: 'You do not have permission to access these payments.',
      429: 'Too Many Requests.',
      500: 'Internal server error.',
      502: 'Bad Gateway.',
      503: 'Service temporarily unavailable.',
      504: 'The request took too long.',
      599: 'Error.'
    }
    const thrown: [unknown, number][] = [
      ...Object.keys(text).map((status): [unknown, number] => [{ statusCode: Number(status) }, Number(status)]),
      [{}, 500],
      [{ statusCode: 200 }, 500],
      [{ code: 'ECONNREFUSED' }, 503],
      [{ cause: { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } } }, 503],
      [{ code: 'FAST_JWT_INVALID_ALGORITHM' }, 401],
      [{ code: 'FST_JWT_BAD_REQUEST', statusCode: 400 }, 401],
      [{ code: 'FAST_JWT_KEY_FETCHING_ERROR' }, 500],
      [{ code: 'FAST_JWT_KEY_FETCHING_ERROR', originalError: { code: 'ENOTFOUND' } }, 503]
    ]
    let fault: unknown
    const fail = async (): Promise<never> => {
      throw fault
    }
    const apps = [
      await hostWith(t, { db, authenticate: fail, resolveRole: () => admin }),
      await hostWith(t, { db, resolveRole: fail })
    ]
    for (const [error, status] of thrown) {
      fault = Object.assign(new Error('secret message'), error)
      for (const app of apps) {
        const answer = await ask(app, '/payment/list')
        t.equal(answer.status, status, JSON.stringify(error))
        t.strictSame(answer.body, { status, error: text[status] })
        t.equal(answer.headers['retry-after'], status === 503 ? '1' : undefined)
      }
    }
    const authenticate = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      reply.header('retry-after', '7')
      throw Object.assign(new Error('busy'), { statusCode: 503 })
    }
    const busy = await ask(await hostWith(t, { db, authenticate, resolveRole }), '/payment/list')
    t.match(busy, { status: 503, headers: { 'retry-after': '7' } }, "the host's own header stays")
    for (fault of ['text', undefined, null, 0]) {
      for (const app of apps) t.equal((await ask(app, '/payment/list')).status, 500, `throws ${fault}`)
    }
  }
)

t.test('null or undefined from resolveRole is a 401', async (t) => {
  const { db, queriesOf } = await counted(t)
  for (const answer of [null, undefined, Promise.resolve(null)]) {
    const app = await hostWith(t, { db, resolveRole: () => answer })
    t.equal(await queriesOf(async () => t.strictSame((await ask(app, '/assessment/list')).body, unauthorized)), 0)
  }
})

t.test(
  'the result of resolveRole is validated, and the log describes an invalid result without its values',
  async (t) => {
    const { db, queriesOf } = await counted(t)
    const cases: [unknown, RegExp][] = [
      [{ role: 'Admin' }, /userId .* returned an object with role\./],
      [{ userId: '', role: 'Admin' }, /returned an empty string/],
      [{ userId: '1\u0000', role: 'Admin' }, /returned a string/],
      [{ userId: '\ud800', role: 'Admin' }, /returned a string/],
      [{ userId: null, role: 'Admin' }, /returned null/],
      [{ userId: 1.5, role: 'Admin' }, /returned 1.5/],
      [{ userId: Number.NaN, role: 'Admin' }, /returned NaN/],
      [{ userId: 2 ** 53, role: 'Admin' }, /returned 9007199254740992/],
      [{ userId: { hidden: 1 }, role: 'Admin' }, /returned an object with hidden/],
      [{ userId: ['hidden'], role: 'Admin' }, /returned an array/],
      [{ userId: 20 }, /role .* returned an object with userId\./],
      [{ userId: 20, role: 7 }, /returned 7/],
      [true, /userId .* returned true/],
      ['hidden', /userId .* returned a string/]
    ]
    for (const [answer, message] of cases) {
      const { logger, lines } = keepLog('error')
      const app = Fastify({ logger })
      t.teardown(() => app.close())
      app.register(listing, { db, authenticate: async () => undefined, resolveRole: () => answer as never })
      await app.ready()
      const queries = await queriesOf(async () =>
        t.strictSame((await ask(app, '/payment/list')).body, { status: 500, error: 'Internal server error.' })
      )
      t.equal(queries, 0)
      t.equal(lines.length, 1)
      t.match(lines[0]?.msg, message)
    }
  }
)

t.test('user ids may be numbers, bigints and text', async (t) => {
  const db = await openWorld(t, 'sqlite')
  for (const [userId, total] of [
    [1, 3],
    [1n, 3],
    ['1', 3],
    ['01', 0],
    ['1 ', 0],
    ['1abc', 0],
    ['1.0', 0],
    ['1e0', 0]
  ] as const) {
    const app = await hostWith(t, { db, resolveRole: () => ({ userId, role: 'Individual' }) })
    t.equal((await ask(app, '/payment/list')).body.total, total, String(userId))
  }
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

t.test('a header of authenticate does not prevent the 401 of an unknown caller', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const authenticate = (_request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    reply.header('x-own', '1')
    done()
  }
  const app = await hostWith(t, { db, authenticate, resolveRole: () => null })
  const answer = await ask(app, '/payment/list')
  t.match(answer, { status: 401, headers: { 'x-own': '1' } })
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
      t.match(lines, [
        {
          msg: `${callback} threw an error.`,
          callback,
          code: 'ER_NO_SUCH_TABLE',
          errno: 1146,
          error: 'Error',
          missing: undefined,
          at: /caller\.test/
        }
      ])
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

t.test('the log names a callback that throws a non-object', async (t) => {
  const db = await openWorld(t, 'sqlite')
  for (const [thrown, message] of [
    ['Nobody.', 'Error: resolveRole threw a string.'],
    [undefined, 'Error: resolveRole threw undefined.']
  ]) {
    const resolveRole = () => Promise.reject(thrown)
    const { get, lines } = await serve(t, { db, resolveRole }, { log: 'error' })
    t.equal((await get('/payment/list', admin)).status, 500)
    t.match(lines, [{ callback: 'resolveRole', error: message }])
  }
})

t.test('the log names the properties that resolveRole returned', async (t) => {
  const db = await openWorld(t, 'sqlite')
  for (const [answer, message] of [
    [{ id: 1, role: 'Admin' }, /userId .*; it returned an object with id, role\.$/],
    [{ userId: 1, roles: ['Admin'] }, /role that is a string; it returned an object with userId, roles\.$/],
    [{ userId: 1.5, role: 'Admin' }, /userId .*; it returned 1\.5\.$/],
    [{ userId: 1, role: 2 }, /role that is a string; it returned 2\.$/]
  ]) {
    const { get, lines } = await serve(t, { db, resolveRole: () => answer as never }, { log: 'error' })
    t.equal((await get('/payment/list', admin)).status, 500)
    t.match(lines, [{ msg: message }])
  }
})

t.test('the boot error without an authentication has a code', async (t) => {
  const app = Fastify()
  app.register(listing, { db: await openDatabase(t, 'sqlite'), resolveRole, checkOnReady: 'off' })
  await t.rejects(async () => app.ready(), { code: 'FST_LISTING_NO_AUTHENTICATION' })
})

t.test('an async function for the database is refused, and its rejection does not end the process', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const rejected: unknown[] = []
  const listener = (reason: unknown) => rejected.push(reason)
  process.on('unhandledRejection', listener)
  t.teardown(() => process.off('unhandledRejection', listener))
  const fails = async () => {
    throw new Error('no tenant')
  }
  // Only a function that is declared as async can be refused at the boot.
  await t.rejects(serve(t, { db: fails as never }), { code: 'FST_LISTING_INVALID_OPTION' })
  const { get, lines } = await serve(t, { db: (() => fails()) as never }, { log: 'error' })
  t.equal((await get('/payment/list', admin)).status, 500)
  t.match(lines, [{ callback: 'db', msg: /must not be async; it returned a promise/ }])
  await t.rejects(serve(t, { db, tables: fails as never }), { code: 'FST_LISTING_INVALID_OPTION' })
  await sleep(20)
  t.strictSame(rejected, [])
})

t.test('an invalid token in a request with thousands of cookies is a 401', async (t) => {
  const { get } = await serve(t, { db: await openWorld(t, 'sqlite') })
  const headers = { authorization: 'Bearer a.b.c', cookie: 'a=1;'.repeat(3_900) }
  t.equal((await get('/payment/list', { headers })).status, 401)
})
