import t from 'tap'
import { thrownBy } from '../../src/errors/callbacks.js'
import { failureOf } from '../../src/errors/classify.js'
import type { FailureKind } from '../../src/errors/failure.js'
import { thrown, words } from '../support/hosts/thrown.js'
import { drizzle, prisma, sequelize, wrapped } from '../support/hosts/wrapped.js'

/** What a client and an operator are told of anything thrown. */
const kindOf = (error: unknown): [kind: FailureKind, statusCode: number] => {
  const { kind, statusCode } = failureOf(error)
  return [kind, statusCode]
}

t.test('a token that @fastify/jwt or fast-jwt refuses is a 401, whatever status it carries', async (t) => {
  for (const code of words(`
    FST_JWT_AUTHORIZATION_TOKEN_INVALID FST_JWT_AUTHORIZATION_TOKEN_EXPIRED FST_JWT_NO_AUTHORIZATION_IN_HEADER
    FST_JWT_BAD_REQUEST FAST_JWT_MALFORMED FAST_JWT_EXPIRED FAST_JWT_INVALID_SIGNATURE FAST_JWT_INACTIVE`)) {
    for (const fields of [{ code }, { code, statusCode: 400 }, { code, statusCode: 500 }]) {
      t.strictSame(kindOf(thrown(fields)), ['unauthorized', 401], JSON.stringify(fields))
    }
  }
  for (const code of ['FST_ERR_JWT_X', 'XFST_JWT_X', 'JWT', 'FST_JWTX']) {
    t.strictSame(kindOf(thrown({ code })), ['internal', 500], code)
  }
})

t.test('a token whose key could not be fetched is not refused: it depends on why', async (t) => {
  const code = 'FAST_JWT_KEY_FETCHING_ERROR'
  t.strictSame(kindOf(thrown({ code })), ['internal', 500])
  t.strictSame(kindOf(thrown({ code, originalError: thrown({ code: 'ECONNREFUSED' }) })), ['unavailable', 503])
})

t.test('a deadline that passed is a 504', async (t) => {
  for (const fields of [
    { code: 'FST_ERR_HANDLER_TIMEOUT', statusCode: 503 },
    { errno: 1205, code: 'ER_LOCK_WAIT_TIMEOUT', sqlState: 'HY000' },
    { errno: 1317, code: 'ER_QUERY_INTERRUPTED', sqlState: '70100' },
    { errno: 1969, code: 'ER_STATEMENT_TIMEOUT', sqlState: '70100' },
    { errno: 3024, code: 'ER_QUERY_TIMEOUT', sqlState: 'HY000' },
    { sqlState: '57014' },
    { code: '57014' },
    { code: '55P03' },
    { message: 'Query read timeout' }
  ]) {
    t.strictSame(kindOf(thrown(fields)), ['timeout', 504], JSON.stringify(fields))
  }
  for (const fields of [{ errno: 1206 }, { code: '570140' }, { message: 'Query read timeout of x' }]) {
    t.strictSame(kindOf(thrown(fields)), ['internal', 500], JSON.stringify(fields))
  }
})

t.test('a server that cannot be reached is a 503, also among the causes of an error', async (t) => {
  const refused = thrown({ code: 'ECONNREFUSED' })
  for (const error of [
    refused,
    new TypeError('fetch failed', { cause: refused }),
    new Error('a', { cause: new Error('b', { cause: refused }) }),
    new AggregateError([new Error('x'), refused]),
    thrown({ originalError: refused }),
    { cause: { code: 'ECONNREFUSED' } }
  ]) {
    t.strictSame(kindOf(error), ['unavailable', 503])
    t.match(failureOf(error).facts, { code: 'ECONNREFUSED' }, 'the facts are those of the cause')
  }
  for (const cause of [undefined, null, 'ECONNREFUSED', 1, new Error('x'), thrown({ code: 'EINVAL' })]) {
    t.strictSame(kindOf(new Error('x', { cause })), ['internal', 500])
  }
  const circle = new Error('round')
  circle.cause = circle
  t.strictSame(kindOf(circle), ['internal', 500], 'a circle of causes')
})

t.test(
  'an error that another library wraps is what its cause is, and its statement and its values are no facts',
  async (t) => {
    for (const [what, error, status] of wrapped) {
      const failure = failureOf(error)
      t.equal(failure.statusCode, status, what)
      t.notMatch(JSON.stringify(failure.facts), /jane|members/, what)
      t.equal(failureOf(thrownBy('resolveRole', error)).statusCode, status, `${what}, from resolveRole`)
    }
    t.match(failureOf(drizzle(thrown({ code: '57014' }))).facts, { code: '57014' }, 'the facts are those of the cause')
    t.match(failureOf(prisma({ kind: 'mysql', code: 1205 })).facts, { errno: 1205 })
    // A pool that waits for a slow statement.
    const slow = thrown({ code: '57014' })
    t.equal(
      failureOf(sequelize(slow, 'SequelizeConnectionAcquireTimeoutError')).statusCode,
      503,
      'the outer error decides'
    )
  }
)

t.test('causes are found at every depth that a library makes, and may form circles', async (t) => {
  const inside = (depth: number): Error =>
    depth === 0 ? thrown({ code: '57014' }) : new Error('x', { cause: inside(depth - 1) })
  for (const depth of [1, 2, 3, 4, 5]) t.strictSame(kindOf(inside(depth)), ['timeout', 504], String(depth))
  const [one, other] = [thrown({}), thrown({ code: '57014' })]
  for (const error of [one, other])
    Object.assign(error, { name: 'SequelizeError', cause: one, parent: other, original: other, errors: [one] })
  t.strictSame(kindOf(one), ['timeout', 504])
  Object.assign(other, { code: undefined })
  t.strictSame(kindOf(one), ['internal', 500])
})

