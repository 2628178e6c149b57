import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import listing, { listingMigrations } from 'fastify-assessment-payment-listing'
import { Kysely, SqliteDialect } from 'kysely'
import sqlite from 'node-sqlite3-wasm'

// A database in memory. Yours: new MysqlDialect({ pool: createPool(process.env.DATABASE_URL) })
const memory = new sqlite.Database()
const prepare = (sql) => ({
  reader: /^\s*select/i.test(sql),
  all: (parameters) => memory.all(sql, [...parameters]),
  run: (parameters) => memory.run(sql, [...parameters])
})
const db = new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => memory.close() } }) })

// The default tables, with two users and an assessment. Yours may have any shape: see "Tables".
for (const { up } of Object.values(listingMigrations)) await up(db)
await db
  .insertInto('users')
  .values([
    { user_id: 1, first_name: 'Zoë', last_name: "O'Brien", email: 'zoe@example.org', avatar_url: null },
    { user_id: 2, first_name: 'Pat', last_name: 'Nguyen', email: 'pat@example.org', avatar_url: null }
  ])
  .execute()
await db.insertInto('memberships').values({ user_id: 1, org_name: 'Acme' }).execute()
await db.insertInto('links').values({ owner_id: 2, user_id: 1 }).execute()
await db
  .insertInto('assessments')
  .values({
    assessment_id: 4711,
    licence: 'LIC-2024-0815',
    assessment_type: 'personality',
    user_id: 1,
    practitioner_id: 2,
    status: 'pending',
    date_assignment: '2024-03-01 09:30:00',
    date_conclusion: null,
    created_at: '2024-03-01 09:30:00'
  })
  .execute()

// Who is calling: your own idea of an account. Null is a 401.
const roles = new Map([
  ['1', 'Individual'],
  ['2', 'Practitioner']
])
const resolveRole = async ({ user: { sub } }) => {
  const role = roles.get(sub)
  return role ? { userId: sub, role } : null
}

const app = Fastify()
await app.register(jwt, {
  secret: process.env.JWT_SECRET ?? 'only for this example, change it',
  verify: { algorithms: ['HS256'] }
})
await app.register(listing, { db, resolveRole })
const address = await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 3000) })

const token = app.jwt.sign({ sub: '2' }, { expiresIn: '1h' })
console.log(`curl -H 'Authorization: Bearer ${token}' '${address}/assessment/list?search=zo'`)
