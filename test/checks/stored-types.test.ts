import { sql } from 'kysely'
import t from 'tap'
import { checkDatabase, column, defineList } from '../../src/index.js'
import { goods } from '../support/fixtures/goods.js'
import { errorsIn, execute } from '../support/oracle/check.js'
import { type DatabaseName, dateTime, onDatabases, openDatabase } from '../support/servers/databases.js'

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

onDatabases(t, 'a number that sorts is no text, whether it is a column, computed or of a view,', async (t, name) => {
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
    return errorsIn(await checkDatabase({ db, lists: [list], tables: tables as never }))
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
