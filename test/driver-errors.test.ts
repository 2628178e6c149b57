import t from 'tap'
import { isTextError, isUnreachable } from '../src/driver-errors.js'
import { reportOf } from '../src/reported.js'

t.test('a cluster that cannot be asked is one that cannot be reached', (t) => {
  // a Galera node that is not prepared, and mysql2's pool cluster without a node that is up
  for (const error of [{ errno: 1047, code: 'ER_UNKNOWN_COM_ERROR', sqlState: '08S01' }, { code: 'POOL_NONEONLINE' }]) {
    t.equal(isUnreachable(reportOf(error)), true, error.code)
  }
  t.equal(isUnreachable(reportOf({ code: 'POOL_NOEXIST' })), false, 'a cluster to which no node was added')
  t.end()
})

t.test('a comparison that a column’s type or character set cannot take part in is told by its code', (t) => {
  for (const code of ['22P02', '22003', '22007', '22008']) t.equal(isTextError({ code }), true, code)
  for (const errno of [1267, 1270, 1271, 3854, 3988]) t.equal(isTextError({ errno }), true, String(errno))
  for (const error of [undefined, null, 'x', 1267, {}, { errno: 1268 }, { errno: null }, { code: 1267 }]) {
    t.equal(isTextError(error), false, JSON.stringify(error))
  }
  t.end()
})
