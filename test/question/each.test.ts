/** Batches by key: every record once, for every type of time and id. */
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { payments } from '../../src/lists/ready/payments.js'
import type { Question } from '../../src/question/asked/question.js'
import { eachItem } from '../../src/question/each.js'
import { insert } from '../support/fixtures/world.js'
import { execute } from '../support/oracle/check.js'
import { type DatabaseName, type Db, onDatabases } from '../support/servers/databases.js'
import { finder, openSession, questionFor, sourceOf } from '../support/servers/session.js'
import { openTables } from '../support/servers/tables.js'

/** Types that sort in other ways than their texts, or that a parameter would have to round. */
const timesOf: Record<DatabaseName, string[]> = {
  mysql: ['datetime(6)', 'datetime', 'timestamp(6)', 'date', 'varchar(30)'],
  postgres: ['timestamp', 'timestamptz', 'timestamp(0)', 'date', 'text'],
  sqlite: ['text', 'datetime', 'varchar(30)']
}
const idsOf: Record<DatabaseName, [type: string, ids: 'numbers' | 'large' | 'texts'][]> = {
  mysql: [
    ['bigint unsigned', 'large'],
    ['int', 'numbers'],
    ['decimal(30, 0)', 'large'],
    ['varchar(30)', 'texts'],
    ['varchar(30) character set latin1', 'texts'],
    ['varchar(30) collate utf8mb4_bin', 'texts']
  ],
  postgres: [
    ['bigint', 'large'],
    ['numeric', 'large'],
    ['text', 'texts'],
    ['varchar(30) collate "C"', 'texts'],
    ['char(30)', 'texts']
  ],
  sqlite: [
    ['integer', 'large'],
    ['text', 'texts'],
    ['text collate nocase', 'texts'],
    ['blob', 'texts']
  ]
}

const ids = {
  numbers: Array.from({ length: 40 }, (_, place) => place * 7 + 1),
  // As doubles, neighbours are equal.
  large: Array.from({ length: 40 }, (_, place) => String(9_007_199_254_740_993n + BigInt(place))),
  texts: Array.from({ length: 40 }, (_, place) => `${['é', 'E', 'e', 'Z', 'ß', "o'", 'a\\', '-'][place % 8]}${place}`)
}

const moments = [
  '2024-03-01 09:30:00.000001',
  '2024-03-01 09:30:00.000002',
  '2024-03-01 09:30:00',
  '2023-12-31 23:59:59'
]

/** A table of payments, whose users are `1` to `4`. */
async function createPayments(db: Db, time: string, id: string) {
  const columns = `payment_id ${id}, user_id int, amount int, quantity int, payment_intent varchar(20), paid_at varchar(20),
    payment_method varchar(9), payment_status varchar(9), processor_status varchar(9), created_at ${time}`
  await execute(db, 'drop table if exists payments', `create table payments (${columns})`)
}

const rowOf = (payment_id: unknown, place: number, time: string) => ({
  payment_id,
  user_id: (place % 4) + 1,
  amount: 1,
  quantity: 1,
  payment_intent: `pi_${place % 3}`,
  paid_at: null,
  payment_method: '',
  payment_status: '',
  processor_status: '',
  created_at: time === 'date' ? String(moments[place % 4]).slice(0, 10) : moments[place % 4]
})

async function openPayments(t: Test, name: DatabaseName) {
  const db = await openTables(t, name)
  await execute(
    db,
    'insert into links values (1, 2), (1, 3)',
    "insert into users (user_id, first_name, last_name, email) values (1, '', '', 'a@x'), (2, '', '', 'b@x')",
    "insert into memberships values (1, 'A'), (1, 'B')"
  )
  return db
}

const idOf = (item: unknown) => (item as { payment_id: string }).payment_id

/** The ids of all records that a request finds, in batches of a size. */
async function idsInBatches(db: Db, question: Question, size: number, tables = {}): Promise<unknown[]> {
  const { findBatch } = finder()
  const source = sourceOf(db, tables)
  const found: unknown[] = []
  const find = (batch: Question) => findBatch(batch, openSession(source))
  for await (const item of eachItem(question, find, [], size)) {
    found.push(idOf(item))
  }
  return found
}

onDatabases(t, 'every record comes once, in the order of the pages', async (t, name) => {
  const db = await openPayments(t, name)
  const [firstTime = '', ...otherTimes] = timesOf[name]
  const [firstId = ['', 'texts'], ...otherIds] = idsOf[name]
  const { find } = finder()
  const compare = async (question: Question, sizes: number[], what: string) => {
    const { items, total } = await find(question, openSession(sourceOf(db)))
    t.ok(total > 0)
    for (const size of sizes)
      t.strictSame(await idsInBatches(db, question, size), items.map(idOf), `${what} by ${size}`)
  }
  for (const [time, [type, kind]] of [
    ...otherTimes.map((time) => [time, firstId] as const),
    ...otherIds.map((id) => [firstTime, id] as const),
    [firstTime, firstId] as const
  ]) {
    await createPayments(db, time, type)
    await insert(db, { payments: ids[kind].map((id, place) => rowOf(id, place, time)) })
    await compare(questionFor({ limit: 100 }), [7, 40], `time ${time}, id ${type}`)
  }
  for (const reach of ['all', 'linked', 'own'] as const) {
    const order = { column: 'created_at', direction: 'asc' } as const
    await compare(questionFor({ reach, userId: '1', limit: 100, order }), [3, 40], `${reach}, the oldest first`)
    for (const search of [undefined, 'pi_1', '@x']) {
      await compare(questionFor({ reach, userId: '1', limit: 100, search }), [3, 39, 40, 41], `${reach} ${search}`)
    }
  }
})

