import { sql } from 'kysely'
import t from 'tap'
import { checkDatabase } from '../../src/index.js'
import { columnsOf } from '../support/fixtures/columns.js'
import { createIncidents, incidents } from '../support/fixtures/incidents.js'
import { resolveRole } from '../support/hosts/server.js'
import { execute, finds } from '../support/oracle/check.js'
import { type Db, onDatabases, openDatabase } from '../support/servers/databases.js'
import { openWorld } from '../support/servers/tables.js'

const select = (db: Db, rows: string) => db.selectFrom(sql.raw(`(${rows})`).as('rows_of') as never).selectAll()

const ofPeople = (table: string, id: string) =>
  new RegExp(
    `^warning tables: ${table} has the same ${id} in several rows, and pages show an arbitrary one of them: remove`
  )
const ofRecords =
  /^error tables: payments returns some records more than once, so totals are wrong: remove the join that multiplies rows/

onDatabases(t, 'users, practitioners and records with several rows', async (t, name) => {
  const db = await openWorld(t, name)
  const users = select(db, 'select u.* from users as u inner join memberships as m on m.user_id = u.user_id')
  await finds(t, db, [ofPeople('users', 'user_id')], { users }, /^info/)
  const owners = 'from users as u inner join links as l on l.owner_id = u.user_id'
  const practitioners = select(db, `select u.user_id as practitioner_id, first_name, last_name ${owners}`)
  await finds(t, db, [ofPeople('practitioners', 'practitioner_id')], { practitioners }, /^info/)
  // Repeated records do not repeat the users.
  const payments = select(db, 'select p.* from payments as p inner join memberships as m on m.user_id = p.user_id')
  await finds(t, db, [ofRecords], { payments }, /^info/)
})

t.test('repeated records are looked for among the newest', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(
    db,
    `insert into payments with recursive n as (select 100 as i union all select i + 1 from n where i < 250)
      select i, 1, 1, 1, 'pi_' || i, null, '', '', '', '2025-01-01' from n`,
    "update payments set created_at = '2026-01-01' where payment_id = 250"
  )
  // 99 is the oldest record.
  for (const [id, expected] of [
    [250, [ofRecords]],
    [99, []]
  ] as const) {
    const payments = select(db, `select * from payments union all select * from payments where payment_id = ${id}`)
    await finds(t, db, expected, { payments }, /^info/)
  }
})

t.test('a null id is no repetition, and practitioners who are no users are repeated people', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const others = columnsOf.payments.slice(1).join()
  const payments = select(db, `select nullif(payment_id, 99) as payment_id, ${others} from payments`)
  await finds(t, db, [], { payments }, /^info|cannot be shown/)
  await execute(
    db,
    'update assessments set practitioner_id = 900',
    'create table staff (practitioner_id integer, first_name text, last_name text)',
    "insert into staff values (900, 'Pat', 'Practice'), (900, 'Pat', 'Other')",
    'create index staff_practitioner_id on staff (practitioner_id)'
  )
  await finds(t, db, [ofPeople('practitioners', 'practitioner_id')], { practitioners: 'staff' })
})

onDatabases(t, 'the ids of two tenants may be the same', async (t, name) => {
  const db = await openDatabase(t, name)
  await createIncidents(db, name)
  const ofSchool = (school: string) => {
    const names = 'id, pupil_id, counsellor_id, place, state, severe, notes, grade, happened_at'
    return `select ${names}, '${school}' as school from incidents`
  }
  const repeated = async (...selects: string[]) => {
    const tables = { incidents: select(db, selects.join(' union all ')) }
    const found = await checkDatabase({ db, resolveRole, lists: [incidents], tables } as never)
    return found.filter(({ text }) => text.includes('more than once')).length
  }
  t.equal(await repeated(ofSchool('s1'), ofSchool('s2'), ofSchool('S1')), 0)
  t.equal(await repeated(ofSchool('s1'), ofSchool('s2'), ofSchool('s1')), 1)
})
