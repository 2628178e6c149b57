import { Value } from '@sinclair/typebox/value'
import { sql } from 'kysely'
import t from 'tap'
import { column } from '../../src/lists/columns.js'
import { reads, refuses } from '../support/cells.js'
import { columnsOf } from '../support/columns.js'
import { findIn } from '../support/session.js'
import { openWorld } from '../support/tables.js'

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
