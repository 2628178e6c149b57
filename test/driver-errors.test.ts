import t from 'tap'
import { isTextError } from '../src/driver-errors.js'

t.test('a comparison that a column’s type or character set cannot take part in is told by its code', (t) => {
  for (const code of ['22P02', '22003', '22007', '22008']) t.equal(isTextError({ code }), true, code)
  for (const errno of [1267, 1270, 1271, 3854, 3988]) t.equal(isTextError({ errno }), true, String(errno))
  for (const error of [undefined, null, 'x', 1267, {}, { errno: 1268 }, { errno: null }, { code: 1267 }]) {
    t.equal(isTextError(error), false, JSON.stringify(error))
  }
  t.end()
})
