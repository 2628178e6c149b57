/** A host in CommonJS JavaScript that asks its own lists and prints the answers. */
const { readFileSync } = require('node:fs')
const jwt = require('@fastify/jwt')
const Fastify = require('fastify')
const lists = require('fastify-assessment-payment-listing')
const { Kysely } = require('kysely')
const { sqlite } = require('./sqlite.cjs')

/** @param {import('fastify').FastifyRequest} request */
async function resolveRole({ user }) {
  const { sub } = /** @type {{ sub: string }} */ (user)
  return sub === '2' ? { userId: sub, role: 'Practitioner' } : null
}

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
  for (const prefix of ['/default', '/whole']) {
    for (const path of ['/assessment/list?search=zo', '/payment/list']) {
      console.log((await app.inject({ url: prefix + path, headers })).body)
    }
  }
  await app.close()
  await db.destroy()
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
