import t from 'tap'
import { describe, suggestionFor } from '../../src/errors/describe.js'

t.test('a value is told by its kind, without what it holds', async (t) => {
  const cases: [value: unknown, words: string][] = [
    [undefined, 'undefined'],
    [null, 'null'],
    [true, 'true'],
    [false, 'false'],
    [0, '0'],
    [-1.5, '-1.5'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['', 'an empty string'],
    [' ', 'a string'],
    ['text', 'a string'],
    [1n, 'a bigint'],
    [Symbol('s'), 'a symbol'],
    [() => 1, 'a function'],
    [class Host {}, 'a function'],
    [[], 'an array'],
    [[1, 2], 'an array'],
    [{}, 'an object with no properties'],
    [Object.create(null), 'an object with no properties'],
    [Promise.resolve(1), 'a promise'],
    [{ host: 1 }, 'an object with host'],
    [{ host: 1, port: 2 }, 'an object with host, port']
  ]
  for (const [value, words] of cases) t.equal(describe(value), words, words)
})

t.test('property names are shown only where they are names, and only the first ones', async (t) => {
  t.equal(describe({ 'Bearer hunter2': 1, ok: 2 }), 'an object with ok')
  t.equal(describe(Buffer.from('hunter2')), 'an object with no properties')
  const many = Object.fromEntries(Array.from('abcdefghij', (name) => [name, 1]))
  t.equal(describe(many), 'an object with a, b, c, d, e, f, g, h')
})

t.test('a misspelt name gets the name that it stands for', async (t) => {
  const known = ['search', 'status', 'page', 'limit', 'processor_status', 'unknownParameters', 'email', 'db', 'own']
  for (const [name, suggestion] of [
    ['serach', 'search'],
    ['staus', 'status'],
    ...(['emial', 'meail', 'emali', 'EMIAL'] as const).map((name) => [name, 'email'] as const),
    ['onw', 'own'],
    ['wno', undefined],
    ['bd', undefined],
    ['STATUS', 'status'],
    ['pages', 'page'],
    ['processorStatus', 'processor_status'],
    ['unknowParameter', 'unknownParameters'],
    ['password', undefined],
    ['x', undefined],
    ['', undefined],
    ['offset', undefined],
    ['list', undefined],
    ['😀'.repeat(64), undefined]
  ] as const) {
    t.equal(suggestionFor(name, known), suggestion, name)
  }
})
