import { createListings } from 'fastify-assessment-payment-listing'
import t, { type Test } from 'tap'
import { optionsOf } from '../../../examples/schemas/physiotherapy.js'
import { insert } from '../../support/fixtures/world.js'
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
