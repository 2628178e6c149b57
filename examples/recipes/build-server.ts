import jwt from '@fastify/jwt'
import Fastify, { type FastifyRequest } from 'fastify'
import listing, { listingMigrations } from 'fastify-assessment-payment-listing'
import { Kysely } from 'kysely'
import { sqlite } from '../sqlite.js'

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string }
  }
}

const roles = new Map([
  ['1', 'Individual'],
  ['2', 'Practitioner'],
  ['3', 'Admin'],
  ['4', 'Guest']
])

/** Takes only the user, so that a test needs no whole request. */
export const resolveRole = async ({ user: { sub } }: Pick<FastifyRequest, 'user'>) => {
  const role = roles.get(sub)
  return role ? { userId: Number(sub), role } : null
}

/** A server with four users, each with an assessment and a payment. User 1 is linked to user 2. */
export async function buildServer() {
  const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect: sqlite() })
  for (const { up } of Object.values(listingMigrations)) await up(db)
  const created_at = '2024-03-01 09:30:00'
  for (const user_id of [1, 2, 3, 4]) {
    const email = `user${user_id}@example.org`
    await db.insertInto('users').values({ user_id, first_name: 'Zoë', last_name: 'Nguyen', email }).execute()
    const assessment = { assessment_id: user_id, licence: 'L', assessment_type: 'aptitude', status: 'pending' }
    await db
      .insertInto('assessments')
      .values({ ...assessment, user_id, created_at })
      .execute()
    const payment = { payment_id: user_id, amount: 9.5, quantity: 1, payment_intent: `pi_${user_id}` }
    const states = { payment_method: 'card', payment_status: 'paid', processor_status: 'succeeded' }
    await db
      .insertInto('payments')
      .values({ ...payment, ...states, user_id, created_at })
      .execute()
  }
  await db.insertInto('links').values({ owner_id: 2, user_id: 1 }).execute()

  const app = Fastify()
  app.addHook('onClose', () => db.destroy())
  const verify = { algorithms: ['HS256' as const], requiredClaims: ['exp'] }
  await app.register(jwt, { secret: 'a secret of at least thirty-two characters', verify })
  await app.register(listing, { db, resolveRole })
  return app
}
