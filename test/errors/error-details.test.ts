import t from 'tap'
import { failureOf } from '../../src/errors/classify.js'

t.test('the facts have the class of an error, and not its name, which a host can set', async (t) => {
  class Own extends Error {}
  t.equal(failureOf(new Own('x')).facts.error, 'Own')
  t.equal(failureOf(Object.assign(new RangeError('x'), { name: 'jane' })).facts.error, 'RangeError')
  t.equal(failureOf(Object.assign(new Error('x'), { constructor: { name: 'jane doe' } })).facts.error, undefined)
  t.equal(failureOf({ name: 'Jane' }).facts.error, undefined)
})

t.test('the facts are the codes of the driver, and nothing that is no plain code', async (t) => {
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
})

t.test('the facts say where it happened, in at most eight lines', async (t) => {
  const { at } = failureOf(new Error('x')).facts
  t.match(at, /^ {4}at .*error-details\.test\./)
  const places = Array.from({ length: 20 }, (_, index) => `    at place${index} (file:///app/index.js:${index + 1}:7)`)
  t.equal(failureOf({ stack: ['Error: x', ...places].join('\n') }).facts.at, places.slice(0, 8).join('\n'))
  const message = "x\n    at time zone 'y' where email = 'jane@example.org':1:2"
  t.notMatch(failureOf(new Error(message)).facts.at, /jane/, 'the message')
  const changed = new Error(message)
  t.ok(changed.stack)
  changed.message = 'another one'
  t.equal(failureOf(changed).facts.at, undefined, 'a message that has been replaced')
})
