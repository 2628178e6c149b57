import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import t from 'tap'
import listing from '../src/index.js'
import { admin, practitioner } from './support/fixtures/world.js'
import { resolveRole, secret, serve } from './support/hosts/server.js'
import { openWorld } from './support/servers/tables.js'

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

t.test('an option that is undefined is left out, and so is each of its entries', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const undefineds = {
    ...{ authenticate: undefined, lists: undefined, defaultLimit: undefined, maxLimit: undefined, timeout: undefined },
    ...{ unknownParameters: undefined, checkOnReady: undefined, prefix: undefined }
  }
  const all = { ...undefineds, tables: undefined, roles: undefined, messages: undefined }
  const tables = { users: undefined, practitioners: undefined, links: undefined, payments: undefined }
  const entries = {
    ...{ ...undefineds, tables, roles: { payments: undefined, assessments: { Admin: undefined } } },
    messages: { internal: undefined, paymentsFound: undefined, assessmentsForbidden: undefined }
  }
  for (const options of [all, entries, { ...entries, tables: () => tables }]) {
    const { get } = await serve(t, { db, ...options } as never)
    const { body } = await get('/payment/list', admin)
    t.match(body, { message: 'Payments retrieved successfully.', limit: 12, total: 31 })
    t.match(await get('/assessment/list?search=', practitioner), { status: 200, body: { total: 9 } })
    t.match(await get('/assessment/list?search=', { userId: 30, role: 'ordinary user' }), { status: 403 })
  }
})
