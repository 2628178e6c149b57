import { after, test } from 'node:test'
import { conformance } from 'fastify-assessment-payment-listing/conformance'
import { buildServer } from './build-server.js' // Your own server.

const app = await buildServer()
after(() => app.close())

const as = (sub: string) => ({ authorization: `Bearer ${app.jwt.sign({ sub }, { expiresIn: '1h' })}` })
const checks = conformance(() => ({
  app,
  callers: [
    { name: 'Zoë', headers: as('1'), userId: 1, reach: { assessments: 'own', payments: 'own' } },
    // `linked` are all users that the table `links` has for Pat.
    { name: 'Pat', headers: as('2'), userId: 2, reach: { assessments: 'linked', payments: 'own' }, linked: [1] },
    { name: 'Al', headers: as('3'), userId: 3, reach: { assessments: 'all', payments: 'all' } },
    { name: 'Ora', headers: as('4'), userId: 4, reach: { assessments: 'none', payments: 'own' } }
  ],
  // What a screen of your old service shows, and what your own statement counts.
  known: { payments: [{ payment_id: '1', user_id: '1', email: 'user1@example.org', amount: 9.5 }] },
  totals: { assessments: 4, payments: 4 }
}))
for (const { name, run } of checks) test(name, run)
