/** Each recipe of docs/who-sees-what.md runs on its databases: a caller gets exactly the visits of a predicate over all rows. */
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import listing, {
  checkDatabase,
  createListings,
  type ListingOptions,
  type Listings
} from 'fastify-assessment-payment-listing'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import typescript from 'typescript'
import { visits } from '../support/fixtures/visits.js'
import { insert } from '../support/fixtures/world.js'
import { execute } from '../support/oracle/check.js'
import { blocks, compiles, documents, write } from '../support/running/documents.js'
import {
  type DatabaseName,
  type Db,
  databases,
  dateTime,
  openDatabase,
  postgresPool
} from '../support/servers/databases.js'
import { openPostgres } from '../support/servers/pools.js'

const range = (length: number) => Array.from({ length }, (_, place) => place + 1)
const pad = (number: number) => String(number).padStart(2, '0')
const day = 86_400_000
const timeOf = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')

/** Noon of the day that is so many days ago. */
const daysAgo = (days: number) => Math.floor(Date.now() / day) * day - days * day + day / 2

interface Caller {
  userId: number
  role: string | string[]
  ids?: Record<string, number | null>
}

// The ids of staff, patients and wards overlap, so a wrong column shows.
const wards = [null, 1, 1, 2, null, 5, null, 7].map((parent_id, place) => ({ id: place + 1, parent_id }))
const hospitalOf = (ward: number) => (ward < 5 ? 1 : ward < 7 ? 2 : 3)
const patients = range(20).map((id) => ({
  id,
  // Some have the same name.
  name: `Patient ${String.fromCharCode(65 + ((id * 7) % 9))}`,
  born_on: id % 6 === 0 ? null : `${1940 + id}-${pad(1 + (id % 12))}-15`
}))
const rows = range(400).map((id) => {
  const days = (id * 7) % 90
  // None is near the thirty days of a recipe, because the clocks of the server and of the test differ.
  const opened = daysAgo(days < 28 ? days : days + 5) + (id % 24) * 3_600_000
  const ward_id = 1 + (id % 8)
  return {
    ...{ id, ward_id, hospital_id: hospitalOf(ward_id), patient_id: 1 + ((id * 3) % 20) },
    doctor_id: id % 7 === 0 ? null : 1 + ((id * 5) % 11),
    reason: `Reason ${id % 13}`,
    locked: id % 9 === 0,
    opened_at: timeOf(opened),
    closed_at: id % 5 === 0 ? null : timeOf(opened + (id % 11) * 3_600_000)
  }
})
type Row = (typeof rows)[number]

const world = {
  teams: [
    [3, 4],
    [3, 5],
    [3, 5],
    [4, 3]
  ].map(([lead_id, staff_id]) => ({ lead_id, staff_id })),
  ward_heads: [
    [2, 2],
    [4, 1]
  ].map(([staff_id, ward_id]) => ({ staff_id, ward_id })),
  ward_staff: [
    [4, 1],
    [4, 6],
    [5, 4]
  ].map(([staff_id, ward_id]) => ({ staff_id, ward_id })),
  stand_ins: [
    { staff_id: 4, doctor_id: 7, ends_on: '2999-12-31' },
    { staff_id: 4, doctor_id: 8, ends_on: '2000-01-01' },
    { staff_id: 5, doctor_id: 8, ends_on: timeOf(Date.now() + day).slice(0, 10) }
  ],
  shifts: range(40).map((place) => ({
    staff_id: 4 + (place % 2),
    ward_id: 1 + (place % 8),
    starts_at: timeOf(daysAgo(place * 2)),
    // The shifts of a ward overlap, and a visit counts once all the same.
    ends_at: timeOf(daysAgo(place * 2 - 20))
  })),
  visit_keys: [
    [4, 9],
    [4, 18],
    [6, 18],
    [4, 10]
  ].map(([staff_id, visit_id]) => ({ staff_id, visit_id })),
  auditors: [{ staff_id: 4 }, { staff_id: 6 }],
  clerks: [{ staff_id: 4 }],
  patients,
  charts: [
    { staff_id: 4, patient_id: 5 },
    { staff_id: 5, patient_id: 4 }
  ],
  posts: [
    { staff_id: 4, hospital_id: 1, role: 'Nurse' },
    { staff_id: 4, hospital_id: 2, role: 'Manager' },
    { staff_id: 4, hospital_id: 2, role: 'GroupAuditor' },
    { staff_id: 4, hospital_id: 3, role: 'GroupAuditor' },
    { staff_id: 5, hospital_id: 1, role: 'Nurse' }
  ],
  staff: range(9).map((id) => ({ id, patient_id: id === 4 ? 5 : id === 5 ? 4 : null })),
  staff_roles: [
    { staff_id: 4, role: 'Doctor' },
    { staff_id: 4, role: 'Patient' },
    { staff_id: 5, role: 'Patient' },
    { staff_id: 6, role: 'Patient' },
    { staff_id: 7, role: 'Unknown' }
  ]
}

