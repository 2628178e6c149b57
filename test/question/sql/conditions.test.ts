/** Filters on columns of other types than the kind suggests. test/lists/lessons.test.ts has those of the usual types. */
import { type CompiledQuery, sql } from 'kysely'
import t from 'tap'
import { column, createListings, defineList, defineOptions } from '../../../src/index.js'
import { allOf, anyOf } from '../../../src/question/sql/conditions.js'
import { goods } from '../../support/fixtures/goods.js'
import { insert } from '../../support/fixtures/world.js'
import { resolveRole } from '../../support/hosts/server.js'
import { execute } from '../../support/oracle/check.js'
import { readsOf } from '../../support/oracle/explain.js'
import {
  type DatabaseName,
  databases,
  dateTime,
  mysqlPool,
  onDatabases,
  openDatabase
} from '../../support/servers/databases.js'
import { openMysql } from '../../support/servers/pools.js'
import { sessionOf, withoutDatabase } from '../../support/servers/session.js'

const list = defineList({
  ...goods,
  fields: { id: column.id({ examples: ['1'] }) },
  columns: {
    owner: column.id(),
    price: column.decimal({ whenNull: 'null' }),
    pieces: column.integer({ whenNull: 'null' }),
    sold: column.boolean({ whenNull: 'null' }),
    sold_on: column.date(),
    shop: column.id({ whenNull: 'null' }),
    state: column.enum(['new', 'used'], { whenNull: 'null' }),
    seen_at: column.wallTime(),
    added_at: column.wallTime({ whenNull: 'error' })
  },
  filters: {
    price: { column: 'price', range: true },
    pieces: { column: 'pieces', range: true },
    sold: { examples: [true] },
    sold_on: { column: 'sold_on', range: true },
    seen: { column: 'seen_at', range: true },
    is_sold: { column: 'sold_on', present: true },
    is_seen: { column: 'seen_at', present: true },
    has_shop: { column: 'shop', present: true },
    has_state: { column: 'state', present: true }
  },
  unshown: ['price', 'pieces', 'sold', 'sold_on', 'shop', 'state', 'seen_at']
})

const text = { mysql: 'varchar(30)', postgres: 'text', sqlite: 'text' } satisfies Record<DatabaseName, string>

onDatabases(t, 'numbers, dates and booleans that are stored as texts are compared by value', async (t, name) => {
  const db = await openDatabase(t, name)
  const columns = Object.keys(list.columns).map((each) => `${each} ${text[name]}`)
  await sql.raw(`create table goods (${columns.join(', ')})`).execute(db)
  const rows = [
    ['1', '9', '9', 'true', '2026-06-01'],
    ['2', '10', '10', 'false', '2026-06-10'],
    ['3', '-1.5', '100', 't', '2026-06-02'],
    ['4', null, null, 'f', null],
    ['5', '123456.78', '-2', '1', '0000-00-00'],
    ['6', null, null, null, '2026-00-05'],
    ['7', null, null, null, '2026-06-00'],
    ['8', null, null, null, '']
  ] as const
  for (const [id, price, pieces, sold, sold_on] of rows) {
    const seen_at = sold_on && `${sold_on} 12:00:00`
    const [shop, state] = sold_on && id < '5' ? [`s${id}`, 'new'] : [sold_on && '', sold_on && '']
    const times = { sold_on, seen_at, added_at: `2026-01-0${id} 00:00:00` }
    const row = { id, owner: '1', price, pieces, sold, shop, state, ...times }
    await db.insertInto('goods').values(row).execute()
  }
  const { find } = createListings(defineOptions({ db, resolveRole, lists: [list] }))
  for (const [query, ids] of [
    [{ price_from: '9' }, '521'],
    [{ price_from: '-2', price_to: '9.5' }, '31'],
    [{ price_to: '123456.77' }, '321'],
    [{ pieces_from: '10' }, '32'],
    [{ pieces_from: '-2', pieces_to: '9' }, '51'],
    [{ sold: 'true' }, '531'],
    [{ sold: 'false' }, '42'],
    [{ sold_on_from: '2026-06-02', sold_on_to: '2026-06-10' }, '32'],
    [{ sold_on_to: '2026-06-02' }, '31'],
    [{ is_sold: 'true' }, '321'],
    [{ is_sold: 'false' }, '87654'],
    [{ is_seen: 'true' }, '321'],
    [{ is_seen: 'false' }, '87654'],
    [{ has_shop: 'true' }, '321'],
    [{ has_shop: 'false' }, '87654'],
    [{ has_state: 'true' }, '321'],
    [{ has_state: 'false' }, '87654']
  ] as const) {
    const { items, total } = await find('goods', { caller: { userId: 1, role: 'Admin' }, query: query as object })
    const found = items.map(({ id }) => id).join('')
    t.strictSame([found, total], [ids, ids.length], JSON.stringify(query))
  }
})

