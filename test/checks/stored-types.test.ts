import { sql } from 'kysely'
import t from 'tap'
import { findings } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import { openWorld } from '../support/tables.js'

t.test('a text that SQLite stores as a BLOB, in an id or in a filtered column, is an error', async (t) => {
  const db = await openWorld(t, 'sqlite')
  t.strictSame(await findings(db), [])
  const blob = sql`cast('paid' as blob)`
  await db.updateTable('payments').set({ payment_method: blob }).where('payment_id', '=', 5).execute()
  t.strictSame(await findings(db), [], 'a column that is only shown')
  await db.updateTable('payments').set({ processor_status: blob }).where('payment_id', '=', 5).execute()
  await sql`insert into links values (cast('7' as blob), 1)`.execute(db)
  t.strictSame(
    (await findings(db)).sort(),
    ['links.owner_id', 'payments.processor_status'].map((path) => {
      const column = path.split('.')[1]
      return `error data: ${path} has values that equal no text, as a BLOB does: select cast(${column} as text).`
    })
  )
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
  t.strictSame(await findings(db, { payments: payments as never }), found)
})