async function openVisits(t: Test, name: DatabaseName, given?: Db): Promise<Db> {
  const db = given ?? (await openDatabase(t, name))
  const time = dateTime(name)
  const boolean = name === 'mysql' ? 'tinyint' : 'boolean'
  await execute(
    db,
    `create table visits (id bigint primary key, hospital_id bigint not null, ward_id bigint not null, patient_id bigint not null, doctor_id bigint, reason varchar(20) not null, locked ${boolean} not null, opened_at ${time} not null, closed_at ${time})`,
    'create table teams (lead_id bigint not null, staff_id bigint not null)',
    'create table wards (id bigint primary key, parent_id bigint)',
    'create table ward_heads (staff_id bigint not null, ward_id bigint not null)',
    'create table ward_staff (staff_id bigint not null, ward_id bigint not null, primary key (staff_id, ward_id))',
    'create table stand_ins (staff_id bigint not null, doctor_id bigint not null, ends_on date not null)',
    `create table shifts (staff_id bigint not null, ward_id bigint not null, starts_at ${time} not null, ends_at ${time} not null)`,
    'create table visit_keys (staff_id bigint not null, visit_id bigint not null, primary key (staff_id, visit_id))',
    'create table auditors (staff_id bigint primary key)',
    'create table clerks (staff_id bigint primary key)',
    'create table patients (id bigint primary key, name varchar(20) not null, born_on date)',
    'create table charts (staff_id bigint not null, patient_id bigint not null)',
    'create table posts (staff_id bigint not null, hospital_id bigint not null, role varchar(20) not null)',
    'create table staff (id bigint primary key, patient_id bigint)',
    'create table staff_roles (staff_id bigint not null, role varchar(20) not null)'
  )
  const lockedOf = (locked: boolean) => (name === 'postgres' ? locked : Number(locked))
  await insert(db, { ...world, wards, visits: rows.map((row) => ({ ...row, locked: lockedOf(row.locked) })) })
  return db
}

const page = 'docs/who-sees-what.md'
const text = String(documents.get(page))
const blocksOf = new Map([...blocks].flatMap(([name, { code }]) => (name.startsWith(page) ? [[name, code]] : [])))
const codeOf = (title: string, language = 'ts') => {
  const code = blocksOf.get(`${page}, ${title}: ${language}`)
  if (!code) throw new Error(`${page} has no block of ${language} below '${title}'`)
  return code
}

const given = `import listing, { column, defineList, defineOptions, type ListingCaller, type Listings, type ResolveRole } from 'fastify-assessment-payment-listing'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import '@fastify/jwt'
import { type DB, visits } from '../../test/support/fixtures/visits.js'
declare module '@fastify/jwt' { interface FastifyJWT { user: { sub: string } } }
`