t.test('each of several values finds the records that it finds alone', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  const types = Object.keys(list.columns).map((each) => `${each} ${each === 'id' ? 'integer' : 'text'}`)
  await sql.raw(`create table goods (${types.join()})`).execute(db)
  await db.insertInto('goods').values({ id: 12, owner: '1', added_at: '2026-01-01 00:00:00' }).execute()
  const others = Object.keys(list.columns).filter((name) => name !== 'id')
  // A computed number has no affinity.
  const computed = db.selectFrom('goods').select([...others, sql`id + 0`.as('id')])
  const lists = [list.extend({ filters: { ids: { column: 'id', several: true, examples: ['12'] } } })] as const
  const { find } = createListings(defineOptions({ db, resolveRole, lists, tables: { goods: computed as never } }))
  for (const ids of [['12'], ['é', '12'], ['12', 'é']]) {
    const { total } = await find('goods', { caller: { userId: 1, role: 'Admin' }, query: { ids } })
    t.equal(total, 1, ids.join())
  }
})

const noted = defineList({
  ...goods,
  fields: { id: column.id({ examples: ['1'] }) },
  columns: {
    owner: column.id(),
    note: column.text({ whenNull: 'null' }),
    shop: column.id({ whenNull: 'null' }),
    added_at: column.wallTime({ whenNull: 'error' })
  },
  filters: { has_note: { column: 'note', present: true }, has_shop: { column: 'shop', present: true } },
  unshown: ['note', 'shop']
})

for (const name of databases) {
  t.test(`empty texts and nulls are found by the index on ${name}, in every mode of the session`, async (t) => {
    const statements: CompiledQuery[] = []
    const onQuery = (query: CompiledQuery) => void statements.push(query)
    const options = name === 'mysql' ? await mysqlPool(t) : undefined
    const db = options ? openMysql(t, options) : await openDatabase(t, name, { onQuery })
    const types = `id integer primary key, owner integer, note ${text[name]}, shop ${text[name]}, added_at ${dateTime(name)}`
    await execute(db, `create table goods (${types})`)
    const rows = Array.from({ length: 2000 }, (_, place) => ({
      ...{ id: place + 1, owner: 1, note: `n${place}`, shop: `s${place}`, added_at: '2026-01-01 00:00:00' },
      ...(place === 0 && { note: '', shop: '' }),
      ...(place === 1 && { note: null, shop: null })
    }))
    await insert(db, { goods: rows })
    await execute(
      db,
      'create index goods_note on goods (note)',
      'create index goods_shop on goods (shop)',
      name === 'mysql' ? 'analyze table goods' : 'analyze'
    )
    const modes = options ? ['', 'EMPTY_STRING_IS_NULL', 'ANSI'] : ['']
    for (const mode of modes) {
      // MySQL has no such modes.
      const start = `set @mode = 1 /*M!100300 , sql_mode = '${mode}' */`
      const session = options ? openMysql(t, options, { start, log: ({ query }) => onQuery(query) }) : db
      const { find } = createListings(defineOptions({ db: session, resolveRole, lists: [noted] }))
      for (const filter of ['has_note', 'has_shop']) {
        for (const value of ['false', 'true']) {
          statements.length = 0
          const query = { [filter]: value, limit: 2 }
          const { items, total } = await find('goods', { caller: { userId: 1, role: 'Admin' }, query })
          const what = `${mode}: ${filter}=${value}`
          t.equal(total, value === 'false' ? 2 : 1998, what)
          if (value === 'true') continue
          t.strictSame(
            items.map(({ id }) => id),
            ['2', '1'],
            what
          )
          const count = statements.find(({ sql }) => sql.includes('count('))
          const reads = count && (await readsOf(session, name, count))
          // SQLite reads the whole index, which is smaller than the table.
          t.match(reads, [{ access: name === 'sqlite' ? 'index' : 'lookup' }], `the index: ${what}`)
        }
      }
    }
  })
}

t.test('conditions are joined, one stands alone, and none is true of every record or of no record', async (t) => {
  const session = sessionOf(withoutDatabase('sqlite'))
  const conditions = ['a', 'b', 'c'].map((name) => sql<boolean>`${sql.ref(name)}`)
  const textOf = (condition: ReturnType<typeof allOf>) => session.compile(sql`${condition}`).sql.replaceAll('"', '')
  t.equal(textOf(allOf(conditions)), '(a and b and c)')
  t.equal(textOf(anyOf(conditions)), '(a or b or c)')
  t.equal(textOf(allOf(conditions.slice(0, 1))), 'a')
  t.equal(textOf(anyOf(conditions.slice(0, 1))), 'a')
  t.equal(textOf(allOf([])), '1 = 1')
  t.equal(textOf(anyOf([])), '1 = 0')
})
