/** The example of a school trust: what each person gets is the union of what their roles would give alone, by hand. */
import Fastify, { type FastifyInstance } from 'fastify'
import listing, { checkDatabase, createListings } from 'fastify-assessment-payment-listing'
import { conformance } from 'fastify-assessment-payment-listing/conformance'
import t, { type Test } from 'tap'
import { incidentOptions, incidents, invoiceOptions } from '../../../examples/schemas/school-trust.js'
import { insert } from '../../support/fixtures/world.js'
import { problemsIn } from '../../support/hosts/faults.js'
import { execute } from '../../support/oracle/check.js'
import { type DatabaseName, type Db, dateTime, onDatabases, openDatabase } from '../../support/servers/databases.js'

/** The branches 2 to 6 are below 1, and 8 is below 7, in another trust. */
const branches = [null, 1, 1, 2, 2, 3, null, 7].map((parent_id, place) => ({ id: place + 1, parent_id }))
const pupils = Array.from({ length: 40 }, (_, place) => ({
  id: place + 1,
  name: `${place % 2 ? 'Zoe' : 'Ann'} ${place}`,
  class_id: 1 + (place % 10),
  branch_id: 1 + (place % 8)
}))
const trustOf = (branch: number) => (branch < 7 ? 1 : 2)

const accounts = Array.from({ length: 9 }, (_, place) => ({ id: place + 1, name: `Account ${place + 1}` }))
const branch_heads = [
  [2, 2],
  [3, 6],
  [6, 7]
].map(([staff_id, branch_id]) => ({ staff_id, branch_id }))
const guardianships = [
  ['P1', 3, null],
  ['P1', 4, '2999-12-31'],
  ['P1', 5, '2000-01-01'],
  ['P1', 7, null],
  ['p1', 12, null],
  ['9', 13, null]
].map(([parent_id, pupil_id, ends_on]) => ({ parent_id, pupil_id, ends_on }))
const lessons = [
  [1, 2],
  [1, 4],
  [1, 4],
  [2, 9]
].map(([staff_id, class_id]) => ({ staff_id, class_id }))
const class_covers = [{ staff_id: 5, class_id: 1 }]
const branch_covers = [{ staff_id: 5, branch_id: 3 }]
// The counsellor 9 has the child 3 in the caseload, and not the child 4.
const caseload = [3, 20, 21].map((pupil_id) => ({ counsellor_id: 9, pupil_id }))

const rows = Array.from({ length: 400 }, (_, place) => {
  const { id, branch_id } = pupils[(place * 7) % 40] as (typeof pupils)[number]
  return {
    id: place + 1,
    tenant_id: trustOf(branch_id),
    pupil_id: id,
    branch_id,
    region: branch_id % 3 === 0 ? 'south' : 'north',
    counsellor_id: place % 5 === 0 ? null : 1 + ((place * 3) % 11),
    state: ['draft', 'open', 'closed'][place % 3] as string,
    severe: place % 4 === 0,
    summary: `Case ${place % 13}`,
    notes: place % 6 === 0 ? null : `Talk ${place % 11}`,
    reported_at: `2026-01-${String(1 + (place % 28)).padStart(2, '0')} 09:30:00`
  }
})
type Row = (typeof rows)[number]
const bills = Array.from({ length: 30 }, (_, place) => ({
  id: place + 1,
  tenant_id: 1 + (place % 2),
  payer_id: 1 + (place % 9),
  amount: 10 + place,
  issued_on: `2026-02-${String(1 + (place % 28)).padStart(2, '0')}`
}))

interface Caller {
  userId: number
  role: string | string[]
  ids: { tenant: number; parent?: string | null; branch?: number }
}

const isBelow = (id: number | null | undefined, top: number | undefined): boolean =>
  id === top || (typeof id === 'number' && isBelow(branches[id - 1]?.parent_id, top))
const heads = ({ branch_id }: Row, { userId }: Caller) =>
  branch_heads.some((head) => head.staff_id === userId && isBelow(branch_id, head.branch_id))
const classOf = ({ pupil_id }: Row) => pupils[pupil_id - 1]?.class_id

