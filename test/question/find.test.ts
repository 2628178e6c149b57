import { type Logger, sql } from 'kysely'
import t from 'tap'
import { sampleName, samples } from '../../src/database/cells.js'
import { startDeadline } from '../../src/database/deadline.js'
import { measured } from '../../src/limits.js'
import { columnsOf } from '../support/fixtures/columns.js'
import { fill } from '../support/fixtures/world.js'
import { until } from '../support/running/until.js'
import { mysqlPool, onDatabases, postgresPool } from '../support/servers/databases.js'
import { openMysql, openPostgres } from '../support/servers/pools.js'
import {
  afterEach,
  finder,
  findIn,
  openSession,
  questionFor,
  sessionOf,
  sourceOf,
  withoutDatabase
} from '../support/servers/session.js'
import { openWorld } from '../support/servers/tables.js'

onDatabases(t, 'a missing table is named, and a closed database is unavailable', async (t, name) => {
  const db = await openWorld(t, name)
  const missing = findIn(db, { users: 'nobody' })('assessments', { search: 'secret' })
  await t.rejects(missing, {
    kind: 'internal',
    facts: { missing: /(^|\.)nobody$/ },
    message: /^Missing in the database: (\S+\.)?nobody\. Create the table or the column, or map your own/
  } as never)
  await db.destroy()
  await t.rejects(findIn(db)('payments'), { kind: 'unavailable' } as never)
})

/** Keeps the first words of the statements. */
const watching =
  (words: string[]): Logger =>
  ({ query }) =>
    void words.push(query.sql.trim().replace(/\s.*/s, ''))

t.test('on PostgreSQL a request uses one connection, and one transaction for the page and the total', async (t) => {
  const statements: string[] = []
  const db = openPostgres(t, await postgresPool(t, { max: 1 }), watching(statements))
  await fill(db)
  const source = sourceOf(db)
  const { find } = finder()
  // As a request, which can stop a statement.
  const deadline = startDeadline(60_000)
  t.teardown(() => deadline.close())
  const ask = (asking: Parameters<typeof questionFor>[0]) => find(questionFor(asking), openSession(source, deadline))
  /** The statements, once the transaction has ended after its answer. */
  const sent = async () => {
    await until(() => statements.at(-1) === 'commit')
    return statements.splice(0)
  }
  await ask({})
  await sent()
  const found = await Promise.all([1, 2, 3].map((page) => ask({ limit: 10, page })))
  for (const { total } of found) t.equal(total, 31)
  // The settings, and the page with its total. A later page of all records needs the total first.
  const one = ['start', 'select', 'with', 'commit']
  const two = ['start', 'select', 'select', 'with', 'commit']
  t.strictSame(await sent(), [...two, ...two, ...one])
  t.match(await ask({ reach: 'linked', userId: '10', limit: 2 }), { total: 9 })
  t.strictSame(await sent(), one)
  t.match(await ask({ reach: 'own', userId: '1' }), { total: 3 })
  t.strictSame(await sent(), one)
  t.match(await ask({ reach: 'own', userId: 'abc' }), { total: 0 })
  const failed = ['start', 'select', 'with', 'rollback']
  const inTurn = [...failed, ...failed, ...one]
  t.strictSame(await sent(), inTurn, 'an id that the column cannot hold')

  const leaving = new AbortController()
  const timeLeft = () => (leaving.signal.aborted ? 0 : 10_000)
  const left = sessionOf(db, {
    over: leaving.signal,
    timeLeft,
    timed: afterEach((step) => step === 'total' && leaving.abort())
  })
  await t.rejects(find(questionFor({ limit: 10, page: 2 }), left), { message: 'The deadline passed.' })
  t.strictSame(
    statements.slice(-4),
    ['start', 'select', 'select', 'rollback'],
    'the client leaves between two statements'
  )
  t.match(await ask({ limit: 10 }), { total: 31 })
})

