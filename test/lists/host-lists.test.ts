/** Lists of a host keep the promises of docs/contract.md: the oracle knows them, and the same checks run on them. */
import fc from 'fast-check'
import t from 'tap'
import { conformance } from '../../src/conformance/index.js'
import { checkDatabase, defineOptions, payments, textOfFindings } from '../../src/index.js'
import { databases, dateTime } from '../support/databases.js'
import { certificates, expectedOf, hostLists, hostTables, openHostLists } from '../support/host-lists.js'
import { reachesOf } from '../support/oracle.js'
import { profiles } from '../support/profiles.js'
import { resolveRole, serve, shown } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { admin, callers, individual } from '../support/world.js'

const time = fc.integer({ min: 0, max: 5 * 24 * 60 }).map((minutes) => {
  const iso = new Date(Date.UTC(2024, 1, 29) + minutes * 60_000).toISOString().slice(0, 19)
  return iso.endsWith('T00:00:00') ? iso.slice(0, 10) : iso
})
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const search = optional(fc.constantFrom('', 'aid', 'FIRE_', '%', '_1', 'example', "o'", 'blue', 'zzz'))
const paging = { page: optional(fc.integer({ min: 1, max: 4 })), limit: optional(fc.integer({ min: 1, max: 100 })) }

/** Requests of certificates, whose times are in UTC, and of rooms, whose times have no zone. */
const requests = fc.oneof(
  fc
    .record({
      search,
      level: optional(fc.constantFrom('', 'basic', 'expert (C++)')),
      issued_from: optional(time),
      issued_to: optional(time),
      ...paging
    })
    .map(({ issued_from, issued_to, ...others }) => {
      const utc = (text: string | undefined) => text && (text.includes('T') ? `${text}Z` : text)
      return ['/certificate/list', { ...others, issued_from: utc(issued_from), issued_to: utc(issued_to) }] as const
    }),
  fc
    .record({ search, booked_from: optional(time), booked_to: optional(time), ...paging })
    .map((parameters) => ['/room/list', parameters] as const)
)

const urlOf = ([path, parameters]: readonly [string, Readonly<Record<string, unknown>>]) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