/** A module of a recipe, whose code is properties of the definition and of the options. */
function moduleOf(code: string): string {
  const source = typescript.createSourceFile('recipe.ts', `({${code}})`, typescript.ScriptTarget.Latest)
  const [properties = []] = source.statements.map((statement) => {
    const expression = (statement as typescript.ExpressionStatement).expression as typescript.ParenthesizedExpression
    return (expression.expression as typescript.ObjectLiteralExpression).properties
  })
  const texts = properties.map(
    (property) => [String(property.name?.getText(source)), property.getText(source)] as const
  )
  const isOption = (name: string) => ['tables', 'resolveRole'].includes(name)
  const definition = texts
    .filter(([name]) => !isOption(name))
    .map(([name, text]) => (name === 'fields' ? text.replace('{', '{ ...visits.definition.fields,') : text))
  const hasRoles = texts.some(([name]) => name === 'resolveRole')
  const options = texts.filter(([name]) => isOption(name)).map(([, text]) => text)
  return `${given}
export const list = defineList({ ...visits.definition, ${definition.join(',\n')} })
export const optionsOf = (db: Kysely<DB>, resolveRole: ResolveRole) =>
  defineOptions({ db, lists: [list], ${[...(hasRoles ? [] : ['resolveRole']), ...options].join(',\n')} })
`
}

const exportModule = () => `${moduleOf(codeOf('Sorted by a name, or by what may be empty'))}
export async function exported(each: Listings<readonly [typeof list]>['each'], caller: ListingCaller) {
  const rows: unknown[] = []
  ${codeOf('An export in another order')}
  return rows
}`

const audiencesModule = () => `${given}
export async function register(app: FastifyInstance, db: Kysely<DB>, resolveRole: ResolveRole) {
  const staffTables = (db: Kysely<DB>) => ({ visits: db.selectFrom('visits').selectAll() })
  ${codeOf('One list for two audiences')}
}`

/** Runs a module in the folder of the test, where it can import the package by its name. */
const load = (t: Test, name: string, text: string) => import(pathToFileURL(write(t, `${name}.ts`, text)).href)

interface Recipe {
  title: string
  /** Of the caller and a row. */
  sees?: (row: Row, caller: Caller) => boolean
  callers?: Caller[]
  /** What stands in an item besides the fields of the list. */
  item?: (row: Row, caller: Caller) => object
  /** Other words of some databases for a part of the code, as the page says. */
  words?: Partial<Record<DatabaseName, readonly [from: string, to: string]>>
  on?: readonly DatabaseName[]
  /** Changes the rows before the recipe, and what the code needs. */
  before?: (db: Db, name: DatabaseName) => Promise<void>
  query?: { sort?: string }
  /** The rows in the order of the query. */
  sorted?: (one: Row, other: Row) => number
}

const has = (table: object[], row: object) => table.some((one) => JSON.stringify(one) === JSON.stringify(row))
const nurse = ({ ward_id }: Row, { userId }: Caller) => has(world.ward_staff, { staff_id: userId, ward_id })
const newest = (one: Row, other: Row) =>
  one.opened_at === other.opened_at ? other.id - one.id : one.opened_at < other.opened_at ? 1 : -1
const people = (...roles: Caller['role'][]): Caller[] =>
  roles.flatMap((role) => [4, 5, 6].map((userId) => ({ userId, role })))
const patientOf = (row: Row) => patients[row.patient_id - 1] as (typeof patients)[number]
const isBelow = (id: number | null | undefined, top: number): boolean =>
  id === top || (typeof id === 'number' && isBelow(wards[id - 1]?.parent_id, top))
const rolesOf = ({ role }: Caller) => [role].flat()

const byRole =
  (predicates: Record<string, (row: Row, caller: Caller) => boolean>): NonNullable<Recipe['sees']> =>
  (row, caller) =>
    rolesOf(caller).some((role) => predicates[role]?.(row, caller))

