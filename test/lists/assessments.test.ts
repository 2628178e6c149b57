import t from 'tap'
import { databases } from '../support/databases.js'
import { expected } from '../support/oracle.js'
import { idsOf, type Server, serve, shown } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { admin, individual, practitioner } from '../support/world.js'

const ids = async (server: Server, query: string) => {
  const { ids, total } = idsOf(shown(await server.get(`/assessment/list?${query}`, admin)))
  return { ids, total }
}

for (const name of databases) {
  t.test(`assessments on ${name}`, async (t) => {
    const server = await serve(t, { db: await openWorld(t, name) })

    t.test('an answer has exactly the fields and formats of contract 33 to 48', async (t) => {
      const { status, headers, body } = await server.get('/assessment/list?search=ada&status=completed', admin)
      t.equal(status, 200)
      t.match(headers, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' })
      t.strictSame(body, {
        status: 'success',
        message: 'Assessments retrieved successfully.',
        page: 1,
        limit: 12,
        total: 1,
        assessments: [
          {
            assessment_id: '1',
            licence: 'LIC-0',
            assessment_type: 'personality',
            user_id: '1',
            first_name: 'Ada',
            last_name: 'Lovelace',
            email: 'ada@example.org',
            avatarUrl: 'https://cdn/1.png',
            practitioner_id: '10',
            practitioner_first_name: 'Pat',
            practitioner_last_name: 'Practice',
            org_names: ['Acme', 'Zenith', 'acme sub'],
            status: 'completed',
            date_assignment: '2024-03-01T09:30:00Z',
            date_conclusion: '2024-03-02T16:05:00Z'
          }
        ]
      })
    })

    t.test('missing data becomes an empty text, null or an empty list', async (t) => {
      const { body } = await server.get('/assessment/list?search=cleo&status=reserved', admin)
      t.match(body.assessments, [
        {
          avatarUrl: null,
          practitioner_id: '',
          practitioner_first_name: '',
          practitioner_last_name: '',
          org_names: [],
          date_conclusion: null
        }
      ])
    })

    t.test('the search term is literal text', async (t) => {
      for (const [term, users] of [
        ['%', 1],
        ['_', 1],
        ['\\', 1],
        ['!', 1],
        ["'", 1],
        ['100%@', 1],
        ['JANE', 1],
        ['Jane Doe', 0],
        ['Jane ', 0],
        [' ', 0],
        ['n_e', 0],
        ['"', 0],
        ["' or 1=1 -- ", 0]
      ] as const) {
        const { total } = await ids(server, `search=${encodeURIComponent(term)}`)
        t.equal(total, users * 3, JSON.stringify(term))
      }
    })

    t.test('a page past the end is empty and has the exact total', async (t) => {
      t.strictSame(await ids(server, 'search=&page=999'), { ids: [], total: 30 })
      t.strictSame(await ids(server, 'search=nobody&page=2'), { ids: [], total: 0 })
      t.strictSame(await ids(server, 'search=&page=90071992547409&limit=100'), { ids: [], total: 30 })
      // No count comes before these pages, so the database gets their offset.
      for (const caller of [individual, practitioner]) {
        for (const page of [90071992547409, 30000000]) {
          const url = `/assessment/list?search=&page=${page}&limit=100`
          t.strictSame(shown(await server.get(url, caller)), expected(url, caller))
        }
      }
    })
  })
}

t.test('HEAD answers like GET without a body', async (t) => {
  const { app, get } = await serve(t, { db: await openWorld(t, 'sqlite') })
  const url = '/assessment/list?search=ada'
  const { text } = await get(url, admin)
  const { authorization } = headersOf(admin)
  const head = await app.inject({ method: 'HEAD', url, headers: { authorization } })
  const length = String(Buffer.byteLength(text))
  t.match(head, { statusCode: 200, body: '', headers: { 'content-length': length } })
  t.equal((await app.inject({ method: 'HEAD', url })).statusCode, 401)
})

t.test('a role without assessments gets a 403, even if a parameter is missing (contract 65 and 101)', async (t) => {
  const { get } = await serve(t, { db: await openWorld(t, 'sqlite') })
  const { status, body } = await get('/assessment/list', { userId: 30, role: 'ordinary user' })
  const error = 'You do not have permission to access these assessments.'
  t.strictSame([status, body], [403, { status: 403, error }])
})
