/** The assessments and the payments: their fields, their search and their filters. */
import t from 'tap'
import { admin, individual, practitioner } from '../../support/fixtures/world.js'
import { idsOf, type Server, serve, shown } from '../../support/hosts/server.js'
import { expected } from '../../support/oracle/oracle.js'
import { onDatabases } from '../../support/servers/databases.js'
import { openWorld } from '../../support/servers/tables.js'

const found = async (server: Server, url: string) => {
  const { ids, total } = idsOf(shown(await server.get(url, admin)))
  return { ids, total }
}

/** The requests with one record, and their bodies. */
const answers = {
  '/assessment/list?search=ada&status=completed': {
    message: 'Assessments retrieved successfully.',
    ...{ page: 1, limit: 12, total: 1 },
    assessments: [
      {
        ...{ assessment_id: '1', licence: 'LIC-0', assessment_type: 'personality', status: 'completed' },
        ...{ user_id: '1', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
        ...{ avatarUrl: 'https://cdn/1.png', org_names: ['Acme', 'Zenith', 'acme sub'] },
        ...{ practitioner_id: '10', practitioner_first_name: 'Pat', practitioner_last_name: 'Practice' },
        ...{ date_assignment: '2024-03-01T09:30:00Z', date_conclusion: '2024-03-02T16:05:00Z' }
      }
    ]
  },
  '/payment/list?search=pi_0_0': {
    message: 'Payments retrieved successfully.',
    ...{ page: 1, limit: 12, total: 1 },
    data: [
      {
        ...{ payment_id: '1', user_id: '1', email: 'ada@example.org', amount: 10.5, quantity: 1 },
        ...{ payment_intent: 'pi_0_0', payment_method: 'card', payment_status: 'paid', processor_status: 'succeeded' },
        ...{ paid_at: '2024-03-01 10:00:00', created_at: '2024-02-01 12:00:00' }
      }
    ]
  }
}

/** The number of users whom each term finds. */
const terms = {
  ...{ '%': 1, _: 1, '\\': 1, '!': 1, "'": 1, '100%@': 1, JANE: 1 },
  ...{ 'Jane Doe': 0, 'Jane ': 0, ' ': 0, n_e: 0, '"': 0, "' or 1=1 -- ": 0 }
}

onDatabases(t, 'the default lists', async (t, name) => {
  const server = await serve(t, { db: await openWorld(t, name) })

  t.test('an answer has exactly the fields and formats of contract 33 to 60', async (t) => {
    for (const [url, wanted] of Object.entries(answers)) {
      const { status, headers, body } = await server.get(url, admin)
      t.equal(status, 200)
      t.match(headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' })
      t.strictSame(body, { status: 'success', ...wanted })
    }
  })

  t.test('missing data becomes an empty text, null or an empty list', async (t) => {
    const { body } = await server.get('/assessment/list?search=cleo&status=reserved', admin)
    const nobody = { practitioner_id: '', practitioner_first_name: '', practitioner_last_name: '' }
    t.match(body.assessments, [{ avatarUrl: null, ...nobody, org_names: [], date_conclusion: null }])
    const guest = await server.get('/payment/list?search=guest', admin)
    t.match(guest.body, { total: 1, data: [{ payment_id: '99', user_id: '', email: '', paid_at: '' }] })
  })

  t.test('the search term is literal text, and the filter of the processor status is exact', async (t) => {
    for (const [term, users] of Object.entries(terms)) {
      const { total } = await found(server, `/assessment/list?search=${encodeURIComponent(term)}`)
      t.equal(total, users * 3, JSON.stringify(term))
    }
    for (const status of ['Pending', 'pending ', 'pend', '%', "' or 1=1 -- ", '漢']) {
      const { total } = await found(server, `/payment/list?processor_status=${encodeURIComponent(status)}`)
      t.equal(total, 0, JSON.stringify(status))
    }
  })

  t.test('a page past the end is empty and has the exact total', async (t) => {
    t.strictSame(await found(server, '/assessment/list?search=&page=999'), { ids: [], total: 30 })
    t.strictSame(await found(server, '/assessment/list?search=nobody&page=2'), { ids: [], total: 0 })
    // No count comes before these pages, so the database gets their offset.
    for (const caller of [admin, individual, practitioner]) {
      for (const page of [90071992547409, 30000000]) {
        const url = `/assessment/list?search=&page=${page}&limit=100`
        t.strictSame(shown(await server.get(url, caller)), expected(url, caller))
      }
    }
  })
})