const recipes: Recipe[] = [
  {
    title: "My own, my team's, everything",
    callers: people('Doctor', 'Supervisor', 'Nurse', 'Admin', ['Doctor', 'Nurse']),
    sees: byRole({
      Doctor: ({ doctor_id }, { userId }) => doctor_id === userId,
      Supervisor: ({ doctor_id }, { userId }) =>
        doctor_id === userId || has(world.teams, { lead_id: userId, staff_id: doctor_id }),
      Nurse: nurse,
      Admin: () => true
    })
  },
  {
    title: 'Until a date',
    callers: people('StandIn'),
    sees: ({ doctor_id }, { userId }) =>
      world.stand_ins.some((of) => of.staff_id === userId && of.doctor_id === doctor_id && of.ends_on > '2000-01-01')
  },
  {
    title: 'A tree of wards',
    callers: [2, 4, 5].map((userId) => ({ userId, role: 'Head' })),
    sees: ({ ward_id }, { userId }) =>
      world.ward_heads.some((head) => head.staff_id === userId && isBelow(ward_id, Number(head.ward_id)))
  },
  {
    title: 'And: while I was on duty',
    callers: people('Nurse'),
    sees: ({ ward_id, opened_at }, { userId }) =>
      world.shifts.some(
        (shift) =>
          shift.staff_id === userId &&
          shift.ward_id === ward_id &&
          opened_at >= shift.starts_at &&
          opened_at < shift.ends_at
      )
  },
  {
    title: 'But not: a locked record',
    callers: people('Nurse'),
    sees: (row, caller) =>
      (nurse(row, caller) && !row.locked) || has(world.visit_keys, { staff_id: caller.userId, visit_id: row.id })
  },
  {
    title: 'But not: my own chart',
    callers: people('Auditor'),
    sees: ({ patient_id }, { userId }) =>
      has(world.auditors, { staff_id: userId }) && !has(world.charts, { staff_id: userId, patient_id })
  },
  {
    title: 'Several hospitals at once',
    callers: people('GroupAuditor'),
    sees: ({ hospital_id }, { userId }) => has(world.posts, { staff_id: userId, hospital_id, role: 'GroupAuditor' })
  },
  {
    title: 'Not closed',
    callers: people('Triage'),
    sees: ({ closed_at }) => closed_at === null,
    before: (db, name) => {
      const [alter = '', create = ''] = codeOf('Not closed', 'sql').split(';')
      return execute(db, name === 'sqlite' ? alter.replace(' stored', ' virtual') : alter, create)
    }
  },
  {
    title: 'The last thirty days',
    callers: people('Clerk'),
    words: {
      mysql: ["now() - interval '30 days'", 'now() - interval 30 day'],
      sqlite: ["now() - interval '30 days'", "datetime('now', '-30 days')"]
    },
    sees: ({ opened_at }, { userId }) =>
      has(world.clerks, { staff_id: userId }) && opened_at > timeOf(Date.now() - 30 * day)
  },
  {
    title: 'A mask',
    callers: people('Doctor', 'Researcher', ['Doctor', 'Researcher']),
    words: { sqlite: ['extract(year from born_on)', "cast(strftime('%Y', born_on) as integer)"] },
    sees: byRole({ Doctor: ({ doctor_id }, { userId }) => doctor_id === userId, Researcher: () => true }),
    item: (row, caller) => {
      const { born_on } = patientOf(row)
      const isDoctor = rolesOf(caller).includes('Doctor') && row.doctor_id === caller.userId
      return {
        ...(isDoctor && { born_on }),
        ...(rolesOf(caller).includes('Researcher') && {
          birth_year: born_on === null ? null : Number(born_on.slice(0, 4))
        })
      }
    }
  },
  {
    title: 'Sorted by a name, or by what may be empty',
    callers: people('Admin'),
    item: (row) => ({ patient: patientOf(row).name }),
    query: { sort: 'patient' },
    sorted: (one, other) => {
      const [a, b] = [patientOf(one).name, patientOf(other).name]
      return a === b ? one.id - other.id : a < b ? -1 : 1
    }
  }
]