t.test('ids that SQLite computes are numbers, which no text would follow', async (t) => {
  const db = await openPayments(t, 'sqlite')
  await createPayments(db, 'text', 'integer')
  await insert(db, { payments: [1, 2, 3, 4].map((id) => rowOf(id, 0, 'text')) })
  // A computed number has no affinity, so every number is less than every text.
  const { payment_id, ...others } = rowOf(1, 0, 'text')
  for (const id of [sql`payment_id + 0`, sql`cast(payment_id + 0 as integer)`]) {
    const payments = db.selectFrom('payments').select([...Object.keys(others), id.as('payment_id')])
    for (const size of [1, 2, 3, 4, 5]) {
      t.strictSame(await idsInBatches(db, questionFor(), size, { payments }), ['4', '3', '2', '1'], `by ${size}`)
    }
  }
})

t.test('an order that SQLite computes is one of numbers, also beyond the digits of a double', async (t) => {
  const db = await openPayments(t, 'sqlite')
  await createPayments(db, 'text', 'integer')
  await insert(db, { payments: [1, 2, 3, 4].map((id) => rowOf(id, 0, 'text')) })
  const { user_id, ...others } = rowOf(1, 0, 'text')
  const order = { column: 'user_id', direction: 'desc' } as const
  const question = questionFor({ order, list: { ...payments, order } })
  for (const id of [sql`9007199254740993`, sql`payment_id % 2 + 9007199254740992`, sql`'u' || payment_id % 2`]) {
    const tables = { payments: db.selectFrom('payments').select([...Object.keys(others), id.as('user_id')]) }
    const all = await idsInBatches(db, question, 10, tables)
    t.equal(all.length, 4)
    for (const size of [1, 2, 3, 4]) {
      t.strictSame(await idsInBatches(db, question, size, tables), all, `by ${size}`)
    }
  }
})

onDatabases(t, 'a join that repeats a record loses no other record', async (t, name) => {
  const db = await openPayments(t, name)
  await createPayments(db, 'varchar(30)', 'int')
  const records = Array.from({ length: 50 }, (_, place) => rowOf(place + 1, 0, 'varchar(30)'))
  await db.insertInto('payments').values(records).execute()
  await execute(db, 'create table notes (note_of int)', 'insert into notes values (25), (25)')
  const joined = db
    .selectFrom('payments as x')
    .leftJoin('notes', 'notes.note_of', 'x.payment_id')
    .select(Object.keys(rowOf(1, 0, '')).map((column) => `x.${column}` as const))
  const all = records.map(({ payment_id }) => String(payment_id)).reverse()
  for (const size of [3, 5, 10, 49, 50, 51]) {
    t.strictSame(await idsInBatches(db, questionFor(), size, { payments: joined }), all, `by ${size}`)
  }
  await execute(db, ...Array.from({ length: 3 }, () => 'insert into notes values (25)'))
  for (const size of [1, 2, 4, 49]) {
    t.strictSame(await idsInBatches(db, questionFor(), size, { payments: joined }), all, `by ${size}, five times`)
  }
})

onDatabases(t, 'a record that no batch reaches is an error, and never an early end', async (t, name) => {
  const db = await openPayments(t, name)
  const time = name === 'postgres' ? 'timestamp' : 'varchar(30)'
  await createPayments(db, time, 'int')
  const records = Array.from({ length: 20 }, (_, place) => rowOf(place + 1, place, time))
  await db.insertInto('payments').values(records).execute()
  const odd = async (column: 'created_at' | 'payment_id', value: string, of: number) => {
    const others = Object.keys(rowOf(1, 0, '')).filter((other) => other !== column)
    const cell = sql`case when payment_id = ${sql.lit(of)} then ${sql.raw(value)} else ${sql.ref(column)} end`.as(
      column
    )
    const payments = db.selectFrom('payments').select([...others, cell])
    return idsInBatches(db, questionFor(), 6, { payments }).catch((error) => error)
  }
  const message = /created_at of payment_id 3 is null|payment_id of payment_id null is null/
  for (const column of ['created_at', 'payment_id'] as const) {
    t.match(await odd(column, 'null', 3), { statusCode: 500, message }, column)
  }
  if (name !== 'sqlite') return
  const lacking = /^Some records of 'payments' cannot be reached after the others, such as the payment_id 3, because/
  t.match(await odd('payment_id', 'cast(3 as blob)', 3), { statusCode: 500, message: lacking }, 'a BLOB')
})
