import t from 'tap'
import { callHost, thrownBy } from '../../src/errors/callbacks.js'
import { failureOf } from '../../src/errors/classify.js'
import { thrown } from '../support/hosts/thrown.js'

t.test('the advice about a refused pool is for the lists, and not for a callback with its own database', async (t) => {
  const refused = () => thrown({ code: '08P01' }, 'transaction blocks not allowed in statement pooling mode')
  t.match(failureOf(refused()), {
    kind: 'internal',
    message: /^The database refuses the pool: .*pool_mode = transaction/
  })
  const ofCallback = failureOf(thrownBy('resolveRole', refused()))
  t.match(ofCallback, { kind: 'internal', message: 'resolveRole threw an error.' })
})

t.test('if a callback asks for a table that is missing, the failure names it', async (t) => {
  const lacking = () => ({ errno: 1146, message: "Table 'db.members' doesn't exist" })
  for (const error of [lacking(), new Error('jane', { cause: lacking() })]) {
    const failure = failureOf(thrownBy('resolveRole', error))
    t.match(failure, { facts: { callback: 'resolveRole', missing: 'db.members' } })
    t.equal(failure.message, 'resolveRole threw an error. Missing in the database: db.members.')
  }
  const refused = failureOf(thrownBy('resolveRole', lacking()), 401)
  t.match(refused, { statusCode: 401, facts: { missing: 'db.members' } }, 'the status of the reply still counts')
})

t.test('the facts have the message of a callback’s own error, and no message of a driver', async (t) => {
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
})

t.test('a callback that must not be async does not end the process when its promise rejects', async (t) => {
  const promise = callHost('tables', async () => {
    throw new Error('late')
  })
  // Node.js reports an unhandled rejection before the next turn.
  await new Promise((resolve) => setImmediate(resolve))
  await t.rejects(promise, { message: 'late' })
  const odd = () => {
    throw 'odd'
  }
  t.throws(() => callHost('tables', odd), { message: 'tables threw a string.' })
})