t.test('on MySQL and MariaDB a later page of all records and its total read one snapshot', async (t) => {
  const statements: string[] = []
  const options = await mysqlPool(t, { connectionLimit: 1 })
  const db = openMysql(t, options)
  await fill(db)
  // In the mode ORACLE, `begin` is a syntax error. MySQL has no such mode.
  const start = "set @mode = 1 /*M!100300 , sql_mode = 'ORACLE' */"
  const source = sourceOf(openMysql(t, options, { start, log: watching(statements) }))
  const texts = { payment_method: '', payment_status: '', processor_status: '', payment_intent: 'example' }
  const oldest = { payment_id: 1000, user_id: 1, amount: 1, quantity: 1, ...texts, created_at: '2000-01-01' }
  const writes = {
    nothing: () => undefined,
    insert: () => db.insertInto('payments').values(oldest).execute(),
    delete: () => db.deleteFrom('payments').where('payment_id', '=', oldest.payment_id).execute()
  }
  for (const maxInlinedIds of [0, 100]) {
    const { find } = finder({ ...measured, maxInlinedIds })
    for (const parameters of [{}, { search: 'example' }]) {
      const found = async (write: () => unknown, over?: AbortController) => {
        const read: string[] = []
        const after = async (step: string) => {
          if (step === 'columns' || read.push(step) > 1) return
          await write()
          over?.abort()
        }
        const timeLeft = () => (over?.signal.aborted ? 0 : 10_000)
        const { items, total } = await find(
          questionFor({ page: 6, limit: 4, parameters }),
          openSession(source, { timeLeft, over: over?.signal }, afterEach(after))
        )
        return { items: items.map((item) => (item as { payment_id: string }).payment_id), total }
      }
      const what = `${maxInlinedIds} ids, ${JSON.stringify(parameters)}`
      const before = await found(writes.nothing)
      t.equal(before.items.length, 4)
      t.strictSame(await found(writes.insert), before, what)
      const later = { ...before, total: before.total + 1 }
      t.strictSame(await found(writes.nothing), later, what)
      t.strictSame(await found(writes.delete), later, what)

      await t.rejects(found(writes.nothing, new AbortController()), { message: 'The deadline passed.' })
      t.equal(statements.at(-1), 'rollback', 'when the client leaves')
      t.strictSame(await found(writes.nothing), before, what)
    }
  }
})

t.test('a small max_sort_length of the session does not change the order', async (t) => {
  const db = openMysql(t, await mysqlPool(t), { start: 'set max_sort_length = 8' })
  await fill(db)
  const times = [...'bdace'].map((id, index) => ({ id, at: `2024-03-01T10:20:30.${'0'.repeat(60)}${index}Z` }))
  const constants = columnsOf.payments
    .filter((name) => name !== 'payment_id' && name !== 'created_at')
    .map((name) => sql`${sql.lit(name === 'paid_at' ? '2024-01-01' : '1')}`.as(name))
  const orders = db.selectFrom('orders').select([...constants, 'id as payment_id', 'at as created_at'])
  const find = findIn(db, { payments: orders })
  for (const type of [
    'varchar(120)',
    'varchar(120) collate utf8mb4_bin',
    'varchar(120) character set latin1',
    'text'
  ]) {
    await sql`drop table if exists orders`.execute(db)
    await sql`create table orders (id ${sql.raw(type)}, at ${sql.raw(type)})`.execute(db)
    await db.insertInto('orders').values(times).execute()
    const { items } = await find('payments', { reach: 'own', userId: '1' })
    const ids = items.map(({ payment_id }) => payment_id)
    t.strictSame(ids, ['e', 'c', 'a', 'd', 'b'], type)
  }
})

const refused = Object.assign(new Error('Illegal mix of collations'), { errno: 1267 })
const looked = Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample]))

t.test('a text that the database refuses twice is an error', async (t) => {
  for (const name of ['mysql', 'postgres', 'sqlite'] as const) {
    const session = sessionOf(withoutDatabase(name))
    let asked = 0
    const run: typeof session.run = async ({ sql }) => {
      if (!sql.includes('cell 0')) return [looked]
      asked++
      throw refused
    }
    const snapshot: typeof session.snapshot = (work) => work({ ...session, run })
    const question = questionFor({ reach: 'own', search: 'a' })
    await t.rejects(finder().find(question, { ...session, run, snapshot }), { kind: 'internal', cause: refused })
    t.equal(asked, name === 'sqlite' ? 1 : 3, `the times that ${name} is asked`)
  }
})
