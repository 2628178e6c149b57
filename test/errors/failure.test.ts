import t from 'tap'
import { callHost, thrownBy } from '../../src/errors/callbacks.js'
import { failureOf } from '../../src/errors/classify.js'
import { Failure, type FailureKind } from '../../src/errors/failure.js'

/** An error with the fields that drivers and Fastify plugins put on it. */
const thrown = (fields: object, message = 'thrown') => Object.assign(new Error(message), fields)

/** What a client and an operator are told of anything thrown. */
const kindOf = (error: unknown): [kind: FailureKind, statusCode: number] => {
  const { kind, statusCode } = failureOf(error)
  return [kind, statusCode]
}

const words = (text: string) => text.trim().split(/\s+/)

t.test(
  'the advice about a pool that is refused is given for the lists, and not for a callback with a database of its own',
  (t) => {
    const refused = () => thrown({ code: '08P01' }, 'transaction blocks not allowed in statement pooling mode')
    t.match(failureOf(refused()), {
      kind: 'internal',
      message: /^The database refuses the pool: .*pool_mode = transaction/
    })
    const ofCallback = failureOf(thrownBy('resolveRole', refused()))
    t.match(ofCallback, { kind: 'internal', message: 'resolveRole threw an error.' })
    t.end()
  }
)

t.test('a failure is an error with its message and its facts, and stays what it is', (t) => {
  const failure = new Failure('forbidden', 'Wrong.', { code: 'ECONNREFUSED' })
  t.ok(failure instanceof Error)
  t.equal(String(failure), 'Failure: Wrong.')
  t.strictSame(failure.facts, { code: 'ECONNREFUSED' })
  t.strictSame(new Failure('internal', 'x').facts, {})
  t.equal(failureOf(failure), failure)
  t.equal(failure.statusCode, 403)
  t.equal(new Failure('parameter', 'x').statusCode, 400)
  t.equal(new Failure('host', 'x').statusCode, 500)
  t.end()
})

t.test('a token that @fastify/jwt or fast-jwt refuses is a 401, whatever status it carries', (t) => {
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
  t.end()
})

t.test('a token whose key could not be fetched is not refused: it depends on why', (t) => {
  const code = 'FAST_JWT_KEY_FETCHING_ERROR'
  t.strictSame(kindOf(thrown({ code })), ['internal', 500])
  t.strictSame(kindOf(thrown({ code, originalError: thrown({ code: 'ECONNREFUSED' }) })), ['unavailable', 503])
  t.end()
})

t.test('a deadline that passed is a 504', (t) => {
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
  t.end()
})

t.test('a server that cannot be reached is a 503, also among the causes of an error', (t) => {
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
  t.end()
})

t.test("the host's own status is kept when it is an error's", (t) => {
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
  t.end()
})

t.test('anything else that is thrown is a 500, however odd', (t) => {
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
  t.end()
})

t.test('a missing table or column is a misfit, and the facts have its name and no other part of the message', (t) => {
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
  t.end()
})

t.test('if a callback asks for a table that is missing, the failure names it', (t) => {
  const lacking = () => ({ errno: 1146, message: "Table 'db.members' doesn't exist" })
  for (const error of [lacking(), new Error('jane', { cause: lacking() })]) {
    const failure = failureOf(thrownBy('resolveRole', error))
    t.match(failure, { facts: { callback: 'resolveRole', missing: 'db.members' } })
    t.equal(failure.message, 'resolveRole threw an error. Missing in the database: db.members.')
  }
  const refused = failureOf(thrownBy('resolveRole', lacking()), 401)
  t.match(refused, { statusCode: 401, facts: { missing: 'db.members' } }, 'the status of the reply still counts')
  t.end()
})

