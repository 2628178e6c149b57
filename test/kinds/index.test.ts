import t from 'tap'
import { kindsFor } from '../../src/kinds/index.js'
import { makers } from '../support/oracle/cells.js'

t.test('every kind of a column is in the table of kinds', async (t) => {
  const kinds = Object.values(makers).map((make) => make().kind)
  t.strictSame(new Set(kindsFor('present')), new Set(kinds))
  t.strictSame(kindsFor('order'), ['time', 'date'], 'each once, in the order of the table')
  t.strictSame([kindsFor('id'), kindsFor('search')], [['id'], ['text']])
})
