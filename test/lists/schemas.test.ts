import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { pageBody } from '../../src/http/answers.js'
import { errorBody } from '../../src/http/error-answers.js'
import { ListErrorBody, pageSchema } from '../../src/lists/schemas.js'

const schema = pageSchema('data', Type.Object({ id: Type.String() }))

t.test('an error body has only the HTTP status and one text', (t) => {
  t.equal(errorBody(401, 'Invalid or expired token.'), '{"status":401,"error":"Invalid or expired token."}')
  t.equal(errorBody(400, 'a "b" \\ \n é'), '{"status":400,"error":"a \\"b\\" \\\\ \\n é"}')
  t.ok(Value.Check(ListErrorBody, JSON.parse(errorBody(500, ''))))
  const right = { status: 400, error: 'x' }
  for (const wrong of [{}, { status: 400 }, { error: 'x' }]) t.notOk(Value.Check(ListErrorBody, wrong))
  for (const changed of [{ status: '400' }, { status: 400.5 }, { error: null }, { message: 'x' }]) {
    t.notOk(Value.Check(ListErrorBody, { ...right, ...changed }), JSON.stringify(changed))
  }
  t.end()
})

t.test('a page body has the fields of the envelope in order, and the records under their key', (t) => {
  const answer = { message: 'Found.', page: 2, limit: 12, total: 13, items: [{ id: '1' }] }
  t.equal(
    pageBody({ ...answer, key: 'data' }),
    '{"status":"success","message":"Found.","page":2,"limit":12,"total":13,"data":[{"id":"1"}]}'
  )
  t.end()
})

t.test('the schema of a page accepts a built page, and rejects a wrong, missing or additional field', (t) => {
  const body: Record<string, unknown> = JSON.parse(
    pageBody({ message: '', page: 1, limit: 1, total: 0, key: 'data', items: [{ id: '1' }] })
  )
  t.ok(Value.Check(schema, body))
  for (const name of Object.keys(body)) {
    const { [name]: _left, ...rest } = body
    t.notOk(Value.Check(schema, rest), `without ${name}`)
  }
  for (const wrong of [
    ...[{ status: 'error' }, { message: 1 }, { page: 0 }, { page: 1.5 }, { page: '1' }, { limit: 0 }, { total: -1 }],
    ...[{ total: '0' }, { data: {} }, { data: [{ id: 1 }] }, { assessments: [] }]
  ]) {
    t.notOk(Value.Check(schema, { ...body, ...wrong }), JSON.stringify(wrong))
  }
  t.end()
})
