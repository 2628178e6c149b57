import { sql } from 'kysely'
import t from 'tap'
import { checkDatabase, column, defineList, payments } from '../../src/index.js'
import { execute, finds } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import { type DatabaseName, databases, dateTime, openDatabase } from '../support/databases.js'
import { goods } from '../support/goods.js'
import { lessons, lessonTables, openLessons } from '../support/lessons.js'
import { createShifts, shifts } from '../support/shifts.js'
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
  const staffed = await openDatabase(t, 'sqlite')
  await createShifts(staffed, 'sqlite')
  const clinic_staff = staffed.selectFrom('clinic_staff').select(['owner_id', sql`linked_id || ''`.as('linked_id')])
  const found = await checkDatabase({ db: staffed, lists: [shifts], tables: { clinic_staff } } as never)
  const texts = found.map(({ level, remedy, text }) => `${level} ${remedy}: ${text}`)
  t.ok(texts.includes(mixed('shifts.clinic_id', 'clinic_staff.linked_id')))
})

const list = defineList({
  ...goods,
  fields: {
    id: column.id({ examples: ['1'] }),
    price: column.decimal({ whenNull: 'error', examples: [13.4] }),
    pieces: column.integer({ examples: [7] }),
    weight: column.decimal({ whenNull: 'null', examples: [0.5, null] })
  },
  columns: { owner: column.id(), added_at: column.wallTime({ whenNull: 'error' }) },
  sort: ['price', 'pieces'],
  filters: { weight: { range: true } }
})

const ofText = ["coalesce(txt, '0')", "concat(txt, '')", 'txt', "case when id > 1 then txt else '0' end"]
const ofNumbers = ['amount', 'amount + 1', 'cast(txt as decimal(30, 10))', 'coalesce(amount, 0)']

/** Texts and numbers that only this database computes. */
const computed: Record<DatabaseName, readonly [texts: string[], numbers: string[]]> = {
  mysql: [
    ["json_unquote(json_extract(doc, '$.price'))", 'date_format(added_at, "%Y")', 'convert(amount, char)'],
    ['cast(txt as double)', 'year(added_at)', 'length(txt)', 'round(amount, 1)', 'ifnull(amount, 0) / 2']
  ],
  postgres: [
    ["doc->>'price'", "to_char(added_at, 'YYYY')", 'amount::text', 'amount::varchar(9)'],
    ['txt::numeric', 'txt::float8', 'extract(year from added_at)', 'length(txt)', "doc->'price'"]
  ],
  sqlite: [
    ["doc->>'price' || ''", "strftime('%Y', added_at)"],
    ["doc->>'price'", "cast(strftime('%Y', added_at) as integer)"]
  ]
}

for (const name of databases) {
  t.test(`a number that sorts is no text on ${name}, whether it is a column, computed or of a view`, async (t) => {
    const db = await openDatabase(t, name)
    const json = { mysql: 'json', postgres: 'jsonb', sqlite: 'text' }[name]
    await execute(
      db,
      `create table stock (id integer primary key, owner integer, amount decimal(10, 2), txt varchar(20), doc ${json},
        added_at ${dateTime(name)})`,
      `insert into stock values (1, 1, 13.4, '13.4', '{"price": 13.4}', '2026-01-01 00:00:00'),
        (2, 1, 101, '101', '{"price": 101}', '2026-01-02 00:00:00')`,
      'create view viewed as select txt as price, id as pieces from stock'
    )
    const found = async (price: string, from = 'stock') => {
      const select = db
        .selectFrom('stock')
        .select(['id', 'owner', 'added_at', 'id as pieces', sql<number>`0.5`.as('weight')])
        .select(sql<number>`${sql.raw(price)}`.as('price'))
      const tables = { goods: from === 'stock' ? select : select.innerJoin(from, `${from}.pieces`, 'stock.id') }
      const findings = await checkDatabase({ db, lists: [list], tables: tables as never })
      return findings.filter(({ level }) => level === 'error').map(({ text }) => text)
    }
    const refusal = 'goods.price is text, which sorts 101 before 13.4: select cast(… as decimal(30, 10)) as price.'
    const [texts, numbers] = computed[name]
    for (const price of [...ofText, ...texts]) t.strictSame(await found(price), [refusal], price)
    for (const price of [...ofNumbers, ...numbers]) t.strictSame(await found(price), [], price)
    t.strictSame(await found('viewed.price', 'viewed'), [refusal], 'a view')
    if (name !== 'sqlite') return
    // A column without a type takes texts among numbers.
    await execute(db, 'create table mixed (price, pieces)', "insert into mixed values ('101', 1), (7, 2)")
    t.strictSame(await found('mixed.price', 'mixed'), [refusal], 'texts among numbers')
  })
}

t.test('JSON and FLOAT of MySQL equal no text, and the JSON of MariaDB is a text', async (t) => {
  const db = await openLessons(t, 'mysql')
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  const others = columnsOf.payments.filter((column) => column !== 'processor_status')
  const json = sql<string>`json_extract(json_object('v', processor_status), '$.v')`.as('processor_status')
  const tables = { ...lessonTables(db, 'mysql'), payments: db.selectFrom('payments').select([...others, json]) }
  const found = async (tables: object) => {
    const findings = await checkDatabase({ db, lists: [payments, lessons], tables: tables as never })
    return findings.filter(({ level }) => level === 'error').map(({ text }) => text)
  }
  const equalsNoText = (path: string) =>
    `${path} has values that equal no text, as JSON and FLOAT do: select json_unquote(${path.split('.')[1]}), or another text.`
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
