import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import listing from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2' // The pool of mysql2/promise does not work with Kysely.

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string }
  }
}

const { DATABASE_URL = '', JWT_SECRET = '', PORT = '3000' } = process.env
const pool = createPool({ uri: DATABASE_URL, charset: 'utf8mb4' })
const db = new Kysely<{ members: { id: number; role: string } }>({ dialect: new MysqlDialect({ pool }) })

const app = Fastify({ logger: true })
app.addHook('onClose', () => db.destroy())
await app.register(jwt, { secret: JWT_SECRET, verify: { algorithms: ['HS256'], requiredClaims: ['exp'] } })
await app.register(listing, {
  db,
  // Who is calling, and in which role. Null or undefined is a 401.
  resolveRole: ({ user }) =>
    db.selectFrom('members').where('id', '=', Number(user.sub)).select(['id as userId', 'role']).executeTakeFirst()
})
await app.listen({ port: Number(PORT) })
