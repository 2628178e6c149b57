/** The README's checks for a team's own tests, run as pasted on a server that keeps its promises, and on one that does not. */
import t from 'tap'
import { blocks, run, write } from '../support/readme.js'

/** What a team has: its own server. */
const server = (links: string) => `
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
  await db.insertInto('links').values(${links}).execute()
  const app = Fastify()
  await app.register(jwt, { secret: 'a secret of at least thirty-two characters' })
  await app.register(listing, {
    prefix: '/api', db, resolveRole: ({ user: { sub } }) => ({ userId: sub, role: roles[sub] })
  })
  app.addHook('onClose', () => db.destroy())
  return app
}
`

const code = String(blocks.get('Checks for your own tests: js'))

t.test('a server that keeps its promises passes', async (t) => {
  write(t, 'server.js', server('{ owner_id: 2, user_id: 1 }'))
  const { ended, output } = run(t, [write(t, 'lists.test.js', code)])
  t.equal(await ended, 0, output())
  t.match(output(), /^# pass 20$/m)
})

t.test('one whose links lead to somebody else does not, and says which request shows it', async (t) => {
  write(t, 'server.js', server('{ owner_id: 2, user_id: 4 }'))
  const { ended, output } = run(t, [write(t, 'lists.test.js', code)])
  t.equal(await ended, 1)
  t.match(output(), /^not ok \d+ - assessments: every caller sees the records within their reach, and no others$/m)
  t.match(
    output(),
    "GET /api/assessment/list?search=&page=1&limit=1 as Pat: record 4 is of user 4, but the reach of Pat (user 2) is 'linked'."
  )
})
