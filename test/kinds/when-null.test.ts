/** What a column makes of a null, in items and in their schema. The tests of the kinds have the values. */
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { column } from '../../src/lists/column.js'
import { makers, refuses } from '../support/oracle/cells.js'

const options = { description: 'A field.', examples: ['x'] }

/** What a null can become in a column of each kind, the default first. */
const nulls: Readonly<Record<string, string[]>> = {
  ...{ id: ['error', 'empty', 'null'], text: ['empty', 'null', 'error'], enum: ['error', 'null'] },
  ...{ decimal: ['error', 'null'], integer: ['error', 'null'], boolean: ['error', 'null'] },
  ...{ date: ['empty', 'null', 'error'], utcTime: ['empty', 'null', 'error'], wallTime: ['empty', 'null', 'error'] }
}
const columns = Object.entries(makers).flatMap(([kind, column]) =>
  (nulls[kind] ?? []).map((whenNull) => [kind, whenNull, column({ whenNull })] as const)
)

t.test('a null is an empty text, null or an error, as the column says', async (t) => {
  for (const [kind, whenNull, column] of columns) {
    if (whenNull === 'error') refuses(t, column, 'is null', null)
    else t.equal(column.read(null), whenNull === 'null' ? null : '', kind)
  }
  for (const [kind, column] of Object.entries(makers)) t.equal(column().whenNull, nulls[kind]?.[0], kind)
})

t.test('the schema of a column has a description, and accepts only values of the kind', async (t) => {
  const strings = ['completed', 'Completed', 'xpending', 'completed|pending', '']
  const samples = [...strings, null, 1, 1.5, true, ['any'], [null], {}]
  const ofKind: Record<string, unknown[]> = { boolean: [true], enum: ['completed'], decimal: [1, 1.5], integer: [1] }
  for (const [kind, whenNull, { schema }] of columns) {
    const accepted = [...(ofKind[kind] ?? strings), ...(whenNull === 'null' ? [null] : [])]
    for (const sample of samples) {
      const text = `${kind}, null is ${whenNull}, and ${JSON.stringify(sample)}`
      t.equal(Value.Check(schema(options), sample), accepted.includes(sample), text)
    }
    t.match(schema(options), options)
  }
})

t.test('the format of a time accepts an empty text only where a null becomes an empty text', async (t) => {
  for (const [kind, whenNull, { format }] of columns) {
    const time = kind === 'utcTime' ? '2024-03-01T09:30:00Z' : '2024-03-01 09:30:00'
    if (!kind.endsWith('Time')) continue
    t.ok(format?.test(time), kind)
    t.equal(format?.test(''), whenNull === 'empty', `${kind}, null is ${whenNull}`)
    t.notOk(format?.test(`${time} `), kind)
  }
  t.equal(column.text().format, undefined)
})