/** What each role reaches, by hand. */
const reached: Record<string, (row: Row, caller: Caller) => boolean> = {
  Parent: ({ state, pupil_id }, { ids }) =>
    state !== 'draft' &&
    guardianships.some((of) => of.parent_id === ids.parent && of.pupil_id === pupil_id && of.ends_on !== '2000-01-01'),
  Teacher: (row, { userId }) => lessons.some((of) => of.staff_id === userId && of.class_id === classOf(row)),
  Substitute: (row, { userId }) => userId === 5 && (classOf(row) === 1 || row.branch_id === 3),
  Counsellor: ({ counsellor_id, pupil_id }, { userId }) =>
    counsellor_id === userId || caseload.some((of) => of.counsellor_id === userId && of.pupil_id === pupil_id),
  Head: heads,
  SevereHead: (row, caller) => row.severe && heads(row, caller),
  South: ({ region }) => region === 'south',
  Machine: ({ branch_id }, { ids }) => branch_id === ids.branch,
  Office: () => true,
  Account: () => false
}
const reads = (role: string) => ['Counsellor', 'SevereHead'].includes(role)
const rolesOf = ({ role }: Caller) => [role].flat()

type Query = Record<string, string | boolean | string[]>

/** What a role finds: it has no notes to compare where it does not read them. */
function finds(role: string, { state, severe, notes, pupil_id, summary }: Row, query: Query): boolean {
  const own = reads(role) ? notes : undefined
  const has = (text: string | null | undefined) => text?.toLowerCase().includes(String(query.search).toLowerCase())
  return (
    (query.state === undefined || [query.state].flat().includes(state)) &&
    (query.severe === undefined || query.severe === severe) &&
    (query.has_notes === undefined || (own !== undefined && query.has_notes === (own !== null))) &&
    (query.search === undefined || [pupils[pupil_id - 1]?.name, summary, own].some(has))
  )
}

/** The items of a caller: the union over the roles, and the notes where a role that reads them reaches the record. */
function wanted(caller: Caller, query: Query): object[] {
  const reaching = (row: Row) =>
    rolesOf(caller).filter((role) => row.tenant_id === caller.ids.tenant && reached[role]?.(row, caller))
  return rows
    .filter((row) => reaching(row).some((role) => finds(role, row, query)))
    .sort((a, b) => (a.reported_at === b.reported_at ? b.id - a.id : a.reported_at < b.reported_at ? 1 : -1))
    .map((row) => ({
      ...{ id: String(row.id), pupil_id: String(row.pupil_id), pupil: pupils[row.pupil_id - 1]?.name },
      ...{ branch_id: String(row.branch_id), region: row.region },
      counsellor_id: row.counsellor_id === null ? null : String(row.counsellor_id),
      ...{ state: row.state, severe: row.severe, summary: row.summary },
      ...(reaching(row).some(reads) && { notes: row.notes }),
      reported_at: row.reported_at
    }))
}

const ids = { tenant: 1 }
const people: Record<string, Caller> = {
  'a parent': { userId: 4, role: ['Account', 'Parent'], ids: { ...ids, parent: 'P1' } },
  'another parent, whose id differs in its case': { userId: 4, role: 'Parent', ids: { ...ids, parent: 'p1' } },
  'a teacher': { userId: 1, role: ['Account', 'Teacher'], ids },
  'a substitute': { userId: 5, role: ['Substitute'], ids },
  'a substitute who teaches': { userId: 1, role: ['Substitute', 'Teacher'], ids },
  'a counsellor': { userId: 9, role: ['Account', 'Counsellor'], ids: { ...ids, parent: null } },
  'a counsellor with children at the school': {
    userId: 9,
    role: ['Account', 'Counsellor', 'Parent'],
    ids: { ...ids, parent: 'P1' }
  },
  'a head': { userId: 2, role: ['Head'], ids },
  'a head who reads the notes of severe incidents, and teaches': {
    userId: 2,
    role: ['Head', 'SevereHead', 'Teacher'],
    ids
  },
  'the head of the other trust': { userId: 6, role: ['Head', 'SevereHead'], ids: { tenant: 2 } },
  'a head of one trust who asks in the other': { userId: 2, role: ['Head', 'SevereHead'], ids: { tenant: 2 } },
  'the south': { userId: 1, role: 'South', ids },
  'the south, with a child in the north': { userId: 4, role: ['South', 'Parent'], ids: { ...ids, parent: 'P1' } },
  'a machine': { userId: 1, role: 'Machine', ids: { ...ids, branch: 4 } },
  'the office': { userId: 1, role: 'Office', ids },
  'the office of the other trust': { userId: 1, role: 'Office', ids: { tenant: 2 } },
  'a counsellor in the office': { userId: 9, role: ['Office', 'Counsellor'], ids },
  'a parent whose id is missing': { userId: 9, role: 'Parent', ids }
}

