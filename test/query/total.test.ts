import t from 'tap'
import type { Row } from '../../src/database/driver-samples.js'
import { sampleName, samples } from '../../src/database/driver-samples.js'
import type { Field, List } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import { cellName, recordCreation, recordGone, recordTotal } from '../../src/query/items.js'
import { offsetOf } from '../../src/query/plan.js'
import { itemsAndTotal, provenTotal, totalIn } from '../../src/query/total.js'

t.test('a page proves the total if it has records and is not full, or if it is an empty first page', (t) => {
  let proofs = 0
  const wrong: unknown[] = []
  for (let total = 0; total <= 20; total++) {
    for (let limit = 1; limit <= 7; limit++) {
      for (let page = 1; page <= 23; page++) {
        const records = Math.max(0, Math.min(limit, total - offsetOf({ page, limit })))
        const proven = provenTotal({ page, limit }, records)
        // A full page may have pages after it. An empty page may be past the end.
        const expected = (records > 0 && records < limit) || (records === 0 && page === 1) ? total : undefined
        if (proven !== expected) wrong.push({ total, limit, page, proven })
        if (proven !== undefined) proofs++
      }
    }
  }
  t.strictSame(wrong, [])
  t.ok(proofs > 0)
  t.end()
})

const { payment_id } = payments.fields
const list: List = { ...payments, joins: {}, fields: { payment_id: payment_id as Field } }
const row = (cells: Row): Row => ({
  [recordCreation]: '2024-03-01 00:00:00',
  [recordGone]: null,
  ...Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample])),
  ...cells
})
const rowsOf = (count: number, cells: Row = {}) =>
  Array.from({ length: count }, (_, place) => row({ [cellName(0)]: String(count - place), ...cells }))
const never = async () => t.fail('counts')

t.test('a page that is full needs a count, and no other page', async (t) => {
  const count = async () => 7
  t.match(await itemsAndTotal(list, { page: 1, limit: 3 }, rowsOf(3), count), { items: { length: 3 }, total: 7 })
  t.match(await itemsAndTotal(list, { page: 3, limit: 3 }, [], count), { items: [], total: 7 }, 'past the end')
  const last = await itemsAndTotal(list, { page: 3, limit: 3 }, rowsOf(1), never as never)
  t.match(last, { items: [{ payment_id: '1' }], total: 7 })
  t.strictSame(await itemsAndTotal(list, { page: 1, limit: 3 }, [], never as never), { items: [], total: 0 })
})

t.test('rows with a total need no count', async (t) => {
  const rows = rowsOf(3, { [recordTotal]: '31' })
  t.equal(totalIn(rows), 31)
  t.equal(totalIn(rowsOf(3)), undefined)
  t.equal(totalIn([]), undefined)
  t.match(await itemsAndTotal(list, { page: 1, limit: 3 }, rows, never as never), { total: 31 })
})

t.test('the total is at least the number of records up to the end of the page', async (t) => {
  const fewer = async () => 2
  t.match(await itemsAndTotal(list, { page: 2, limit: 3 }, rowsOf(3), fewer), { total: 6 })
  t.match(await itemsAndTotal(list, { page: 9, limit: 3 }, [], fewer), { total: 2 }, 'a page without records')
})

t.test('a record that was deleted while the page was read counts as found', async (t) => {
  const gone = row({ [cellName(0)]: null, [recordGone]: '9' })
  const found = await itemsAndTotal(list, { page: 1, limit: 3 }, [...rowsOf(1), gone], never as never)
  t.strictSame(found, { items: [{ payment_id: '1' }], total: 2 })
})
