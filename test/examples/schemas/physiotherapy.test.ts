/** The example of a physiotherapy chain, whose patients, staff and clinics have ids that overlap. */
import Fastify from 'fastify'
import listing, { checkDatabase, createListings, defineList } from 'fastify-assessment-payment-listing'
import { type ConformanceCaller, conformance } from 'fastify-assessment-payment-listing/conformance'
import t, { type Test } from 'tap'
import { appointments, optionsOf, services } from '../../../examples/schemas/physiotherapy.js'
import { insert } from '../../support/fixtures/world.js'
import { problemsIn } from '../../support/hosts/faults.js'
import { execute } from '../../support/oracle/check.js'
import { type DatabaseName, type Db, dateTime, onDatabases, openDatabase } from '../../support/servers/databases.js'

const patients = Array.from({ length: 9 }, (_, place) => ({
  ...{ id: place + 1, name: `${place % 2 ? 'Zoe' : 'Ann'} ${place}`, mail: `mail${place}@example.org` }
}))
// A doubled link, and one to a clinic without appointments.
const clinic_staff = [
  [4, 2],
  [4, 2],
  [4, 3],
  [5, 4],
  [5, 99]
].map(([staff_id, clinic_id]) => ({ staff_id, clinic_id }))
const clinic_leads = [
  [4, 1],
  [6, 4],
  [6, 5]
].map(([staff_id, clinic_id]) => ({ staff_id, clinic_id }))
const rows = Array.from({ length: 120 }, (_, place) => ({
  id: place + 1,
  patient_id: 1 + ((place * 7) % 9),
  therapist_id: place % 5 === 0 ? null : 1 + ((place * 3) % 7),
  clinic_id: 1 + (place % 6),
  state: ['booked', 'held', 'missed'][place % 3] as string,
  notes: place % 4 === 0 ? null : `note ${place % 11}`,
  starts_at: `2026-01-${String(1 + (place % 28)).padStart(2, '0')} 09:30:00`
}))
type Row = (typeof rows)[number]

const clinicsOf = (links: { staff_id: number | undefined; clinic_id: number | undefined }[], id: number) =>
  links.filter(({ staff_id }) => staff_id === id).map(({ clinic_id }) => clinic_id)

/** What each role reaches, by hand. */
const reached: Record<string, (row: Row, id: number) => boolean> = {
  Patient: ({ patient_id }, id) => patient_id === id,
  Therapist: ({ therapist_id }, id) => therapist_id === id,
  FrontDesk: ({ clinic_id }, id) => clinicsOf(clinic_staff, id).includes(clinic_id),
  Lead: ({ therapist_id, clinic_id }, id) => therapist_id === id || clinicsOf(clinic_leads, id).includes(clinic_id),
  Admin: () => true
}
const readsNotes = (role: string) => ['Therapist', 'Lead', 'Admin'].includes(role)
const readsEmail = (role: string) => ['FrontDesk', 'Admin'].includes(role)

function itemOf(row: Row, role: string) {
  const patient = patients[row.patient_id - 1]
  return {
    ...{ id: String(row.id), patient_id: String(row.patient_id), patient: patient?.name },
    ...(readsEmail(role) && { email: patient?.mail }),
    therapist_id: row.therapist_id === null ? null : String(row.therapist_id),
    ...{ clinic_id: String(row.clinic_id), state: row.state },
    ...(readsNotes(role) && { notes: row.notes }),
    starts_at: row.starts_at
  }
}

async function open(t: Test, name: DatabaseName, onQuery?: (sql: string) => void): Promise<Db> {
  const db = await openDatabase(t, name, { onQuery: ({ sql }) => onQuery?.(sql) })
  const statements = [
    'create table patients (id bigint primary key, name varchar(50) not null, mail varchar(50) not null)',
    'create table clinic_staff (staff_id bigint not null, clinic_id bigint not null)',
    'create table clinic_leads (staff_id bigint not null, clinic_id bigint not null)',
    'create table appointments (id bigint primary key, patient_id bigint not null, therapist_id bigint, clinic_id bigint not null, state varchar(10) not null, notes varchar(50), starts_at datetime not null)',
    'create table services (id bigint primary key, title varchar(50) not null, price decimal(8, 2) not null, since date not null)'
  ]
  await execute(db, ...statements.map((statement) => statement.replace('datetime', dateTime(name))))
  const services = [1, 2, 3].map((id) => ({ id, title: `Service ${id}`, price: 60 + id, since: `2026-01-0${id}` }))
  await insert(db, { patients, clinic_staff, clinic_leads, appointments: rows, services })
  return db
}

