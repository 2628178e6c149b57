import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { run } from '../support/fixtures/definition-code.js'

t.test('a list has its own order and both directions of each column of sort, and sort is one of these', async (t) => {
  const { orders, parameters } = run("sort: ['score', 'issued_at']")
  const told = Object.entries(orders).map(([sort, { column, direction }]) => `${sort} ${column} ${direction}`)
  t.strictSame(told, [
    ' issued_at desc',
    'score score asc',
    '-score score desc',
    'issued_at issued_at asc',
    '-issued_at issued_at desc'
  ])
  const accepted = ['score', '-score', 'issued_at', '-issued_at', '', '--score', 'level']
  const kept = accepted.filter((sort) => Value.Check(Object(parameters).sort, sort))
  t.strictSame(kept, accepted.slice(0, 4))
})
