import { sql } from 'kysely'
import t from 'tap'
import { checkDatabase, payments } from '../../../src/index.js'
import { lessons, lessonTables, openLessons } from '../../support/fixtures/lessons.js'
import { errorsIn, execute } from '../../support/oracle/check.js'
import { computed } from '../../support/servers/tables.js'

t.test('JSON and FLOAT of MySQL equal no text, and the JSON of MariaDB is a text', async (t) => {
  const db = await openLessons(t, 'mysql')
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const json = computed(db, 'payments', 'processor_status', "json_extract(json_object('v', processor_status), '$.v')")
  const tables = { ...lessonTables(db, 'mysql'), ...json }
  const found = async (tables: object) =>
    errorsIn(await checkDatabase({ db, lists: [payments, lessons], tables: tables as never }))
  const equalsNoText = (path: string) =>
    `${path} has values that no text equals, as with JSON or FLOAT: select json_unquote(${path.split('.')[1]}), or another text.`
  const isMariadb = rows[0]?.version.includes('MariaDB')
  t.strictSame(await found(tables), isMariadb ? [] : [equalsNoText('payments.processor_status')])

  await execute(
    db,
    "update payments set processor_status = '0.1'",
    'alter table payments modify processor_status float',
    "update lessons set unit_name = '0.1'",
    'alter table lessons modify unit_name float'
  )
  const paths = ['payments.processor_status', 'lessons.unit_name']
  t.strictSame(await found(lessonTables(db, 'mysql')), paths.map(equalsNoText), 'one value and several')
})
