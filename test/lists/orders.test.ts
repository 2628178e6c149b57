import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { run } from '../support/definition-code.js'

t.test('a list has its own order and both directions of each column of sort, and sort is one of these', async (t) => {
  const { orders, parameters } = run("sort: ['score', 'issued_at']")
  t.strictSame(
    Object.entries(orders).map(([sort, { column, direction }]) => `${sort} ${column} ${direction}`),
    [' issued_at desc', 'score score asc', '-score score desc', 'issued_at issued_at asc', '-issued_at issued_at desc']
  )
  const accepted = ['score', '-score', 'issued_at', '-issued_at', '', '--score', 'level']
  t.strictSame(
    accepted.filter((sort) => Value.Check(Object(parameters).sort, sort)),
    accepted.slice(0, 4)
  )
})
