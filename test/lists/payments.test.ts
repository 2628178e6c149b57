import t from 'tap'
import { databases, openDatabase } from '../support/databases.js'
import { type Server, serve } from '../support/server.js'
import { callers, expectedPayments, fill } from '../support/world.js'

const admin = { userId: 20, role: 'Admin' }
const ids = (server: Server, query: string, caller: { userId: number; role: string }) =>
  server.get(`/payment/list?${query}`, caller).then(({ body: { data = [], total } }) => ({
    ids: data.map(({ payment_id }) => payment_id),
    total
  }))

for (const name of databases) {
  t.test(`payments on ${name}`, async (t) => {
    const db = await openDatabase(t, name)
    await fill(db)
    const server = await serve(t, { db })

    t.test('an answer has exactly the fields of the contract, in their forms (contract 49 to 60)', async (t) => {
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

    t.test('a guest has no user and no email, and an unpaid payment no paid_at', async (t) => {
      const { body } = await server.get('/payment/list?search=guest', admin)
      t.match(body, { total: 1, data: [{ payment_id: '99', user_id: '', email: '', paid_at: '' }] })
    })

    for (const caller of callers) {
      t.test(`${caller.role}: ${caller.payments}`, async (t) => {
        for (const search of ['', 'pi_1', 'EXAMPLE.ORG', 'nobody']) {
          for (const status of ['', 'pending', 'open']) {
            const expected = expectedPayments(caller.payments, caller.userId, search, status)
            const query = `search=${search}&processor_status=${status}`
            t.strictSame(
              await ids(server, `${query}&limit=100`, caller),
              { ids: expected, total: expected.length },
              query
            )

            const paged: unknown[] = []
            for (let page = 1; page <= Math.ceil(expected.length / 4); page++) {
              const { ids: found, total } = await ids(server, `${query}&limit=4&page=${page}`, caller)
              t.equal(total, expected.length, `the total on page ${page} of ${query}`)
              paged.push(...found)
            }
            t.strictSame(paged, expected, `pages joined are the whole list of ${query}`)
          }
        }
      })
    }

    t.test('without parameters it is the whole list', async (t) => {
      t.strictSame(await ids(server, '', admin), { ids: expectedPayments('all', 20).slice(0, 12), total: 31 })
    })

    t.test('the status filter is exact', async (t) => {
      for (const status of ['Pending', 'pending ', 'pend', '%', "' or 1=1 -- ", '漢']) {
        const { total } = await ids(server, `processor_status=${encodeURIComponent(status)}`, admin)
        t.equal(total, 0, JSON.stringify(status))
      }
    })
  })
}
