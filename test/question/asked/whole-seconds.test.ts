import t from 'tap'
import type { RecordKey } from '../../../src/database/dialect.js'
import type { Order } from '../../../src/lists/list.js'
import { exactPlace, placeInSeconds, recordOf } from '../../../src/question/asked/whole-seconds.js'

const [down, up]: [Order, Order] = [
  { column: 'made_at', direction: 'desc' },
  { column: 'made_at', direction: 'asc' }
]
const second = '2026-01-01 09:30:00'
const key = (id: string, time = second): RecordKey => ({ time, id })

t.test(
  'a place in seconds has the ids that are shown of its second, and is none for a time without a fraction',
  async (t) => {
    const keys = [key('2', `${second}.5`), key('1', `${second}.25`)]
    t.strictSame(placeInSeconds(keys, down, undefined), { time: '2026-01-01 09:30:01', shown: ['2', '1'] })
    t.strictSame(placeInSeconds(keys, up, { time: second, shown: ['3'] }), { time: second, shown: ['3', '2', '1'] })
    t.equal(placeInSeconds([key('1')], down, undefined), undefined)
    t.equal(placeInSeconds([key('1', `${second}.000`)], down, undefined), undefined)
  }
)

t.test('the record of a position tells its fraction, unless it has another time now', async (t) => {
  const from = { time: '2026-01-01 09:30:01', shown: ['2', '1'] }
  t.equal(recordOf(from), '1')
  t.equal(recordOf({ time: second }), undefined)
  t.equal(recordOf(key('1')), undefined, 'a position that is exact')
  t.strictSame(exactPlace(from, down, key('1', `${second}.25`)), { ...from, ...key('1', `${second}.25`) })
  t.strictSame(exactPlace({ ...from, time: second }, up, key('1', `${second}.25`))?.time, `${second}.25`)
  for (const gone of [undefined, key('1', '2026-01-01 09:30:01.5'), key('1')]) {
    t.equal(exactPlace(from, down, gone), undefined)
  }
})
