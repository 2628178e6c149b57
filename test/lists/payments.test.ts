import t from 'tap'
import { databases } from '../support/databases.js'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { admin } from '../support/world.js'

for (const name of databases) {
  t.test(`payments on ${name}`, async (t) => {
    const server = await serve(t, { db: await openWorld(t, name) })

    t.test('an answer has exactly the fields and formats of contract 49 to 60', async (t) => {
      const { status, headers, body } = await server.get('/payment/list?search=pi_0_0', admin)
      t.equal(status, 200)
      t.match(headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' })
      t.strictSame(body, {
        status: 'success',
        message: 'Payments retrieved successfully.',
        page: 1,
        limit: 12,
        total: 1,
        data: [
          {
            payment_id: '1',
            user_id: '1',
            email: 'ada@example.org',
            amount: 10.5,
            quantity: 1,
            payment_intent: 'pi_0_0',
            paid_at: '2024-03-01 10:00:00',
            payment_method: 'card',
            payment_status: 'paid',
            processor_status: 'succeeded',
            created_at: '2024-02-01 12:00:00'
          }
        ]
      })
    })

    t.test('the payment of a guest has no user and no email, and an unpaid payment has no paid_at', async (t) => {
      const { body } = await server.get('/payment/list?search=guest', admin)
      t.match(body, { total: 1, data: [{ payment_id: '99', user_id: '', email: '', paid_at: '' }] })
    })

    t.test('the status filter is exact', async (t) => {
      for (const status of ['Pending', 'pending ', 'pend', '%', "' or 1=1 -- ", '漢']) {
        const { body } = await server.get(`/payment/list?processor_status=${encodeURIComponent(status)}`, admin)
        t.equal(body.total, 0, JSON.stringify(status))
      }
    })
  })
}
