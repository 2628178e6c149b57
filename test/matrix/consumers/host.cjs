/** A host in CommonJS JavaScript that asks its own lists and prints the answers. */
const { readFileSync } = require('node:fs')
const jwt = require('@fastify/jwt')
const Fastify = require('fastify')
const lists = require('fastify-assessment-payment-listing')
const { Kysely } = require('kysely')
const { sqlite } = require('./sqlite.js')

/** @param {import('fastify').FastifyRequest} request */
const resolveRole = async ({ user: { sub } }) => (sub === '2' ? { userId: sub, role: 'Practitioner' } : null)

async function main() {
  /** @type {Kysely<Record<string, Record<string, unknown>>>} */
  const db = new Kysely({ dialect: sqlite() })
  for (const { up } of Object.values(lists.listingMigrations)) await up(db)
  const rows = JSON.parse(readFileSync('rows.json', 'utf8'))
  for (const [table, values] of Object.entries(rows)) await db.insertInto(table).values(values).execute()

  const app = Fastify()
  await app.register(jwt, { secret: 'a secret of at least thirty-two characters' })
  await app.register(lists.default, { prefix: '/default', db, resolveRole })
  // Fastify takes the default export of a whole module, which only its types don't know
  const whole = /** @type {typeof lists.default} */ (/** @type {unknown} */ (lists))
  await app.register(whole, { prefix: '/whole', db, resolveRole, tables: { links: 'links' } })

  const headers = { authorization: `Bearer ${app.jwt.sign({ sub: '2' })}` }
  for (const path of ['/default/assessment', '/default/payment', '/whole/assessment', '/whole/payment']) {
    console.log((await app.inject({ url: `${path}/list?search=`, headers })).body)
  }
  await app.close()
  await db.destroy()
}

void main()