for (const name of databases) {
  t.test(`lists of a host on ${name}: answers, ranges of times and start-up check`, async (t) => {
    const db = await openHostLists(t, name)
    const { get } = await serve(t, defineOptions({ db, resolveRole, lists: hostLists, tables: hostTables }))
    const request = fc.tuple(requests.map(urlOf), fc.constantFrom(...callers))
    await fc.assert(
      fc.asyncProperty(request, async ([url, caller]) => {
        t.strictSame(shown(await get(url, caller)), expectedOf(url, caller), `${url} as ${caller.role}`)
      }),
      { numRuns: 60 }
    )
    t.match(
      textOfFindings(await checkDatabase({ db, lists: hostLists, tables: hostTables })).replaceAll(/["`]/g, ''),
      /^Create these indexes.*\n(create index .* on (payments|certs|rooms) .*;\n?)+$/
    )

    // A range of times has a first moment and no last one.
    const days = async (query: string) => {
      const { body } = await get(`/certificate/list?limit=100&${query}`, admin)
      return new Set(body.certificates?.map(({ issued_at }) => issued_at))
    }
    const at = '2024-03-02T09:30:00'
    t.ok((await days(`issued_from=${at}Z`)).has(`${at}Z`))
    t.notOk((await days(`issued_from=${at}.001Z`)).has(`${at}Z`))
    t.notOk((await days(`issued_to=${at}Z`)).has(`${at}Z`))
    t.ok((await days(`issued_to=${at}.001Z`)).has(`${at}Z`))
    t.equal((await days('issued_from=2024-03-02&issued_to=2024-03-03')).size, 2)
    t.equal((await days('issued_from=2024-03-03&issued_to=2024-03-02')).size, 0)
    t.equal((await days('issued_from=0001-01-01&issued_to=9999-12-31')).size, (await days('')).size)
  })
}

t.test('the start-up check finds that a list of a host has no table', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const missing = await checkDatabase({ db, lists: [certificates] })
  t.match(missing, [{ level: 'error', text: /^certificates / }])
})

t.test('the conformance checks pass on lists of a host', async (t) => {
  const db = await openHostLists(t, 'sqlite')
  const { app } = await serve(t, defineOptions({ db, resolveRole, lists: hostLists, tables: hostTables }))
  const as = (name: string, userId: number, role: string) => {
    return { name, headers: headersOf({ userId, role }), userId, reach: reachesOf(role) }
  }
  const callers = [
    as('Ada', 1, 'Individual'),
    { ...as('Pat', 10, 'Practitioner'), linked: [1, 2] },
    as('Ora', 30, 'none'),
    as('Al', 20, 'Admin')
  ]
  const checks = conformance(() => ({ app, callers }), { lists: hostLists })
  t.equal(checks.length, 30)
  for (const { name, run } of checks) await t.resolves(run({ skip: () => undefined }), name)
})

for (const name of databases) {
  t.test(`an id that is also the owner is compared exactly on ${name}`, async (t) => {
    const db = await openWorld(t, name)
    await db.schema
      .createTable('profiles')
      .addColumn('user_id', 'varchar(10)')
      .addColumn('made_at', dateTime(name))
      .execute()
    const made_at = '2024-03-01 09:30:00'
    const rows = ['12', '12abc', '012', '12.0', '13'].map((user_id) => ({ user_id, made_at }))
    await db.insertInto('profiles').values(rows).execute()
    const { get } = await serve(t, defineOptions({ db, resolveRole, lists: [profiles] }))
    t.match(await get('/profile/list', { userId: 12, role: 'Individual' }), {
      body: { total: 1, data: [{ user_id: '12' }] }
    })
  })
}

t.test('a count is shared only with the same range', async (t) => {
  const db = await openHostLists(t, 'sqlite')
  const options = { db, resolveRole, lists: hostLists, tables: hostTables }
  const { get } = await serve(t, defineOptions(options))
  const ranges = ['from=2023-01-01', 'from=2024-01-01', 'to=2024-01-01', 'to=2025-01-01']
  const urls = [...ranges, ...ranges].map((range) => `/payment/list?limit=1&created_${range}`)
  const answers = await Promise.all(urls.map((url) => get(url, admin)))
  t.strictSame(
    answers.map(shown),
    urls.map((url) => expectedOf(url, admin))
  )
})

t.test('a range in SQLite reads every zone that an item can have', async (t) => {
  const db = await openHostLists(t, 'sqlite')
  await db.deleteFrom('certs').execute()
  const zones = ['', 'Z', '+00', '+0000', '+00:00']
  const times = [
    ...zones.map((zone) => `2024-03-01T07:30:00${zone}`),
    '2024-03-01 09:30:00+02',
    '2024-03-01 02:00:00-0530'
  ]
  await db
    .insertInto('certs')
    .values(times.map((at, id) => ({ id, holder: 1, name: 'x', level: null, points: null, at })))
    .execute()
  const lists = [certificates]
  const { get } = await serve(t, defineOptions({ db, resolveRole, lists, tables: hostTables }))
  const totalOf = async (query: string) => (await get(`/certificate/list?${query}`, admin)).body.total
  t.equal(await totalOf('issued_from=2024-03-01T07:30:00Z'), times.length)
  t.equal(await totalOf('issued_to=2024-03-01T07:30:01Z'), times.length)
  t.equal(await totalOf('issued_to=2024-03-01T07:30:00Z'), 0)
})

t.test('a time of another form is a 400 with the form', async (t) => {
  const db = await openHostLists(t, 'sqlite')
  const { get } = await serve(t, defineOptions({ db, resolveRole, lists: hostLists, tables: hostTables }))
  for (const [url, form] of [
    ['/certificate/list?issued_from=2024-03-02T09:30:00', 'YYYY-MM-DDThh:mm:ssZ'],
    ['/room/list?booked_from=2024-03-02T09:30:00Z', 'YYYY-MM-DDThh:mm:ss']
  ] as const) {
    const { status, body } = await get(url, admin)
    t.equal(status, 400)
    t.match(body.error, `must be a date and time in the form YYYY-MM-DD or ${form}.`)
  }
})

t.test('a message of the host has the forms of a day and of a time as two placeholders', async (t) => {
  const db = await openHostLists(t, 'sqlite')
  const parameterNotTime = '„{name}“ hat die Form {day} oder {time}.'
  const options = defineOptions({
    db,
    resolveRole,
    lists: hostLists,
    tables: hostTables,
    messages: { parameterNotTime }
  })
  const { get } = await serve(t, options)
  const { body } = await get('/room/list?booked_from=x', admin)
  t.equal(body.error, '„booked_from“ hat die Form YYYY-MM-DD oder YYYY-MM-DDThh:mm:ss.')
})

t.test('a server may mount one list, and needs the tables of that list only', async (t) => {
  const db = await openWorld(t, 'sqlite')
  for (const table of ['assessments', 'memberships', 'links']) await db.schema.dropTable(table).execute()
  const { get } = await serve(t, defineOptions({ db, resolveRole, lists: [payments], checkOnReady: 'error' }))
  t.equal((await get('/payment/list', individual)).body.total, 3)
  t.equal((await get('/assessment/list?search=', admin)).status, 404)
  // A function that maps both lists serves a registration of one.
  const tables = () => ({ assessments: 'exams', payments: 'payments' })
  const one = await serve(t, defineOptions({ db, resolveRole, lists: [payments], tables }))
  t.equal((await one.get('/payment/list', individual)).body.total, 3)
  await t.rejects(serve(t, { db, checkOnReady: 'error' }), {
    code: 'FST_LISTING_DATABASE_MISFIT',
    message: /assessments/
  })
})

t.test('a list and its extended copy stand side by side in one server', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get, app } = await serve(t, defineOptions({ db, resolveRole, lists: [payments] }), {
    before: async (app) => {
      const { default: listing } = await import('../../src/index.js')
      app.register(listing, { ...defineOptions({ db, resolveRole, lists: [hostLists[0]] }), prefix: '/v2' })
    }
  })
  t.equal((await get('/payment/list?payment_method=card', admin)).status, 400)
  t.match(await get('/v2/payment/list?payment_method=cash', admin), {
    status: 200,
    body: { total: 1, data: [{ method: 'cash' }] }
  })
  await app.ready()
})

t.test('visibility and messages apply to a list of a host', async (t) => {
  const db = await openHostLists(t, 'sqlite')
  const options = defineOptions({
    db,
    resolveRole,
    lists: hostLists,
    tables: hostTables,
    visibility: { certificates: { Individual: 'none', Auditor: 'all' } },
    messages: { certificatesFound: 'Zertifikate.', certificatesForbidden: 'Nein.' }
  })
  const { get } = await serve(t, options)
  t.match(await get('/certificate/list', individual), { status: 403, body: { error: 'Nein.' } })
  const auditor = { userId: 5, role: 'Auditor' }
  t.match(await get('/certificate/list', auditor), { status: 200, body: { message: 'Zertifikate.', total: 22 } })
})