const queries: Query[] = [
  {},
  { state: ['open', 'draft'] },
  { severe: true, search: 'ZOE' },
  { search: 'case 7' },
  { search: 'talk 7' },
  { has_notes: false },
  { has_notes: true, search: 'a' }
]

async function open(t: Test, name: DatabaseName): Promise<Db> {
  const db = await openDatabase(t, name)
  const boolean = name === 'mysql' ? 'tinyint' : 'boolean'
  const statements = [
    'create table accounts (id bigint primary key, name varchar(50) not null)',
    'create table branches (id bigint primary key, parent_id bigint)',
    'create index branches_parent on branches (parent_id, id)',
    'create table branch_heads (staff_id bigint not null, branch_id bigint not null, primary key (staff_id, branch_id))',
    'create table pupils (id bigint primary key, name varchar(50) not null, class_id bigint not null, branch_id bigint not null)',
    'create index pupils_class on pupils (class_id, id)',
    'create index pupils_branch on pupils (branch_id, id)',
    'create table guardianships (parent_id varchar(20) not null, pupil_id bigint not null, ends_on date)',
    'create index guardianships_parent on guardianships (parent_id, pupil_id)',
    'create table lessons (staff_id bigint not null, class_id bigint not null)',
    'create index lessons_staff on lessons (staff_id, class_id)',
    'create table class_covers (staff_id bigint not null, class_id bigint not null, primary key (staff_id, class_id))',
    'create table branch_covers (staff_id bigint not null, branch_id bigint not null, primary key (staff_id, branch_id))',
    'create table caseload (counsellor_id bigint not null, pupil_id bigint not null, primary key (counsellor_id, pupil_id))',
    `create table incidents (id bigint primary key, tenant_id bigint not null, pupil_id bigint not null, branch_id bigint not null, region varchar(10) not null, counsellor_id bigint, state varchar(10) not null, severe ${boolean} not null, summary varchar(50) not null, notes varchar(50), reported_at ${dateTime(name)} not null)`,
    'create table invoices (id bigint primary key, tenant_id bigint not null, payer_id bigint not null, amount decimal(8, 2) not null, issued_on date not null)'
  ]
  await execute(db, ...statements)
  const severeOf = (severe: boolean) => (name === 'postgres' ? severe : Number(severe))
  await insert(db, {
    ...{ accounts, branches, branch_heads, pupils, guardianships, lessons, class_covers, branch_covers, caseload },
    incidents: rows.map((row) => ({ ...row, severe: severeOf(row.severe) })),
    invoices: bills
  })
  return db
}

const optionsOf = (db: Db) => {
  const resolveRole = ({ headers }: { headers: Record<string, unknown> }) => JSON.parse(String(headers.caller ?? null))
  return [incidentOptions(db as never, resolveRole), invoiceOptions(db as never, resolveRole)] as const
}
const headersOf = (caller: Caller) => ({ caller: JSON.stringify(caller) })

const register = (app: FastifyInstance, options: object) =>
  app.register(listing, { ...(options as { db: never; resolveRole: never }), authenticate: async () => undefined })

onDatabases(t, 'everybody gets what each of their roles would give alone (contract 133)', async (t, name) => {
  const { find, each } = createListings(optionsOf(await open(t, name))[0])
  for (const [who, caller] of Object.entries(people)) {
    for (const query of queries) {
      const what = `${who}: ${JSON.stringify(query)}`
      if (!rolesOf(caller).some(reads) && Object.keys(query).some((parameter) => parameter.includes('notes'))) {
        await t.rejects(find('incidents', { caller, query } as never), { statusCode: 400 } as never, what)
        continue
      }
      const all = wanted(caller, query)
      const { items, total } = await find('incidents', { caller, query: { ...query, limit: 9 } })
      t.strictSame([items, total], [all.slice(0, 9), all.length], what)
      const every = []
      for await (const item of each('incidents', { caller, query })) every.push(item)
      t.strictSame(every, all, what)
    }
  }
})

