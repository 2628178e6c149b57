import t from 'tap'
import { failureOf } from '../../src/errors/classify.js'
import { Failure } from '../../src/errors/failure.js'

t.test('a failure is an error with its message and its facts, and stays what it is', async (t) => {
  const failure = new Failure('forbidden', 'Wrong.', { code: 'ECONNREFUSED' })
  t.ok(failure instanceof Error)
  t.equal(String(failure), 'Failure: Wrong.')
  t.strictSame(failure.facts, { code: 'ECONNREFUSED' })
  t.strictSame(new Failure('internal', 'x').facts, {})
  t.equal(failureOf(failure), failure)
  t.equal(failure.statusCode, 403)
  t.equal(new Failure('parameter', 'x').statusCode, 400)
  t.equal(new Failure('host', 'x').statusCode, 500)
})
