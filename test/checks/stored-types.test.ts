import { sql } from 'kysely'
import t from 'tap'
import { checkDatabase, payments } from '../../src/index.js'
import { execute, findings } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import { lessons, lessonTables, openLessons } from '../support/lessons.js'
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

t.test('a JSON of MySQL equals no text, which is an error', async (t) => {
  const db = await openWorld(t, 'mysql')
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const json = sql`json_extract(json_object('v', processor_status), '$.v')`
  const columns = columnsOf.payments.filter((column) => column !== 'processor_status')
  const payments = db.selectFrom('payments').select([...columns, json.as('processor_status')])
  // The JSON of MariaDB is a text.
  const found = rows[0]?.version.includes('MariaDB')
    ? []
    : [
        'error data: payments.processor_status has values that equal no text, as JSON and FLOAT do: select json_unquote(processor_status), or another text.'
      ]
  const others = (await findings(db, { payments: payments as never })).filter((text) => !text.startsWith('info'))
  t.strictSame(others, found)
})

t.test('a FLOAT of MySQL equals no text, whether a filter has one value or several', async (t) => {
  const db = await openLessons(t, 'mysql')
  await execute(
    db,
    "update payments set processor_status = '0.1'",
    'alter table payments modify processor_status float',
    "update lessons set unit_name = '0.1'",
    'alter table lessons modify unit_name float'
  )
  const found = await checkDatabase({ db, lists: [payments, lessons], tables: lessonTables(db, 'mysql') })
  const of = (path: string) => found.filter(({ text }) => text.startsWith(`${path} has values that equal no text`))
  t.match(of('payments.processor_status'), [{ level: 'error', remedy: 'data' }])
  t.match(of('lessons.unit_name'), [{ level: 'error', remedy: 'data' }])
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

t.test('numbers that SQLite stores as texts are wrong only where they sort a list', async (t) => {
  const db = await openLessons(t, 'sqlite')
  const textsIn = async (column: 'price' | 'minutes') => {
    const others = Object.keys(lessons.columns).filter((other) => other !== column)
    const texts = db.selectFrom('lessons').select([...others, sql`cast(${sql.ref(column)} as text)`.as(column)])
    const tables = { ...lessonTables(db, 'sqlite'), lessons: texts as never }
    const found = await checkDatabase({ db, lists: [lessons], tables })
    return found.filter(({ level }) => level === 'error').map(({ text }) => text)
  }
  t.strictSame(await textsIn('price'), [], 'a range')
  t.match(await textsIn('minutes'), [/^lessons\.minutes has texts, and its numbers sort as texts/])
})
