import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import t from 'tap'
import { roleNoticer } from '../src/http/role-notices.js'
import listing, { type List, payments } from '../src/index.js'
import { openDatabase } from './support/databases.js'
import { resolveRole, secret, serve } from './support/server.js'
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

t.test('the boot warns of no role of a list, whatever it resembles', (t) => {
  const warnings: unknown[] = []
  const log = { warn: (...line: unknown[]) => warnings.push(line) }
  const list: List = { ...payments, roles: { Student: 'own', Students: 'all' } }
  roleNoticer({ log } as never, { lists: [list], newRoles: [] })
  t.strictSame(warnings, [])
  t.end()
})

t.test(
  'the boot warns of a role in the option roles that resembles a role of the lists, and of no other new role',
  async (t) => {
    const misspelt = { Practicioner: 'none', ADMIN: 'all', Auditor: 'all', Individual: 'none' } as const
    const roles = { assessments: misspelt, payments: misspelt }
    const { lines } = await serve(t, { db: await openDatabase(t, 'sqlite'), roles }, { log: 'warn' })
    t.strictSame(
      lines.map(({ msg }) => msg),
      [
        "The role 'Practicioner' is new, or misspelt in the option roles (did you mean 'Practitioner'?).",
        "The role 'ADMIN' is new, or misspelt in the option roles (did you mean 'Admin'?)."
      ]
    )
  }
)

t.test('a host adds roles and changes reaches, and their callers are not logged as unknown', async (t) => {
  const roles = { payments: { Auditor: 'all', Individual: 'linked' } } as const
  const { get, lines } = await serve(t, { db: await openWorld(t, 'sqlite'), roles }, { log: 'warn' })
  for (const [role, total] of [
    ['Auditor', 31],
    ['Individual', 9],
    ['Practitioner', 3]
  ] as const) {
    t.match((await get('/payment/list', { userId: 10, role })).body, { total }, role)
  }
  t.strictSame(lines, [])
})
