import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { ListErrorBody } from '../../src/lists/answer-schemas.js'
import type { Field } from '../../src/lists/list.js'
import { assessments } from '../../src/lists/ready/assessments.js'
import { payments } from '../../src/lists/ready/payments.js'

t.test('an error body has only the HTTP status and one text', async (t) => {
  const right = { status: 400, error: 'x' }
  t.ok(Value.Check(ListErrorBody, right))
  for (const wrong of [{}, { status: 400 }, { error: 'x' }]) t.notOk(Value.Check(ListErrorBody, wrong))
  for (const changed of [{ status: '400' }, { status: 400.5 }, { error: null }, { message: 'x' }]) {
    t.notOk(Value.Check(ListErrorBody, { ...right, ...changed }), JSON.stringify(changed))
  }
})

t.test('the schema of an item requires every field and allows no other', async (t) => {
  for (const { item, fields } of [assessments, payments]) {
    const schemas = Object.entries<Field>(fields).map(([name, { schema }]) => [name, schema])
    t.match(item, { type: 'object', additionalProperties: false, required: Object.keys(fields) })
    t.strictSame(item.properties, Object.fromEntries(schemas))
  }
})
