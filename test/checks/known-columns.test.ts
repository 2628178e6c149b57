import { sql } from 'kysely'
import t from 'tap'
import { checkDatabase } from '../../src/index.js'
import { createShifts, shifts } from '../support/fixtures/shifts.js'
import { execute, finds, textsOf } from '../support/oracle/check.js'
import { openDatabase } from '../support/servers/databases.js'
import { openWorld } from '../support/servers/tables.js'

t.test('SQLite may find no equal ids among numbers and texts, which is a warning', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const mixed = (numbers: string, texts: string) =>
    `warning tables: Ids of two types may match nothing: numbers in ${numbers}, texts in ${texts}. Cast them to one type.`
  const links = db.selectFrom('links').select(['owner_id', sql<string>`user_id || ''`.as('user_id')])
  const ofUsers =
    'assessments.user_id, assessments.practitioner_id, payments.user_id, users.user_id, memberships.user_id'
  await finds(t, db, [mixed(ofUsers, 'links.user_id')], { links })
  await execute(
    db,
    'create table staff (practitioner_id text primary key, first_name text, last_name text)',
    "insert into staff values ('10', 'Pat', 'Practice')"
  )
  const ofStaff = mixed('assessments.practitioner_id', 'practitioners.practitioner_id')
  await finds(t, db, [ofStaff], { practitioners: 'staff' })
  const staffed = await openDatabase(t, 'sqlite')
  await createShifts(staffed, 'sqlite')
  const clinic_staff = staffed.selectFrom('clinic_staff').select(['owner_id', sql`linked_id || ''`.as('linked_id')])
  const found = await checkDatabase({ db: staffed, lists: [shifts], tables: { clinic_staff } } as never)
  t.ok(textsOf(found).includes(mixed('shifts.clinic_id', 'clinic_staff.linked_id')))
})
