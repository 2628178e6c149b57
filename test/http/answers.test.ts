import t from 'tap'
import { pageBody, recordBody } from '../../src/http/answers.js'
import { admin } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { headersOf } from '../support/hosts/tokens.js'
import { openWorld } from '../support/servers/tables.js'

t.test('a page body has the fields of the envelope in order, and the records under their key', async (t) => {
  const answer = { page: 2, limit: 12, total: 13, items: [{ id: '1' }] }
  t.equal(
    pageBody(answer, { key: 'data', messages: { found: 'Found.', forbidden: 'No.' } }),
    '{"status":"success","message":"Found.","page":2,"limit":12,"total":13,"data":[{"id":"1"}]}'
  )
  const record = { path: '/x/:id', key: 'x', messages: { found: 'Found.', notFound: 'No.' } } as const
  t.equal(recordBody(record, { id: '1' }), '{"status":"success","message":"Found.","x":{"id":"1"}}')
})

t.test('HEAD answers like GET without a body', async (t) => {
  const { app, get } = await serve(t, { db: await openWorld(t, 'sqlite') })
  const url = '/assessment/list?search=ada'
  const { text } = await get(url, admin)
  const { authorization } = headersOf(admin)
  const head = await app.inject({ method: 'HEAD', url, headers: { authorization } })
  const length = String(Buffer.byteLength(text))
  t.match(head, { statusCode: 200, body: '', headers: { 'content-length': length } })
  t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 401)
})
