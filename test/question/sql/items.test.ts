import t from 'tap'
import { type Row, textOf } from '../../../src/database/cells.js'
import type { Field, List } from '../../../src/lists/list.js'
import { payments } from '../../../src/lists/ready/payments.js'
import { cellName, recordGone, recordTotal, sortKey, toItems } from '../../../src/question/sql/items.js'

const { payment_method, payment_id } = payments.fields
const list = { ...payments, fields: { payment_method, payment_id } as List['fields'] }

const row = (cells: Row): Row => ({
  [sortKey]: '2024-03-01 00:00:00',
  [recordGone]: null,
  ...cells
})
const [method, key] = [cellName(0), cellName(1)]
const read = (rows: Row[]) => toItems({ list, order: list.order }, rows, textOf)

t.test('a record that is deleted during the statement is not an item, but counts as found', async (t) => {
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
})

t.test('the rows have the total if their statement counts', async (t) => {
  t.equal(read([row({ [key]: '1', [recordTotal]: '31' })]).total, 31)
  t.equal(read([row({ [key]: '1' })]).total, undefined)
  t.equal(read([]).total, undefined)
})

t.test(
  'the keys of all records are known, also of one that is deleted during the statement or has no item',
  async (t) => {
    const keysOf = (rows: Row[], most: number) => toItems({ list, order: list.order }, rows, textOf, most)
    const rows = [
      row({ [key]: '3' }),
      row({ [key]: '3', [sortKey]: '2024-03-01 00:00:00' }),
      row({ [key]: null, [recordGone]: '2' }),
      row({ [key]: '1', [sortKey]: '2024-02-01 00:00:00' })
    ]
    const keys = [
      { value: '2024-03-01 00:00:00', id: '3' },
      { value: '2024-03-01 00:00:00', id: '2' },
      { value: '2024-02-01 00:00:00', id: '1' }
    ]
    t.match(keysOf(rows, 2), { keys, items: [{ payment_id: '3' }], rows: 4 })
    t.equal(keysOf(rows, 2).items.length, 1)
    t.equal(keysOf(rows, 3).items.length, 2)
    t.strictSame([read(rows).keys, keysOf([], 2).keys], [[], []])
  }
)

t.test('a cell that cannot be read is an error that names its column and record', async (t) => {
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
})