const headersOf = (caller: object) => ({ caller: JSON.stringify(caller) })

/** A server whose callers stand in a header. */
async function serve(t: Test, db: Db, lists = [appointments, services]) {
  const options = optionsOf(db as never, ({ headers }) => JSON.parse(String(headers.caller ?? null)))
  const app = Fastify()
  t.teardown(() => app.close())
  app.register(listing, {
    ...(options as object as { db: never; resolveRole: never }),
    lists,
    authenticate: async () => undefined
  })
  await app.ready()
  const get = async (query: string, role: string) => {
    const { statusCode, body } = await app.inject({
      url: `/appointment/list?${query}`,
      headers: headersOf({ userId: 4, role })
    })
    return [statusCode, body] as const
  }
  return { app, get }
}

onDatabases(t, 'each role sees its appointments and its fields (contract 133 and 134)', async (t, name) => {
  const statements: string[] = []
  const db = await open(t, name, (sql) => statements.push(sql))
  const { find, each } = createListings(optionsOf(db as never, () => null))
  for (const [role, isReached] of Object.entries(reached)) {
    for (const userId of [1, 4, 5, 6, 42]) {
      const caller = { role, userId }
      for (const [query, matches] of [
        [{}, () => true],
        [{ state: 'held' }, ({ state }: Row) => state === 'held'],
        [{ search: 'ZOE' }, ({ patient_id }: Row) => patients[patient_id - 1]?.name.startsWith('Zoe')],
        [{ search: 'mail3@' }, ({ patient_id }: Row) => readsEmail(role) && patient_id === 4],
        [{ search: 'note 7' }, ({ notes }: Row) => readsNotes(role) && notes === 'note 7']
      ] as const) {
        statements.length = 0
        const wanted = rows
          .filter((row) => isReached(row, userId) && matches(row))
          .sort((a, b) => (a.starts_at === b.starts_at ? b.id - a.id : a.starts_at < b.starts_at ? 1 : -1))
          .map((row) => itemOf(row, role))
        const what = `${role} ${userId} ${JSON.stringify(query)}`
        const { items, total } = await find('appointments', { caller, query: { ...query, limit: 7 } })
        t.strictSame([items, total], [wanted.slice(0, 7), wanted.length], what)
        const later = await find('appointments', { caller, query: { ...query, limit: 7, page: 2 } })
        t.strictSame([later.items, later.total], [wanted.slice(7, 14), wanted.length], what)
        const all = []
        for await (const item of each('appointments', { caller, query })) all.push(item)
        t.strictSame(all, wanted, what)
        const read = statements.filter((statement) => statement.includes('sort key')).join()
        t.equal(/\bnotes\b/.test(read), readsNotes(role), `${what}: notes`)
        t.equal(/u[`"]\.[`"]e?mail\b/.test(read), readsEmail(role), `${what}: mail`)
      }
    }
  }
  const { items, total } = await find('services', {
    caller: { role: 'Patient', userId: 1 },
    query: { search: 'ICE 2' }
  })
  t.strictSame([items, total], [[{ id: '2', title: 'Service 2', price: 62, since: '2026-01-02' }], 1])
})

onDatabases(t, 'the start-up check looks at each table of links', async (t, name) => {
  const db = await open(t, name)
  const { lists, tables } = optionsOf(db as never, () => null)
  const indexes = async () =>
    (await checkDatabase({ db: db as never, lists, tables })).map(({ text }) => text.replaceAll(/["`]/g, ''))
  const found = await indexes()
  for (const index of [
    'appointments (clinic_id, starts_at, id)',
    'appointments (therapist_id, starts_at, id)',
    'clinic_staff (staff_id, clinic_id)',
    'clinic_leads (staff_id, clinic_id)'
  ]) {
    t.equal(found.filter((text) => text.endsWith(` on ${index};`)).length, 1, index)
  }
  t.notOk(found.find((text) => /links|services \(since, id, /.test(text)))
  await execute(db, ...found.map((text) => text.replace(/^(?!create).*/s, 'select 1')))
  t.strictSame(await indexes(), [])
  const leads = (column: string) => [
    'drop table clinic_leads',
    `create table clinic_leads (staff_id bigint, ${column} varchar(9))`,
    'create index leads on clinic_leads (staff_id)'
  ]
  await execute(db, ...leads('clinic'))
  t.strictSame(await indexes(), ['clinic_leads lacks clinic_leads.clinic_id (for linked_id).'])
  await execute(db, ...leads('clinic_id'))
  if (name !== 'sqlite')
    t.match((await indexes()).join(), /numbers in appointments\.clinic_id; text.* in clinic_leads\.linked_id/)
})

t.test('a field of some roles does not exist for the others', async (t) => {
  const db = await open(t, 'sqlite')
  const { get } = await serve(t, db)
  t.match(await get('has_notes=true', 'Therapist'), [200])
  const [status, body] = await get('has_notes=true', 'FrontDesk')
  t.equal(status, 400)
  t.match(body, /has_notes.*search, state, page, limit/)
  const [, unknown] = await get('has_note5=true', 'FrontDesk')
  t.equal(body, unknown.replace('has_note5', 'has_notes'), 'as if there were no such parameter')
})

t.test('nothing that a role gets depends on a field that it may not see', async (t) => {
  const [db, other] = [await open(t, 'sqlite'), await open(t, 'sqlite')]
  await execute(
    other,
    "update appointments set notes = 'zoe note ' || (id % 3)",
    "update patients set mail = 'zoe' || id"
  )
  const servers = await Promise.all([db, other].map((each) => serve(t, each)))
  const more = ['', '&state=held', '&has_notes=true', '&sort=notes', '&page=2', '&notes=x', '&limit=3']
  for (const search of ['', 'zoe', 'note', 'mail', '3']) {
    for (const query of more.map((parameters) => `search=${search}${parameters}`)) {
      for (const role of ['Patient', 'nobody']) {
        const [one, two] = await Promise.all(servers.map(({ get }) => get(query, role)))
        t.strictSame(one, two, `${role}: ${query}`)
      }
    }
  }
})

const callerOf = (role: string, userId: number) => ({
  name: `${role} ${userId}`,
  role,
  userId,
  headers: headersOf({ role, userId })
})
type Callers = readonly ConformanceCaller<readonly [typeof appointments, typeof services]>[]
const callers: Callers = [
  { ...callerOf('Admin', 1), reach: { appointments: 'all', services: 'all' } },
  { ...callerOf('Patient', 4), reach: { appointments: 'own', services: 'all' } },
  { ...callerOf('Therapist', 4), reach: { appointments: { own: 'therapist_id' }, services: 'all' } },
  {
    ...callerOf('FrontDesk', 4),
    reach: { appointments: { linked: 'clinic_id', by: 'clinic_staff' }, services: 'all' },
    linked: { clinic_staff: [2, 3] }
  },
  {
    ...callerOf('Lead', 6),
    reach: {
      appointments: [{ own: 'therapist_id' }, { linked: 'clinic_id', by: 'clinic_leads' }],
      services: 'all'
    },
    linked: { clinic_leads: [4, 5] }
  }
]

t.test('the conformance checks find each mistake in a reach and in the roles of a field', async (t) => {
  const { definition } = appointments
  const problemsOf = async (changes: object, prepare?: (db: Db) => Promise<unknown>) => {
    const db = await open(t, 'sqlite')
    await prepare?.(db)
    const changed = defineList({ ...definition, ...changes } as typeof definition) as typeof appointments
    const { app } = await serve(t, db, [changed, services] as never)
    return problemsIn(conformance(() => ({ app, callers }), { lists: [appointments, services] }))
  }
  // Another role names each table of links.
  const roles = { ...definition.roles, Other: definition.roles.Lead }
  t.strictSame(await problemsOf({}), [])
  const reach = /every caller sees the records within their reach/
  t.match(
    await problemsOf({
      owner: 'clinic_id',
      roles: { ...roles, Patient: { own: 'patient_id' }, FrontDesk: [{ own: 'clinic_id' }, roles.FrontDesk] }
    }),
    [new RegExp(`${reach.source}.*the reach of FrontDesk 4 \\(user 4\\) is {linked:clinic_id,by:clinic_staff}`)],
    'own sneaks into a link'
  )
  let found = await problemsOf({ roles: { ...roles, Lead: { own: 'therapist_id' } } })
  t.match(found, [/Lead 6.*is missing/], 'a part is missing')
  found = await problemsOf({ roles: { ...roles, Lead: roles.Lead[1] } })
  t.match(found, [/Lead 6.*is missing/], 'the other part is missing')
  found = await problemsOf({}, (db) => execute(db, 'delete from clinic_staff where clinic_id = 3'))
  t.match(found, [/FrontDesk 4.*is missing/], 'the table of links is stale')
  const notes = { ...definition.fields.notes, roles: ['FrontDesk', ...definition.fields.notes.roles] }
  found = await problemsOf({ fields: { ...definition.fields, notes } })
  t.match(found, [/answers? has the form.*FrontDesk 4.*notes/], 'a role gets a field')
})