/** The recipes whose tests stand below. */
const ofTheirOwn = [
  'One hospital at a time',
  'Several roles, none, a missing id',
  'An export in another order',
  'One list for two audiences',
  'An odd cell',
  'With row-level security'
]

/** Loads the recipe as a module, and gives its options. */
async function optionsOf(t: Test, db: Db, { title, words }: Recipe, name: DatabaseName): Promise<ListingOptions> {
  const [from = '', to = ''] = words?.[name] ?? []
  const code = codeOf(title)
  t.ok(code.includes(from), from)
  t.ok(text.includes(to), `the page has the words of ${name}`)
  const { optionsOf } = await load(t, `${title.replace(/\W+/g, '-')}-${name}`, moduleOf(code.replace(from, to)))
  return optionsOf(db, () => null)
}

const listingsOf = (options: object) =>
  createListings(options as never) as unknown as Listings<readonly [typeof visits]>

/** Every page and the total of a caller are those of the predicate. */
async function agrees(t: Test, db: Db, recipe: Recipe, name: DatabaseName): Promise<void> {
  const { callers = [], sees = () => true, item = () => ({}), query = {}, sorted = newest } = recipe
  const options = await optionsOf(t, db, recipe, name)
  const { find } = listingsOf(options)
  const seen = new Set<number>()
  for (const caller of callers) {
    const wanted = rows
      .filter((row) => sees(row, caller))
      .sort(sorted)
      .map(({ locked: _, ...row }) => ({
        ...row,
        ...{ id: String(row.id), hospital_id: String(row.hospital_id), ward_id: String(row.ward_id) },
        ...{ patient_id: String(row.patient_id), doctor_id: row.doctor_id === null ? null : String(row.doctor_id) },
        ...item(rows[row.id - 1] as Row, caller)
      }))
    seen.add(wanted.length)
    const items: object[] = []
    for (let page = 1; page <= Math.max(1, Math.ceil(wanted.length / 90)); page++) {
      const found = await find('visits', { caller, query: { ...query, page, limit: 90 } } as never)
      t.equal((found as { total: number }).total, wanted.length, `the total of ${JSON.stringify(caller)}`)
      items.push(...found.items)
    }
    t.strictSame(items, wanted, JSON.stringify(caller))
  }
  t.ok(
    [...seen].some((count) => count > 0),
    'somebody sees something'
  )
  const found = await checkDatabase(options as never)
  t.strictSame(
    found.filter(({ level }) => level === 'error'),
    []
  )
}

for (const recipe of recipes) {
  for (const name of recipe.on ?? databases) {
    t.test(`${recipe.title} on ${name}`, async (t) => {
      const db = await openVisits(t, name)
      await recipe.before?.(db, name)
      await agrees(t, db, recipe, name)
    })
  }
}

/** A server whose callers give the id of a member of staff, and perhaps a hospital, in headers. */
async function serve(t: Test, options: ListingOptions) {
  const app = Fastify()
  t.teardown(() => app.close())
  app.decorateRequest('user')
  const authenticate = async (request: { headers: Record<string, unknown>; user: unknown }) => {
    request.user = { sub: request.headers.sub }
  }
  await app.register(listing, { ...options, authenticate } as never)
  await app.ready()
  return async (headers: Record<string, string>) => {
    const { statusCode, body } = await app.inject({ url: '/visit/list?limit=100', headers })
    const { total = statusCode, visits = [] } = JSON.parse(body)
    return [total, (visits as { id: string }[]).map(({ id }) => Number(id))] as const
  }
}
/** The same of a predicate. */
const answerOf = (sees: (row: Row) => boolean) => {
  const seen = rows.filter(sees).sort(newest)
  return [seen.length, seen.slice(0, 100).map(({ id }) => id)] as const
}

