import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { pageBody } from '../../src/http/answers.js'
import { errorBody } from '../../src/http/error-answers.js'
import { ListErrorBody } from '../../src/lists/schemas.js'

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
