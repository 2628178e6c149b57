import t from 'tap'
import { column } from '../../src/lists/column.js'

t.test('a column refuses to make of a null what its kind cannot be', (t) => {
  const message = "'whenNull' of a column of the kind decimal must be one of error, null."
  t.throws(() => column.decimal({ whenNull: 'empty' as 'null' }), { code: 'FST_LISTING_INVALID_OPTION', message })
  t.end()
})