t.test('the facts have the message of a callback’s own error, and no message of a driver', (t) => {
  class NoMember extends Error {}
  class SQLite3Error extends Error {}
  const ofDriver = thrown({ errno: 1 }, 'jane')
  const circle = new Error('round')
  circle.cause = circle
  const own: [error: unknown, told: string | undefined][] = [
    [new TypeError('The session is over.'), 'TypeError: The session is over.'],
    [new Error('No tenant.', { cause: new Error('No row.') }), 'Error: No tenant.'],
    [thrown({ status: 423, statusCode: 423 }, 'Closed.'), 'Error: Closed.'],
    [circle, 'Error: round'],
    ['Nobody.', 'Error: resolveRole threw a string.'],
    [undefined, 'Error: resolveRole threw undefined.']
  ]
  const ofDrivers: typeof own = [
    [new NoMember('jane'), 'NoMember'],
    [new SyntaxError('jane'), 'SyntaxError'],
    [new SQLite3Error('UNIQUE constraint failed for jane'), 'SQLite3Error'],
    [new DOMException('jane', 'AbortError'), 'DOMException'],
    [new AggregateError([ofDriver], 'jane'), 'AggregateError'],
    [new Error('jane', { cause: new Error('jane', { cause: new SQLite3Error('jane') }) }), 'Error'],
    [new Error('jane', { cause: 'jane' }), 'Error'],
    [{ message: 'jane', stack: 'jane' }, undefined],
    ...[
      ...[{ errno: 1 }, { code: '23505' }, { code: 23505 }, { code: 'MEMBER' }, { sqlState: '42000' }],
      ...[{ sql: 'select 1' }, { sqlMessage: 'jane' }, { clientVersion: '6' }, { name: 'SqliteError' }],
      { [Symbol('x')]: 1 }
    ].map((fields): (typeof own)[number] => [thrown(fields, 'jane'), 'Error'])
  ]
  for (const [error, told] of [...own, ...ofDrivers]) {
    const { message, facts } = failureOf(thrownBy('resolveRole', error))
    t.equal(facts.error, told, String(error))
    t.notMatch(message + JSON.stringify({ ...facts, at: '' }), /jane/)
  }
  t.equal(failureOf(new Error('jane@example.org')).facts.error, 'Error', 'an error of no callback')
  t.end()
})

t.test('a callback that must not be async does not end the process when its promise rejects', async (t) => {
  const promise = callHost('tables', async () => {
    throw new Error('late')
  })
  // Node.js reports an unhandled rejection before the next turn.
  await new Promise((resolve) => setImmediate(resolve))
  await t.rejects(promise, { message: 'late' })
  t.throws(
    () =>
      callHost('tables', () => {
        throw 'odd'
      }),
    { message: 'tables threw a string.' }
  )
})

t.test('the facts have the class of an error, and not its name, which a host can set', (t) => {
  class Own extends Error {}
  t.equal(failureOf(new Own('x')).facts.error, 'Own')
  t.equal(failureOf(Object.assign(new RangeError('x'), { name: 'jane' })).facts.error, 'RangeError')
  t.equal(failureOf(Object.assign(new Error('x'), { constructor: { name: 'jane doe' } })).facts.error, undefined)
  t.equal(failureOf({ name: 'Jane' }).facts.error, undefined)
  t.end()
})

t.test('the facts are the codes of the driver, and nothing that is no plain code', (t) => {
  const tooLong = 'X'.repeat(65)
  for (const fields of [
    {},
    ...['', 42, 'select 1', 'a@example.org', tooLong, 'X\nY'].map((code) => ({ code })),
    ...['1146', null].map((errno) => ({ errno })),
    ...['4200', '420000', "'a'b'", 42000].map((sqlState) => ({ sqlState })),
    ...['nothing of the kind', 42].map((stack) => ({ stack }))
  ]) {
    t.strictSame(failureOf(fields).facts, {}, JSON.stringify(fields))
  }
  t.equal(failureOf({ code: tooLong.slice(1) }).facts.code, tooLong.slice(1))
  const codes = { code: 'ER_PARSE_ERROR', errno: 1064, sqlState: '42000' }
  t.strictSame(failureOf(codes).facts, codes)
  t.end()
})

t.test('the facts say where it happened, in at most eight lines', (t) => {
  const { at } = failureOf(new Error('x')).facts
  t.match(at, /^ {4}at .*failure\.test\./)
  const places = Array.from({ length: 20 }, (_, index) => `    at place${index} (file:///app/index.js:${index + 1}:7)`)
  t.equal(failureOf({ stack: ['Error: x', ...places].join('\n') }).facts.at, places.slice(0, 8).join('\n'))
  const message = "x\n    at time zone 'y' where email = 'jane@example.org':1:2"
  t.notMatch(failureOf(new Error(message)).facts.at, /jane/, 'the message')
  const changed = new Error(message)
  t.ok(changed.stack)
  changed.message = 'another one'
  t.equal(failureOf(changed).facts.at, undefined, 'a message that has been replaced')
  t.end()
})
