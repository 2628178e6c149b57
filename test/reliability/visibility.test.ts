/** Random requests on random data get the answers of the oracle over HTTP. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import { callers, createTables, insert } from '../support/fixtures/world.js'
import { serve, shown } from '../support/hosts/server.js'
import { type Data, expected } from '../support/oracle/oracle.js'
import { type Db, databases, openDatabase } from '../support/servers/databases.js'
import { holds, times } from './sizes.js'

const roles = [...callers.map(({ role }) => role), 'admin', 'constructor']
const statuses = ['completed', 'pending', 'reserved'] as const
const processorStatuses = ['succeeded', 'failed', 'complete'] as const

/** ASCII text, which every collation compares alike, with characters that are special in LIKE, SQL and JSON. */
const word = fc.string({ unit: fc.constantFrom(...'aAbB%_!\\\'"- '), minLength: 1, maxLength: 5 })
const userId = fc.integer({ min: 1, max: 8 })
const second = fc.constantFrom(...['00', '01', '02', '59'].map((text) => `2024-02-29 23:59:${text}`))

/** Rows whose values of `keys` are unique, with more columns that are the same in each row. */
const rows = <Row, More = object>(
  row: { [Key in keyof Row]: fc.Arbitrary<Row[Key]> },
  keys: (keyof Row)[],
  maxLength: number,
  more?: More
) =>
  fc
    .uniqueArray(fc.record(row), { selector: (each) => keys.map((key) => each[key]).join(' '), maxLength })
    .map((rows) => rows.map((each) => ({ ...each, ...(more as More) })))
const id = fc.integer({ min: 1, max: 99 })
const date = '2024-01-01 00:00:00'
const noAvatar = { avatar_url: null }

const worlds: fc.Arbitrary<Data> = fc.record({
  users: rows({ user_id: userId, first_name: word, last_name: word, email: word }, ['user_id'], 8, noAvatar),
  links: rows({ owner_id: userId, user_id: userId }, ['owner_id', 'user_id'], 12),
  memberships: rows({ user_id: userId, org_name: fc.constantFrom('A', 'B', 'a b', '"') }, ['user_id', 'org_name'], 16),
  assessments: rows(
    { assessment_id: id, user_id: userId, status: fc.constantFrom(...statuses), created_at: second },
    ['assessment_id'],
    30,
    { licence: 'L', assessment_type: 't', practitioner_id: null, date_assignment: date, date_conclusion: null }
  ),
  payments: rows(
    {
      ...{ payment_id: id, user_id: fc.option(userId), payment_intent: word, created_at: second },
      processor_status: fc.constantFrom(...processorStatuses)
    },
    ['payment_id'],
    30,
    { amount: 1, quantity: 1, paid_at: null, payment_method: 'card', payment_status: 'paid' }
    // The intent is unique, and no search term matches its number.
  ).map((rows) => rows.map((row) => ({ ...row, payment_intent: `${row.payment_intent}#${row.payment_id}` })))
})

const requests = fc.record({
  list: fc.constantFrom('assessments', 'payments'),
  caller: fc.record({ userId, role: fc.constantFrom(...roles) }),
  search: fc.option(word),
  status: fc.option(fc.nat(2)),
  page: fc.integer({ min: 1, max: 5 }),
  limit: fc.integer({ min: 1, max: 7 })
})
type Request = typeof requests extends fc.Arbitrary<infer Value> ? Value : never

async function load(db: Db, tables: Data): Promise<void> {
  for (const table of Object.keys(tables)) await db.deleteFrom(table).execute()
  await insert(db, tables)
}

function urlOf({ list, search, status, page, limit }: Request): string {
  const query = new URLSearchParams({ search: search ?? '', page: String(page), limit: String(limit) })
  const [filter, values] = list === 'assessments' ? ['status', statuses] : ['processor_status', processorStatuses]
  if (status !== null) query.set(filter, String(values[status]))
  return `/${list.slice(0, -1)}/list?${query}`
}

const perWorld = 50
const asks = fc.array(requests, { minLength: perWorld, maxLength: perWorld })

for (const name of databases) {
  t.test(`rows, order and totals equal those of the oracle on ${name}`, { timeout: 3_600_000 }, async (t) => {
    const db = await openDatabase(t, name)
    await createTables(db)
    const { get } = await serve(t, { db })
    const ask = async (request: Request) => shown(await get(urlOf(request), request.caller))
    let tried = 0
    const worldsTried = times(6, 60, 200)
    await holds(
      t,
      `requests against the oracle on ${name}: rows leaked, lost or out of order`,
      fc.asyncProperty(worlds, asks, async (data, asked) => {
        await load(db, data)
        for (const request of asked) {
          tried++
          const answer = await ask(request)
          const wanted = expected(urlOf(request), request.caller, data)
          if (!isDeepStrictEqual(answer, wanted)) {
            throw new Error(`${JSON.stringify(request)}: ${JSON.stringify(answer)}, not ${JSON.stringify(wanted)}`)
          }
        }
        // Properties that need no oracle.
        const [one] = asked as [Request]
        const whole = await ask({ ...one, page: 1, limit: 100 })
        const pages = []
        for (let page = 1; whole.total !== undefined && (page - 1) * one.limit < whole.total; page++) {
          tried++
          pages.push(...((await ask({ ...one, page })).items ?? []))
        }
        if (JSON.stringify(pages) !== JSON.stringify(whole.items ?? [])) throw new Error('The pages are not the whole.')
        if (whole.total !== whole.items?.length) throw new Error('The total counts what no page shows.')
        const wider = await ask({ ...one, page: 1, limit: 100, status: null })
        if (Number(whole.total ?? 0) > Number(wider.total ?? 0)) throw new Error('A filter added rows.')
        tried += 2
      }),
      worldsTried,
      { tried: () => tried }
    )
    t.ok(tried >= worldsTried * perWorld)
  })
}
