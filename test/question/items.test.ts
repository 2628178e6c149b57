import t from 'tap'
import type { Row } from '../../src/database/cells.js'
import { textOf } from '../../src/database/cells.js'
import type { Field, List } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import {
  cellName,
  itemsAndTotal,
  provenTotal,
  recordGone,
  recordTotal,
  sortKey,
  toItems
} from '../../src/question/items.js'
import { offsetOf } from '../../src/question/question.js'

const { payment_method, payment_id } = payments.fields
const list = { ...payments, fields: { payment_method, payment_id } as List['fields'] }

const row = (cells: Row): Row => ({
  [sortKey]: '2024-03-01 00:00:00',
  [recordGone]: null,
  ...cells
})
const [method, key] = [cellName(0), cellName(1)]
const read = (rows: Row[]) => toItems({ list, order: list.order }, rows, textOf)

t.test('a record that is deleted during the statement is not an item, but counts as found', (t) => {
  const rows = [
    row({ [method]: 'card', [key]: '3' }),
    row({ [method]: null, [key]: null, [recordGone]: '2' }),
    row({ [method]: null, [key]: null, [recordGone]: '1' }),
    row({ [method]: 'cash', [key]: '0' })
  ]
  t.match(read(rows), {
    items: [
      { payment_method: 'card', payment_id: '3' },
      { payment_method: 'cash', payment_id: '0' }
    ],
    count: 4,
    rows: 4
  })
  t.end()
})

t.test('the key of the last record is known even if the record is deleted during the statement', (t) => {
  const last = row({ [sortKey]: '2024-02-01 00:00:00', [key]: '2' })
  t.strictSame(read([row({ [key]: '3' }), last]).lastKey, { time: '2024-02-01 00:00:00', id: '2' })
  const gone = row({ [key]: null, [recordGone]: '1' })
  t.strictSame(read([last, gone]).lastKey, { time: '2024-03-01 00:00:00', id: '1' })
  t.equal(read([]).lastKey, undefined)
  t.end()
})

t.test('a cell that cannot be read is an error that names its column and record', (t) => {
  const { payment_id, amount, email } = payments.fields as Record<'payment_id' | 'amount' | 'email', Field>
  const list = { ...payments, fields: { payment_id, amount, email: { ...email, read: amount.read } } as List['fields'] }
  const [id, paid, joined] = [cellName(0), cellName(1), cellName(2)]
  for (const [cells, message] of [
    [{ [id]: null }, 'Column payments.payment_id of payment_id null is null.'],
    [{ [paid]: '12,50' }, 'Column payments.amount of payment_id 8 is not a decimal number.'],
    [{ [joined]: null }, 'Column users.email of payment_id 8 is null.'],
    [{ [sortKey]: null }, 'Column payments.created_at of payment_id 8 is null.']
  ] as const) {
    const rows = [row({ [id]: '8', [paid]: '1', [joined]: '1', ...cells })]
    t.throws(() => toItems({ list, order: list.order }, rows, textOf), { statusCode: 500, message })
  }
  t.end()
})

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

const rowsOf = (count: number, cells: Row = {}) =>
  Array.from({ length: count }, (_, place) => row({ [method]: 'card', [key]: String(count - place), ...cells }))
const never = async () => t.fail('counts')

t.test('a page that is full needs a count, and no other page', async (t) => {
  const count = async () => 7
  t.match(await itemsAndTotal({ page: 1, limit: 3 }, read(rowsOf(3)), count), { items: { length: 3 }, total: 7 })
  t.match(await itemsAndTotal({ page: 3, limit: 3 }, read([]), count), { items: [], total: 7 }, 'past the end')
  const last = await itemsAndTotal({ page: 3, limit: 3 }, read(rowsOf(1)), never as never)
  t.match(last, { items: [{ payment_method: 'card', payment_id: '1' }], total: 7 })
  t.strictSame(await itemsAndTotal({ page: 1, limit: 3 }, read([]), never as never), { items: [], total: 0 })
})

t.test('rows with a total need no count', async (t) => {
  const rows = read(rowsOf(3, { [recordTotal]: '31' }))
  t.equal(rows.total, 31)
  t.equal(read(rowsOf(3)).total, undefined)
  t.equal(read([]).total, undefined)
  t.match(await itemsAndTotal({ page: 1, limit: 3 }, rows, never as never), { total: 31 })
})

t.test('the total is at least the number of records up to the end of the page', async (t) => {
  const fewer = async () => 2
  t.match(await itemsAndTotal({ page: 2, limit: 3 }, read(rowsOf(3)), fewer), { total: 6 })
  t.match(await itemsAndTotal({ page: 9, limit: 3 }, read([]), fewer), { total: 2 }, 'a page without records')
})
