import t from 'tap'
import { suggestionFor } from '../../src/errors/suggestion.js'

t.test('a misspelt name gets the name that it stands for', (t) => {
  const known = ['search', 'status', 'page', 'limit', 'processor_status', 'unknownParameters']
  for (const [name, suggestion] of [
    ['serach', 'search'],
    ['staus', 'status'],
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
  t.end()
})