for (const name of databases) {
  t.test(`One hospital at a time on ${name}`, async (t) => {
    const db = await openVisits(t, name)
    const ask = await serve(t, await optionsOf(t, db, { title: 'One hospital at a time' }, name))
    const inHospital = (hospital: number, sees: (row: Row) => boolean) =>
      answerOf((row) => row.hospital_id === hospital && sees(row))
    const nurse4 = inHospital(1, (row) => nurse(row, { userId: 4, role: 'Nurse' }))
    const manager4 = inHospital(2, () => true)
    t.ok(nurse4[0] > 0 && manager4[0] > nurse4[0])
    t.strictSame(await ask({ sub: '4', 'x-hospital': '1' }), nurse4)
    t.strictSame(await ask({ sub: '4', 'x-hospital': '2' }), manager4)
    // A role that the list does not know, no post, no hospital, and what is none.
    t.strictSame(await ask({ sub: '4', 'x-hospital': '3' }), [403, []])
    t.strictSame(await ask({ sub: '5', 'x-hospital': '2' }), [403, []])
    t.strictSame(await ask({ sub: '4' }), [403, []])
    t.strictSame(await ask({ sub: '4', 'x-hospital': '1 or 1=1' }), [403, []])
  })

  t.test(`Several roles, none, a missing id on ${name}`, async (t) => {
    const db = await openVisits(t, name)
    const ask = await serve(t, await optionsOf(t, db, { title: 'Several roles, none, a missing id' }, name))
    t.strictSame(
      await ask({ sub: '4' }),
      answerOf((row) => row.doctor_id === 4 || row.patient_id === 5)
    )
    t.strictSame(
      await ask({ sub: '5' }),
      answerOf((row) => row.patient_id === 4)
    )
    t.strictSame(await ask({ sub: '6' }), [0, []], 'a patient without an id')
    t.strictSame(await ask({ sub: '7' }), [403, []], 'a role that the list does not know')
    t.strictSame(await ask({ sub: '8' }), [403, []], 'no role')
    t.strictSame(await ask({ sub: '10' }), [401, []], 'nobody')
  })

  t.test(`Sorted by what may be empty, and exported, on ${name}`, async (t) => {
    const db = await openVisits(t, name)
    const options = await optionsOf(t, db, { title: 'Sorted by a name, or by what may be empty' }, name)
    const { each, find } = listingsOf(options)
    const { exported } = await load(t, `export-${name}`, exportModule())
    const caller = { userId: 4, role: 'Admin' }
    const idsOf = (items: unknown) => (items as { id: string }[]).map(({ id }) => Number(id))
    const sorted = (direction: 1 | -1) =>
      rows
        .toSorted((one, other) => {
          if (one.closed_at === other.closed_at) return direction * (one.id - other.id)
          if (one.closed_at === null || other.closed_at === null) return one.closed_at === null ? 1 : -1
          return direction * (one.closed_at < other.closed_at ? -1 : 1)
        })
        .map(({ id }) => id)
    t.strictSame(idsOf(await exported(each, caller)), sorted(-1))
    const found = await find('visits', { caller, query: { sort: 'closed_at', limit: 100, page: 4 } } as never)
    t.strictSame(idsOf(found.items), sorted(1).slice(300))
  })

  t.test(`One list for two audiences on ${name}`, async (t) => {
    const db = await openVisits(t, name)
    const { register } = await load(t, `audiences-${name}`, audiencesModule())
    const app = Fastify()
    t.teardown(() => app.close())
    app.decorateRequest('jwtVerify', async () => ({}))
    await register(app, db, ({ headers }: { headers: Record<string, string> }) => JSON.parse(String(headers.caller)))
    const ask = async (url: string, role: string) => {
      const caller = JSON.stringify({ userId: 4, role, ids: { patient: 5 } })
      const headers = { caller, authorization: 'Bearer x' }
      return JSON.parse((await app.inject({ url: `${url}?limit=100`, headers })).body)
    }
    const mine = rows.filter((row) => row.patient_id === 5).sort(newest)
    const { total, visits } = await ask('/my-visit/list', 'Patient')
    t.strictSame([total, visits], [mine.length, mine.map(({ id, opened_at }) => ({ id: String(id), opened_at }))])
    t.match(await ask('/visit/list', 'Patient'), { status: 403 })
    t.match(await ask('/my-visit/list', 'Admin'), { status: 403 })
    t.match(await ask('/visit/list', 'Admin'), { total: rows.length, visits: [{ reason: /Reason/ }] })
  })
}

