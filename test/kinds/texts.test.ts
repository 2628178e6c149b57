import { Value } from '@sinclair/typebox/value'
import { sql } from 'kysely'
import t from 'tap'
import { createListings, defineList, defineOptions } from '../../src/index.js'
import { column } from '../../src/lists/column.js'
import { columnsOf } from '../support/fixtures/columns.js'
import { goods } from '../support/fixtures/goods.js'
import { resolveRole } from '../support/hosts/server.js'
import { reads, refuses } from '../support/oracle/cells.js'
import { execute } from '../support/oracle/check.js'
import { type DatabaseName, databases, dateTime, openDatabase } from '../support/servers/databases.js'
import { findIn } from '../support/servers/session.js'
import { openWorld } from '../support/servers/tables.js'

t.test('an id and a text are read as they are, and one of a few texts only if it is one of them', async (t) => {
  const same = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, text]))
  reads(t, column.id(), same('4711', '18446744073709551615', '007', 'a-b'))
  reads(t, column.text(), same('Zoë', ' a ', ''))
  reads(t, column.text({ whenNull: 'null' }), same('https://cdn/1.png'))
  reads(t, column.text({ whenNull: 'error' }), same(''))
  const state = column.enum(['completed', 'pending'])
  reads(t, state, same('completed', 'pending'))
  refuses(t, state, 'is not one of completed, pending', '', 'Completed', 'completed ')
})

t.test('the schema of a column with a few texts takes each character of a text literally', async (t) => {
  const texts = ['a.b', 'c++', '(d)', '[e]', '{f}', '^g$', 'h|i', 'j?', 'k*', 'l\\m', 'n-o'] as const
  const schema = column.enum(texts).schema({})
  const accepts = (text: string) => Value.Check(schema, text)
  t.strictSame(texts.filter(accepts), texts)
  t.strictSame(['axb', 'cc', 'd', 'e', 'f', 'g', 'h', 'i', 'a.bc++', 'k', 'kk', 'lm', ''].filter(accepts), [])
})

// The other databases always compare text exactly.
t.test('a filter is exact in every collation', async (t) => {
  const db = await openWorld(t, 'mysql')
  const isMariadb = (await sql<{ v: string }>`select version() as v`.execute(db)).rows[0]?.v.includes('MariaDB')
  const exact = isMariadb ? ['utf8mb4_nopad_bin', 'latin1_nopad_bin'] : ['utf8mb4_0900_bin']
  const others = ['utf8mb4_bin', 'latin1_bin', 'utf8mb4_general_ci', 'latin1_swedish_ci', 'ucs2_bin', 'binary']
  for (const collation of [...exact, ...others]) {
    const type = `varchar(20) character set ${collation.replace(/_.*/, '')} collate ${collation}`
    await sql`drop table if exists orders`.execute(db)
    await sql.raw(`create table orders (id integer, processor_status ${type})`).execute(db)
    await sql`insert into orders values (1, 'paid'), (2, 'paid '), (3, 'Paid'), (4, 'páid'), (5, null)`.execute(db)
    const columns = columnsOf.payments.filter((name) => name !== 'processor_status')
    const payments = db
      .selectFrom('payments')
      .innerJoin('orders', 'orders.id', 'payments.payment_id')
      .select(columns.map((name) => `payments.${name}` as const))
      .select('orders.processor_status')
    const find = findIn(db, { payments })
    const found = { paid: ['1'], 'paid ': ['2'], Paid: ['3'], páid: ['4'], PAID: [], 漢: [], "'": [] }
    for (const [status, expected] of Object.entries(found)) {
      const { total, items } = await find('payments', { parameters: { processor_status: status } })
      t.strictSame([total, ...items.map(({ payment_id }) => payment_id)], [expected.length, ...expected], collation)
    }
  }
})

/** Goods with a filter by one of a few values. */
const goodsOf = (values: readonly [string, ...string[]]) =>
  defineList({
    ...goods,
    fields: { id: column.id({ examples: ['1'] }) },
    columns: {
      owner: column.id(),
      state: column.enum(values, { whenNull: 'null' }),
      added_at: column.wallTime({ whenNull: 'error' })
    },
    filters: { state: { several: true, examples: [values[0]] } },
    unshown: ['state']
  })

interface Equated {
  values: readonly [string, ...string[]]
  /** Types of the column. */
  exact?: readonly string[]
  /** Types for which `=` alone is not exact. */
  others?: readonly string[]
  /** What a column holds, where it has not each of the values. */
  stored?: readonly string[]
  /** The expression that the list reads in the place of the column. */
  as?: string
}

