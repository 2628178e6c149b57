/** The README's checks for a team's own tests, run as pasted beside the server of a team. */
import t from 'tap'
import { blocks, run, write } from '../support/readme.js'

/** What a team has: its own server. */
const server = `
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import listing, { migrations } from 'fastify-assessment-payment-listing'
import { Kysely } from 'kysely'
import { sqlite } from '../../examples/dist/sqlite.js'

const roles = { 1: 'Individual', 2: 'Practitioner', 3: 'Admin', 4: 'ordinary user' }

export async function buildServer() {
  const db = new Kysely({ dialect: sqlite() })
  for (const { up } of Object.values(migrations)) await up(db)
  const created_at = '2024-03-01 09:30:00'
  for (const user_id of [1, 2, 3, 4]) {
    await db.insertInto('users').values({ user_id, first_name: 'Zoë', last_name: 'Nguyen', email: user_id + '@example.org' }).execute()
    await db.insertInto('assessments').values({
      assessment_id: user_id, licence: 'L', assessment_type: 'aptitude', user_id, status: 'pending', created_at
    }).execute()
    await db.insertInto('payments').values({
      payment_id: user_id, user_id, amount: 9.5, quantity: 1, payment_intent: 'pi_' + user_id, payment_method: 'card',
      payment_status: 'paid', processor_status: 'succeeded', created_at
    }).execute()
  }
  await db.insertInto('links').values({ owner_id: 2, user_id: 1 }).execute()
  const app = Fastify()
  await app.register(jwt, { secret: 'a secret of at least thirty-two characters' })
  await app.register(listing, {
    db, resolveRole: ({ user: { sub } }) => ({ userId: sub, role: roles[sub] })
  })
  app.addHook('onClose', () => db.destroy())
  return app
}
`

const code = String(blocks.get('Checks for your own tests: js'))

t.test('the checks run in Node’s own test runner, and pass', async (t) => {
  write(t, 'server.js', server)
  const { ended, output } = run(t, [write(t, 'lists.test.js', code)])
  t.equal(await ended, 0, output())
  t.match(output(), /^# pass 20$/m)
})
