import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'tap'
import { exchangeOf } from '../../src/http/exchange.js'
import { ask, hostWith, serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { admin } from '../support/world.js'

t.test('an invalid parameter is a 400 that says what is allowed, and sends no statement', async (t) => {
  const statements: unknown[] = []
  const db = await openWorld(t, 'sqlite', { onQuery: (query) => statements.push(query) })
  const { get } = await serve(t, { db, unknownParameters: ['utm_source'] })
  statements.length = 0
  for (const [query, error] of [
    ['limit=101', "The query parameter 'limit' must be a whole number from 1 to 100, in plain digits."],
    [
      'utm=mail',
      "The query parameter 'utm' is not known; allowed are: search, processor_status, page, limit, utm_source."
    ]
  ]) {
    const { body, headers } = await get(`/payment/list?${query}`, admin)
    t.strictSame(body, { status: 400, error })
    t.equal(headers['cache-control'], 'private, no-store')
  }
  t.strictSame(statements, [])
  t.equal((await get('/payment/list?utm_source=mail', admin)).status, 200)
})

t.test('a request without a caller reads nothing', async (t) => {
  const db = () => t.fail('the database is not asked') as never
  // A hook that takes the caller away stands for a hook of the plugin that did not run.
  const app = await hostWith(t, { db, resolveRole: () => admin }, (app) => {
    app.addHook('onRoute', (route) => {
      const forget = async (_request: FastifyRequest, reply: FastifyReply) => {
        delete exchangeOf(reply)?.caller
      }
      route.onRequest = [forget, ...[route.onRequest ?? []].flat()]
    })
  })
  t.match(await ask(app, '/payment/list'), { status: 500, body: { error: 'Internal server error.' } })
})
