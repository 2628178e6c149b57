import { sql } from 'kysely'
import t from 'tap'
import { execute, finds } from '../support/check.js'
import { openWorld } from '../support/tables.js'

t.test('a text that SQLite stores as a BLOB, in an id, a filtered column or the time of the order', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const toBlob = (column: string, where = 'payment_id = 5') =>
    execute(db, `update payments set ${column} = cast(${column} as blob) where ${where}`)
  const equal = (path: string, level = 'warning') =>
    `${level} data: ${path} has values that equal no text, as a BLOB does: select cast(${path.split('.')[1]} as text).`
  // A column that is only shown.
  await toBlob('payment_method')
  await finds(t, db, [])
  await toBlob('processor_status')
  await toBlob('created_at')
  await execute(db, "insert into links values (cast('7' as blob), 1)")
  const odd = [equal('payments.created_at'), equal('links.owner_id')]
  // One odd cell does not stop the boot.
  await finds(t, db, [equal('payments.processor_status'), ...odd])
  await toBlob('processor_status', '1 = 1')
  await finds(t, db, [equal('payments.processor_status', 'error'), ...odd])
})

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
})
