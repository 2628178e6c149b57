/** Who may see what: random worlds and requests through the HTTP door, against an oracle in memory. */
import fc from 'fast-check'
import t from 'tap'
import { migrations } from '../../src/database/migrations.js'
import { type Db, databases, openDatabase } from '../support/databases.js'
import { serve } from '../support/server.js'
import { holds, times } from './sizes.js'

const roles = {
  Individual: ['own', 'own'],
  Practitioner: ['linked', 'own'],
  'Master Practitioner': ['linked', 'own'],
  Institutional: ['linked', 'own'],
  Admin: ['all', 'all'],
  'Super Admin': ['all', 'all'],
  admin: ['none', 'own'],
  constructor: ['none', 'own']
} as const
const statuses = ['completed', 'pending', 'reserved'] as const
const processorStatuses = ['succeeded', 'failed', 'complete'] as const

/** Text with what LIKE, SQL and JSON take for something else; ASCII, of which every collation thinks the same. */
const word = fc.string({ unit: fc.constantFrom(...'aAbB%_!\\\'"- '), minLength: 1, maxLength: 5 })
const userId = fc.integer({ min: 1, max: 8 })
const second = fc.constantFrom(...['00', '01', '02', '59'].map((text) => `2024-02-29 23:59:${text}`))

const worlds = fc.record({
  users: fc.uniqueArray(fc.record({ user_id: userId, first_name: word, last_name: word, email: word }), {
    selector: ({ user_id }) => user_id,
    maxLength: 8
  }),
  links: fc.uniqueArray(fc.record({ owner_id: userId, user_id: userId }), {
    selector: ({ owner_id, user_id }) => `${owner_id} ${user_id}`,
    maxLength: 12
  }),
  memberships: fc.uniqueArray(fc.record({ user_id: userId, org_name: fc.constantFrom('A', 'B', 'a b', '"') }), {
    selector: ({ user_id, org_name }) => `${user_id} ${org_name}`,
    maxLength: 16
  }),
  assessments: fc.uniqueArray(
    fc.record({
      assessment_id: fc.integer({ min: 1, max: 99 }),
      user_id: userId,
      status: fc.constantFrom(...statuses),
      created_at: second
    }),
    { selector: ({ assessment_id }) => assessment_id, maxLength: 30 }
  ),
  payments: fc.uniqueArray(
    fc.record({
      payment_id: fc.integer({ min: 1, max: 99 }),
      user_id: fc.option(userId),
      payment_intent: word,
      processor_status: fc.constantFrom(...processorStatuses),
      created_at: second
    }),
    { selector: ({ payment_id }) => payment_id, maxLength: 30 }
  )
})
type World = typeof worlds extends fc.Arbitrary<infer Value> ? Value : never

const requests = fc.record({
  list: fc.constantFrom('assessments', 'payments'),
  caller: fc.record({ userId, role: fc.constantFrom(...(Object.keys(roles) as (keyof typeof roles)[])) }),
  search: fc.option(word),
  status: fc.option(fc.nat(2)),
  page: fc.integer({ min: 1, max: 5 }),
  limit: fc.integer({ min: 1, max: 7 })
})
type Request = typeof requests extends fc.Arbitrary<infer Value> ? Value : never

interface Found {
  id: string
  user: number | null
  orgs: string[] | undefined
}

/** All that the caller may see and the request asks for, in order; none where it is refused. */
function expected(
  world: World,
  { list, caller, search, status }: Omit<Request, 'page' | 'limit'>
): Found[] | undefined {
  const reach = roles[caller.role][list === 'assessments' ? 0 : 1]
  if (reach === 'none') return undefined
  const visible = new Set([
    caller.userId,
    ...world.links
      .filter(({ owner_id }) => reach === 'linked' && owner_id === caller.userId)
      .map(({ user_id }) => user_id)
  ])
  const holds = (text: string | undefined) => text?.toLowerCase().includes(String(search).toLowerCase())
  const records =
    list === 'assessments'
      ? world.assessments.map((row) => ({ ...row, id: row.assessment_id, state: row.status, intent: undefined }))
      : world.payments.map((row) => ({
          ...row,
          id: row.payment_id,
          state: row.processor_status,
          intent: intentOf(row)
        }))
  return records
    .filter(({ user_id }) => reach === 'all' || (user_id !== null && visible.has(user_id)))
    .filter(({ state }) => status === null || state === (list === 'assessments' ? statuses : processorStatuses)[status])
    .filter(({ user_id, intent }) => {
      const user = world.users.find((each) => each.user_id === user_id)
      const names = list === 'assessments' ? [user?.first_name, user?.last_name] : [intent]
      return search === null || [...names, user?.email].some(holds)
    })
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id)
    .map(({ id, user_id }) => ({
      id: String(id),
      user: user_id,
      orgs:
        list === 'assessments'
          ? world.memberships
              .filter((each) => each.user_id === user_id)
              .map(({ org_name }) => org_name)
              .sort()
          : undefined
    }))
}

