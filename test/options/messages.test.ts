import t from 'tap'
import { defaultMessages, fill } from '../../src/options/messages.js'

t.test('the default texts cannot be changed', async (t) => {
  t.throws(() => Object.assign(defaultMessages, { internal: 'Oops.' }), TypeError)
  t.equal(defaultMessages.internal, 'Internal server error.')
})

t.test('values replace the placeholders of a text', async (t) => {
  const cases: [text: string, values: Record<string, string | number>, filled: string][] = [
    ['plain', {}, 'plain'],
    ['from 1 to {maximum}', { maximum: 100 }, 'from 1 to 100'],
    ['{name}: {allowed}', { name: 'status', allowed: 'a, b' }, 'status: a, b'],
    ['{name} {name}', { name: 'x' }, 'x x'],
    ['{zero}{empty}.', { zero: 0, empty: '' }, '0.'],
    ['{name} {other}', { name: 'x' }, 'x {other}'],
    ['{} { name } {na-me} {', { name: 'x' }, '{} { name } {na-me} {'],
    ['{a} {b}', { a: '{b}', b: '{a}' }, '{b} {a}'],
    ['{a}', { a: "$& $1 $$ $'" }, "$& $1 $$ $'"],
    // Inherited properties are no values.
    ['{constructor} {__proto__}', {}, '{constructor} {__proto__}']
  ]
  for (const [text, values, filled] of cases) t.equal(fill(text, values), filled, text)
})