t.test('the people of the example meet what they are for', async (t) => {
  const counts = (who: string, query: Query = {}) => {
    const items = wanted(people[who] as Caller, query) as { pupil_id: string; notes?: unknown }[]
    const noted = items.filter((item) => 'notes' in item)
    const ofChild = items.filter(({ pupil_id }) => pupil_id === '4')
    return [items.length, noted.length, ofChild.length, ofChild.filter((item) => 'notes' in item).length]
  }
  const counsellor = 'a counsellor with children at the school'
  t.strictSame(counts('a parent'), [13, 0, 7, 0])
  t.strictSame(counts('a counsellor'), [50, 50, 1, 1])
  t.strictSame(counts(counsellor), [56, 50, 7, 1])
  t.strictSame(counts(counsellor, { has_notes: true }), [39, 39, 1, 1])
  for (const who of Object.keys(people)) {
    const isNobody = /missing|asks in the other/.test(who)
    t.equal(Number(counts(who)[0]) > 0, !isNobody, who)
  }
})

t.test('each account sees the name on its own invoices, also in the finance office', async (t) => {
  const { find } = createListings(optionsOf(await open(t, 'sqlite'))[1])
  const page = async (role: string | string[], query: { search?: string } = {}) => {
    const { items, total } = await find('invoices', {
      caller: { userId: 3, role, ids },
      query: { ...query, limit: 30 }
    })
    return [
      total,
      items.filter(({ payer }) => payer === 'Account 3').length,
      items.filter((item) => 'payer' in item).length
    ]
  }
  const ofTrust = bills.filter(({ tenant_id }) => tenant_id === 1)
  const own = ofTrust.filter(({ payer_id }) => payer_id === 3).length
  t.ok(own > 0)
  t.strictSame(await page('Account'), [own, own, own])
  t.strictSame(await page('Finance'), [ofTrust.length, 0, 0])
  t.strictSame(await page(['Account', 'Finance']), [ofTrust.length, own, own])
  t.strictSame(await page(['Account', 'Finance'], { search: 'account' }), [own, own, own])
  t.strictSame(await page(['Account', 'Finance'], { search: 'account 4' }), [0, 0, 0])
})

onDatabases(t, 'with the indexes that the start-up check asks for, it has nothing to say', async (t, name) => {
  const db = await open(t, name)
  const check = async () => {
    const found = await Promise.all(optionsOf(db).map((options) => checkDatabase(options as never)))
    return found.flat().filter(({ level }) => level !== 'info')
  }
  const found = await check()
  t.ok(found.length > 0)
  await execute(db, ...found.map(({ text }) => text))
  t.strictSame(await check(), [])
})

t.test('the conformance checks agree', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const [options] = optionsOf(await open(t, 'sqlite'))
  await register(app, options)
  await app.ready()
  const { roles } = incidents.definition
  const reachOf = (caller: Caller) => {
    const reaches = rolesOf(caller).map((role) => roles[role as keyof typeof roles])
    const parts = reaches.filter((reach) => typeof reach === 'object').flat()
    return reaches.find((reach) => reach === 'all') ?? (parts.length > 0 ? parts : 'none')
  }
  const linkedTo = ({ userId, ids }: Caller) => ({
    guardians: guardianships
      .filter((of) => of.parent_id === ids.parent && of.ends_on !== '2000-01-01')
      .map((of) => of.pupil_id),
    classes: pupils
      .filter((of) => lessons.some((lesson) => lesson.staff_id === userId && lesson.class_id === of.class_id))
      .map(({ id }) => id),
    covers: userId === 5 ? pupils.filter((of) => of.class_id === 1 || of.branch_id === 3).map(({ id }) => id) : [],
    caseload: caseload.filter((of) => of.counsellor_id === userId).map((of) => of.pupil_id),
    heads: branches
      .filter(({ id }) => branch_heads.some((head) => head.staff_id === userId && isBelow(id, head.branch_id)))
      .map(({ id }) => id)
  })
  const callers = Object.entries(people).map(([name, caller]) => ({
    ...{ name, userId: caller.userId, role: caller.role, headers: headersOf(caller) },
    ids: Object.fromEntries(Object.entries(caller.ids).filter(([, id]) => id !== null)),
    reach: { incidents: reachOf(caller) },
    linked: linkedTo(caller),
    totals: { incidents: wanted(caller, {}).length }
  }))
  t.strictSame(await problemsIn(conformance(() => ({ app, callers }) as never, { lists: [incidents] })), [])
})
