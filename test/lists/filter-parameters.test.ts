import t from 'tap'
import { run } from '../support/fixtures/definition-code.js'

t.test('a filter has the parameters of its way, each with its column and its operator', async (t) => {
  const more =
    "levels: { column: 'level', several: true, examples: ['basic'] }, has_coach: { column: 'coach_id', present: true }"
  const { filters, parameters } = run(`filters.score: { range: true }; extend: { filters: { ${more} } }`)
  const told = Object.entries(filters).map(([name, { column, operator, to }]) => [name, column, operator, to].join(' '))
  t.strictSame(told, [
    'level level = ',
    ...['issued_from issued_at >= issued_to', 'issued_to issued_at < '],
    ...['score_from score >= score_to', 'score_to score <= '],
    ...['levels level in ', 'has_coach coach_id has ']
  ])
  t.strictSame(Object.keys(parameters), ['search', ...Object.keys(filters)])
})