/** Unique, and never found by its number. */
const intentOf = ({ payment_id, payment_intent }: World['payments'][number]) => `${payment_intent}#${payment_id}`

async function load(db: Db, world: World): Promise<void> {
  const date = '2024-01-01 00:00:00'
  const tables = {
    users: world.users,
    links: world.links,
    memberships: world.memberships,
    assessments: world.assessments.map((row) => ({
      licence: 'L',
      assessment_type: 't',
      date_assignment: date,
      ...row
    })),
    payments: world.payments.map((row) => ({
      amount: 1,
      quantity: 1,
      payment_method: 'card',
      payment_status: 'paid',
      ...row,
      payment_intent: intentOf(row)
    }))
  }
  for (const [name, rows] of Object.entries(tables)) {
    await db.deleteFrom(name).execute()
    if (rows.length > 0) await db.insertInto(name).values(rows).execute()
  }
}

const perWorld = 50

for (const name of databases) {
  t.test(`rows, order and totals on ${name} are those of the oracle`, { timeout: 3_600_000 }, async (t) => {
    const db = await openDatabase(t, name)
    for (const { up } of Object.values(migrations)) await up(db)
    const { get } = await serve(t, { db })
    const ask = async ({ list, caller, search, status, page, limit }: Request) => {
      const filter = list === 'assessments' ? ['status', statuses] : ['processor_status', processorStatuses]
      const query = new URLSearchParams({ page: String(page), limit: String(limit), search: search ?? '' })
      if (status !== null) query.set(String(filter[0]), String(filter[1]?.[status]))
      const { status: code, body } = await get(`/${list.slice(0, -1)}/list?${query}`, caller)
      const items = body.assessments ?? body.data
      return {
        code,
        total: body.total,
        found: items?.map(({ assessment_id, payment_id, user_id, org_names }) => ({
          id: assessment_id ?? payment_id,
          user: user_id === null || user_id === '' ? null : Number(user_id),
          orgs: org_names
        }))
      }
    }
    let tried = 0
    const worldsTried = times(10, 60, 200)
    await holds(
      t,
      `requests against the oracle on ${name}: rows leaked, lost or out of order`,
      fc.asyncProperty(
        worlds,
        fc.array(requests, { minLength: perWorld, maxLength: perWorld }),
        async (world, asked) => {
          await load(db, world)
          for (const request of asked) {
            tried++
            const all = expected(world, request)
            const { page, limit } = request
            const answer = await ask(request)
            const want = all
              ? { code: 200, total: all.length, found: all.slice((page - 1) * limit, page * limit) }
              : { code: 403, total: undefined, found: undefined }
            if (JSON.stringify(answer) !== JSON.stringify(want)) {
              throw new Error(`${JSON.stringify(request)}: ${JSON.stringify(answer)}, not ${JSON.stringify(want)}`)
            }
          }
          // laws that need no oracle
          const [one] = asked as [Request]
          const whole = await ask({ ...one, page: 1, limit: 100 })
          const pages = []
          for (let page = 1; whole.total !== undefined && (page - 1) * one.limit < whole.total; page++) {
            tried++
            pages.push(...((await ask({ ...one, page })).found ?? []))
          }
          if (JSON.stringify(pages) !== JSON.stringify(whole.found ?? []))
            throw new Error('The pages are not the whole.')
          if (whole.total !== whole.found?.length) throw new Error('The total counts what no page shows.')
          const wider = await ask({ ...one, page: 1, limit: 100, status: null })
          if (Number(whole.total ?? 0) > Number(wider.total ?? 0)) throw new Error('A filter added rows.')
          tried += 2
        }
      ),
      worldsTried,
      () => tried
    )
    t.ok(tried >= worldsTried * perWorld)
  })
}