const collated = (...collations: string[]) => collations.map((name) => `varchar(20) collate ${name}`)
const decimals = ['2.1', '2.10'] as const
const letters = ['l', 'ł', 'o', 'ø', 'ae', 'æ'] as const

const equated: Record<DatabaseName, readonly Equated[]> = {
  mysql: [
    { values: decimals, exact: ['varchar(9)'], others: ['varbinary(9)'] },
    { values: decimals, others: ['decimal(9, 2)'], stored: ['2.10'] },
    { values: decimals, others: ['decimal(9, 1)', 'double'], stored: ['2.1'] },
    { values: ['new', 'used'], exact: ['varchar(9)', "enum('new', 'used')"] },
    { values: ['new', 'used'], exact: ['varchar(9)'], as: 'lower(state)' },
    { values: ['🙂', '🙁'], exact: collated('utf8mb4_bin'), others: collated('utf8mb4_general_ci') },
    { values: ['🙂', '🙁'], others: collated('utf8mb4_general_ci'), as: "concat(state, '')" },
    { values: letters, exact: collated('utf8mb4_bin'), others: collated('utf8mb4_unicode_520_ci') },
    { values: letters, others: ["enum('l', 'o', 'ae') collate utf8mb4_unicode_520_ci"], stored: ['l', 'o', 'ae'] }
  ],
  postgres: [
    { values: decimals, exact: ['text', 'varchar(9)'] },
    { values: decimals, others: ['numeric', 'numeric(9, 2)'], stored: ['2.10'] },
    { values: decimals, others: ['double precision'], stored: ['2.1'] },
    { values: ['new', 'used'], exact: ['text', 'char(9)', 'condition', 'text collate blind'] },
    { values: ['new', 'used'], exact: ['text'], as: 'lower(state)' },
    { values: letters, exact: ['text', 'text collate "C"', 'letter'], others: ['text collate blind'] },
    { values: letters, others: ['text collate blind'], as: "state || ''" }
  ],
  sqlite: [
    { values: decimals, others: ['text', 'text collate nocase'] },
    { values: decimals, others: ['numeric'], stored: ['2.1'] }
  ]
}

for (const name of databases) {
  t.test(`a filter by one of a few values of ${name} finds exactly it, by = alone where this is exact`, async (t) => {
    const statements: string[] = []
    const db = await openDatabase(t, name, { onQuery: ({ sql }) => statements.push(sql) })
    if (name === 'postgres') {
      await execute(
        db,
        "create collation blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
        "create type condition as enum ('new', 'used')",
        "create type letter as enum ('l', 'ł', 'o', 'ø', 'ae', 'æ')"
      )
    }
    for (const { values, exact = [], others = [], stored = values, as } of equated[name]) {
      for (const type of [...exact, ...others]) {
        const at = dateTime(name)
        await execute(
          db,
          'drop table if exists goods',
          `create table goods (id integer, owner integer, state ${type}, added_at ${at})`
        )
        const rows = stored.map((state, place) => ({ id: place + 1, owner: 1, state, added_at: '2026-01-01 00:00:00' }))
        await db.insertInto('goods').values(rows).execute()
        const computed = as && db.selectFrom('goods').select(['id', 'owner', 'added_at', sql.raw(as).as('state')])
        const lists = [goodsOf(values)] as const
        const tables = computed ? { goods: computed as never } : undefined
        const { find } = createListings(defineOptions({ db, resolveRole, lists, tables }))
        const found = async (...states: string[]) => {
          const query = { state: states }
          const { items } = await find('goods', { caller: { userId: 1, role: 'Admin' }, query })
          return items.map(({ id }) => Number(id)).sort()
        }
        const what = `${as ?? 'state'} of ${type}`
        const placesOf = (value: string) => (stored.includes(value) ? [stored.indexOf(value) + 1] : [])
        for (const value of values) t.strictSame(await found(value), placesOf(value), `${value}: ${what}`)
        statements.length = 0
        t.strictSame(await found(...values), values.flatMap(placesOf), what)
        const [page = ''] = statements.filter((statement) => statement.includes('sort key'))
        const where = page.slice(page.indexOf(' where '), page.indexOf(' order by '))
        const bytes = /cast|convert|hex|binary|collate|coalesce/i.test(where)
        t.equal(bytes, others.includes(type), `the bytes: ${what} ${bytes === others.includes(type) ? '' : page}`)
      }
    }
  })
}