t.test('a number that is the code of another library is no errno of MySQL', async (t) => {
  for (const code of [1205, 2002, 1146, 1045]) {
    for (const error of [thrown({ code }), thrown({ code, kind: 'http' }), prisma({ kind: 'sqlite', code })]) {
      t.strictSame(kindOf(error), ['internal', 500], String(code))
      t.equal(failureOf(error).facts.errno, undefined, String(code))
    }
  }
})

t.test("the host's own status is kept when it is an error's", async (t) => {
  const statuses: [kind: FailureKind, status: number, statusCodes: unknown[]][] = [
    ...[400, 404, 429, 502, 599].map(
      (status) => ['host', status, [status, String(status)]] as [FailureKind, number, unknown[]]
    ),
    ['unauthorized', 401, [401]],
    ['forbidden', 403, [403]],
    ['unavailable', 503, [503]],
    ['timeout', 504, [504]],
    ['internal', 500, [500, 200, 302, 399, 600, -400, 0, null, 'x', Number.NaN]]
  ]
  for (const [kind, status, statusCodes] of statuses) {
    for (const statusCode of statusCodes) {
      t.strictSame(kindOf(thrown({ statusCode })), [kind, status], String(statusCode))
      t.strictSame(kindOf({ statusCode }), [kind, status], `${statusCode} of a plain object`)
    }
  }
  t.equal(failureOf(new Error('x'), 402).statusCode, 402, 'that of the reply')
  t.equal(failureOf(thrown({ statusCode: 403 }), 401).statusCode, 403, 'its own before that of the reply')
  t.equal(failureOf(thrown({ code: '28P01' }), 401).statusCode, 401, 'a host may log in to a database as its caller')
  t.equal(failureOf(thrown({ code: 'ECONNREFUSED' }), 401).statusCode, 503, 'who cannot be asked has refused nobody')
  t.equal(failureOf(new Error('x'), 200).statusCode, 500)
  t.strictSame(kindOf(thrown({ statusCode: 429, code: 'ECONNREFUSED' })), ['host', 429], 'before what its code says')
})

t.test('anything else that is thrown is a 500, however odd', async (t) => {
  const throwing = Object.defineProperty({}, 'code', {
    get() {
      throw new Error('odd')
    }
  })
  for (const error of [
    ...[undefined, null, '', 'ECONNREFUSED', 0, 503, 1n, true, Symbol('x'), {}, [], () => 1, throwing],
    ...[53, 5301, '0815', '53_X', Object.create(null)].map((code) => ({ code })),
    ...[404.5, [404], '4040', 'x', Symbol('x')].map((statusCode) => ({ statusCode })),
    { errno: Symbol('odd') },
    { stack: { toString: {} } }
  ]) {
    t.strictSame(kindOf(error), ['internal', 500], typeof error)
  }
})

t.test('a missing table or column is a misfit, and the facts have its name and no more of the message', async (t) => {
  const unnamed = 'table or column'
  const cases: [fields: object, missing: string | undefined][] = [
    [{ errno: 1054, message: "Unknown column 'r.emial' in 'field list'" }, 'emial'],
    [{ errno: 1054, message: "Unknown column 'emial' in 'SELECT'" }, 'emial'],
    [{ errno: 1146, message: "Table 'my-db.prénoms' doesn't exist" }, 'my-db.prénoms'],
    [{ errno: 1356, message: "View 'db.v' references invalid table(s) or column(s)" }, 'db.v'],
    [{ code: '42703', message: 'column r.emial does not exist' }, 'emial'],
    [{ code: '42703', message: 'column "emial" does not exist' }, 'emial'],
    [{ code: '42P01', message: 'relation "crm.members" does not exist' }, 'crm.members'],
    [{ message: 'no such table: main.users' }, 'main.users'],
    [{ message: 'SQLite3Error: no such column: u.emial' }, 'emial'],
    [{ message: 'no such column: "jane doe" - should this be a string literal in single-quotes?' }, unnamed],
    [{ errno: 1054, message: "Unknown column 'jane doe' in 'field list'" }, unnamed],
    [{ errno: 1054, message: "Unknown column 'x' in 'field list' select 'jane'" }, unnamed],
    [{ code: '42703', message: 'Spalte »emial« existiert nicht' }, unnamed],
    [{ errno: 1146 }, unnamed],
    [{ code: '42P01' }, unnamed],
    [{ message: "Table 'users' doesn't exist" }, undefined],
    [{ errno: 1064, message: 'column "jane" does not exist' }, undefined]
  ]
  for (const [fields, missing] of cases) {
    const failure = failureOf(fields)
    t.match(failure, { kind: 'internal' }, JSON.stringify(fields))
    t.equal(failure.facts.missing, missing, JSON.stringify(fields))
  }
})

t.test('an error of the application, which has a code or a property of a library, is the application’s', async (t) => {
  for (const error of [
    thrown({ code: 'P1001' }),
    thrown({ kind: 'ConnectionClosed' }),
    thrown({ parent: { code: 'ETIMEDOUT' } }),
    thrown({ errorCode: 'P1001' })
  ]) {
    t.strictSame(kindOf(error), ['internal', 500])
  }
})

t.test('causes that share causes are each looked at once', async (t) => {
  const one: Error = thrown({})
  Object.assign(one, { cause: one, errors: Array.from({ length: 40 }, () => one) })
  t.strictSame(kindOf(one), ['internal', 500])
  const many = thrown({})
  Object.assign(many, { errors: Array.from({ length: 60 }, () => thrown({ cause: many })) })
  t.strictSame(kindOf(many), ['internal', 500])
})
