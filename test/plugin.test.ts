import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import t from 'tap'
import listing from '../src/index.js'
import { resolveRole, secret } from './support/server.js'
import { openWorld } from './support/tables.js'

t.test('the settings of the lists are encapsulated', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const app = Fastify({ ajv: { customOptions: { coerceTypes: true } } })
  t.teardown(() => app.close())
  await app.register(jwt, { secret })
  await app.register(listing, { db, resolveRole })
  app.get(
    '/host',
    { schema: { querystring: { type: 'object', properties: { n: { type: 'integer' } } } } },
    (request) => request.query
  )
  app.get('/fails', () => {
    throw Object.assign(new Error('host'), { statusCode: 400 })
  })
  const host = await app.inject('/host?n=5')
  t.equal(host.body, '{"n":5}', 'the host’s route keeps its validator and needs no token')
  t.equal(host.headers['cache-control'], undefined)
  t.match((await app.inject('/fails')).json(), { message: 'host' })
  t.equal((await app.inject({ method: 'POST', url: '/payment/list' })).statusCode, 404)
  t.ok(app.hasPlugin('fastify-assessment-payment-listing'))
})
