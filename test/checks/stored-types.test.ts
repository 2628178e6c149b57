import { sql } from 'kysely'
import t from 'tap'
import { execute, findings } from '../support/check.js'
import { openWorld } from '../support/tables.js'

t.test('a text that SQLite stores as a BLOB, in an id, a filtered column or the time of the order', async (t) => {
  const db = await openWorld(t, 'sqlite')
  t.strictSame(await findings(db), [])
  const blob = (column: string) => sql<never>`cast(${sql.ref(column)} as blob)`
  const set = (column: 'payment_method' | 'processor_status' | 'created_at', of: number[]) =>
    db
      .updateTable('payments')
      .set({ [column]: blob(column) })
      .where('payment_id', 'in', of)
      .execute()
  const equal = (level: string, path: string) =>
    `${level} data: ${path} has values that equal no text, as a BLOB does: select cast(${path.split('.')[1]} as text).`
  await set('payment_method', [5])
  t.strictSame(await findings(db), [], 'a column that is only shown')
  await set('processor_status', [5])
  await set('created_at', [5])
  await sql`insert into links values (cast('7' as blob), 1)`.execute(db)
  t.strictSame(
    (await findings(db)).sort(),
    ['links.owner_id', 'payments.created_at', 'payments.processor_status'].map((path) => equal('warning', path)),
    'one odd cell does not stop the boot'
  )
  await db
    .updateTable('payments')
    .set({ processor_status: blob('processor_status') })
    .execute()
  t.ok((await findings(db)).includes(equal('error', 'payments.processor_status')), 'all cells')
})

t.test('SQLite may find no equal ids among numbers and texts, which is a warning', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const links = db.selectFrom('links').select(['owner_id', sql<string>`user_id || ''`.as('user_id')])
  t.strictSame(await findings(db, { links: links as never }), [
    'warning tables: Ids of two types may match nothing: numbers in assessments.user_id, assessments.practitioner_id, ' +
      'payments.user_id, users.user_id, memberships.user_id, texts in links.user_id. Cast them to one type.'
  ])
})

t.test('the ids of practitioners who are no users are compared with each other', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(
    db,
    'create table staff (practitioner_id text primary key, first_name text, last_name text)',
    "insert into staff values ('10', 'Pat', 'Practice')"
  )
  t.strictSame(await findings(db, { practitioners: 'staff' }), [
    'warning tables: Ids of two types may match nothing: numbers in assessments.practitioner_id, texts in practitioners.practitioner_id. Cast them to one type.'
  ])
})
