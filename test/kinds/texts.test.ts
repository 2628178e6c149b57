import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { column } from '../../src/lists/columns.js'
import { reads, refuses } from '../support/cells.js'

t.test('an id and a text are read as they are, and one of a few texts only if it is one of them', (t) => {
  const same = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, text]))
  reads(t, column.id(), same('4711', '18446744073709551615', '007', 'a-b'))
  reads(t, column.text(), same('Zoë', ' a ', ''))
  reads(t, column.text({ whenNull: 'null' }), same('https://cdn/1.png'))
  reads(t, column.text({ whenNull: 'error' }), same(''))
  const state = column.enum(['completed', 'pending'])
  reads(t, state, same('completed', 'pending'))
  refuses(t, state, 'is not one of completed, pending', '', 'Completed', 'completed ')
  t.end()
})

t.test('the schema of a column with a few texts takes each character of a text literally', (t) => {
  const texts = ['a.b', 'c++', '(d)', '[e]', '{f}', '^g$', 'h|i', 'j?', 'k*', 'l\\m', 'n-o'] as const
  const schema = column.enum(texts).schema({})
  const accepts = (text: string) => Value.Check(schema, text)
  t.strictSame(texts.filter(accepts), texts)
  t.strictSame(['axb', 'cc', 'd', 'e', 'f', 'g', 'h', 'i', 'a.bc++', 'k', 'kk', 'lm', ''].filter(accepts), [])
  t.end()
})
