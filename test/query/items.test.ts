import t from 'tap'
import type { Row } from '../../src/database/driver-samples.js'
import { sampleName, samples } from '../../src/database/driver-samples.js'
import type { List } from '../../src/lists/list.js'
import { payments } from '../../src/lists/payments.js'
import { cellName, recordCreation, recordGone, toItems } from '../../src/query/items.js'

const { payment_method, payment_id } = payments.fields
const list = { ...payments, fields: { payment_method, payment_id } as List['fields'] }

const row = (cells: Row): Row => ({
  [recordCreation]: '2024-03-01 00:00:00',
  [recordGone]: null,
  ...Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample])),
  ...cells
})
const [method, key] = [cellName(0), cellName(1)]

t.test('a record that is deleted during the statement is not an item, but counts as found', (t) => {
  const rows = [
    row({ [method]: 'card', [key]: '3' }),
    row({ [method]: null, [key]: null, [recordGone]: '2' }),
    row({ [method]: null, [key]: null, [recordGone]: '1' }),
    row({ [method]: 'cash', [key]: '0' })
  ]
  t.strictSame(toItems(list, rows), {
    items: [
      { payment_method: 'card', payment_id: '3' },
      { payment_method: 'cash', payment_id: '0' }
    ],
    found: 4
  })
  t.end()
})

t.test('a record whose id is null is an error', (t) => {
  const rows = [row({ [method]: null, [key]: null })]
  t.throws(() => toItems(list, rows), { message: 'Column payments.payment_id of payment_id null is null.' })
  t.end()
})

t.test('rows with changed samples are an error', (t) => {
  for (const place of samples.keys()) {
    t.throws(() => toItems(list, [row({ [key]: '3', [sampleName(place)]: 'x' })]), { name: 'Failure' })
  }
  t.end()
})