t.test('An odd cell', async (t) => {
  const db = await openVisits(t, 'postgres')
  const recipe = { title: 'An odd cell' }
  await execute(
    db,
    "update visits set closed_at = 'infinity' where id = 90",
    "update visits set closed_at = '20000-01-01' where id = 33"
  )
  const caller = { userId: 4, role: 'Admin' }
  const every = async (options: ListingOptions) => {
    const closed = new Map<string, string | null>()
    for await (const item of listingsOf(options).each('visits', { caller } as never)) {
      const { id, closed_at } = item as unknown as { id: string; closed_at: string | null }
      closed.set(id, closed_at)
    }
    return closed
  }
  const plain = { db, resolveRole: () => null, lists: [visits] } as never
  const error = await every(plain).catch((error) => error)
  t.match(error, { statusCode: 500, reason: 'Column visits.closed_at of id 90 is not a date and time.' })
  const found = await checkDatabase(plain)
  t.match(found.map(({ text }) => text).join('\n'), /closed_at/)
  const [, statement = ''] = /`(select id from visits where closed_at .*?)` finds/.exec(text) ?? []
  t.strictSame((await sql.raw<{ id: string }>(statement).execute(db)).rows.map(({ id }) => Number(id)).sort(), [33, 90])
  await execute(db, 'update visits set closed_at = null where id = 33')
  const closed = await every(await optionsOf(t, db, recipe, 'postgres'))
  t.equal(closed.size, rows.length)
  t.equal(closed.get('90'), null)
})

t.test('PostgreSQL policies', async (t) => {
  const { connectionString } = await postgresPool(t)
  const url = String(connectionString)
  const db = openPostgres(t, { connectionString: url, max: 2 })
  await openVisits(t, 'postgres', db as never)
  const user = `lists_${process.pid}`
  await execute(db as never, `create user ${user} password 'Reader-1'`)
  t.teardown(() => execute(db as never, `drop owned by ${user}; drop user ${user}`))
  const title = 'With row-level security'
  await execute(
    db as never,
    ...codeOf(title, 'sql')
      .replace(' to lists', ` to ${user}`)
      .split(';')
      .filter((text) => text.trim())
  )
  const own = Object.assign(new URL(url), { username: user, password: 'Reader-1' })
  const reader = openPostgres(t, { connectionString: own.href, max: 2, options: '-c app.tenant=2' })
  const { find } = listingsOf({ db: reader, resolveRole: () => null, lists: [visits] })
  const { total, items } = (await find('visits', {
    caller: { userId: 4, role: 'Admin' },
    query: { limit: 100 }
  } as never)) as never as { total: number; items: { id: string }[] }
  t.strictSame(
    [total, items.map(({ id }) => Number(id))],
    answerOf((row) => row.hospital_id === 2)
  )
})

t.test('the recipes compile, and each has a test', async (t) => {
  const written = [...blocksOf].flatMap(([name, code]) => (name.endsWith(': ts') ? [code] : []))
  const [properties, statements] = [true, false].map((are) =>
    written.filter((code) => /^\w+:|^async /.test(code) === are)
  )
  const modules = [...(properties as string[]).map(moduleOf), exportModule(), audiencesModule()]
  compiles(t, Object.fromEntries(modules.map((text, place) => [`recipe${place}.ts`, text])))
  t.strictSame(
    statements,
    ['An export in another order', 'One list for two audiences'].map((title) => codeOf(title))
  )
  const titles = [...blocksOf.keys()].map((name) => name.slice(page.length + 2, name.lastIndexOf(':')))
  t.strictSame([...new Set(titles)].toSorted(), [...recipes.map(({ title }) => title), ...ofTheirOwn].toSorted())
})
