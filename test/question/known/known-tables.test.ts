import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { assessments } from '../../../src/lists/assessments.js'
import { execute } from '../../support/check.js'
import { tenantPlugin, withSchema } from '../../support/plugins.js'
import { findIn, knownTables, openSession, sessionOf, sourceOf } from '../../support/session.js'
import { openWorld } from '../../support/tables.js'
import { until } from '../../support/until.js'

t.test('a timeout while the columns are looked at rejects the request, and the next request looks again', async (t) => {
  const session = sessionOf(await openWorld(t, 'mysql'))
  const slow = async () => {
    throw Object.assign(new Error('slow'), { errno: 3024 })
  }
  const fit = knownTables()
  await t.rejects(fit(assessments, { ...session, run: slow }), { message: 'slow' })
  let asked = 0
  // The second statement tries a term on a column.
  const late = async (...parameters: Parameters<typeof session.run>) =>
    ++asked === 2 ? slow() : session.run(...parameters)
  await t.rejects(fit(assessments, { ...session, run: late }), { message: 'slow' })
  t.ok(await fit(assessments, session))
})

t.test('the columns are looked at again when the tables of the database change', async (t) => {
  const db = await openWorld(t, 'mysql')
  const source = sourceOf(db)
  const open = () => openSession(source)
  const [kept, short] = [knownTables(60_000), knownTables(1)]
  const before = await Promise.all([kept(assessments, open()), short(assessments, open())])
  await execute(db, 'alter table users modify email varchar(190) collate utf8mb4_bin')
  await until(async () => (await short(assessments, open())) !== before[1])
  const after = await short(assessments, open())
  t.not(after, before[1])
  await sleep(5)
  t.equal(await short(assessments, open()), after, 'equal traits keep the statements')
  t.equal(await kept(assessments, open()), before[0])
})

/** Opens sessions of one instance, and counts the looks at the columns. */
function counting(db: object, fit = knownTables()) {
  const source = sourceOf(db as never, {})
  let count = 0
  const open = () =>
    openSession(source, undefined, (_step, run) => {
      count++
      return run()
    })
  return {
    open,
    /** The number of looks that a request needs to know the columns. */
    async asks() {
      count = 0
      await fit(assessments, open())
      return count
    }
  }
}

t.test('what is known of columns belongs to the tables of the request, even if they change in the look', async (t) => {
  const db = await openWorld(t, 'sqlite')
  let schema = 'main'
  const fit = knownTables()
  const { open, asks } = counting(db.withPlugin(withSchema(() => schema)), fit)
  const session = open()
  await fit(assessments, {
    ...session,
    async run(statement) {
      schema = 'other'
      return session.run(statement)
    }
  })
  await sql`attach database ':memory:' as other`.execute(db)
  for (const table of ['users', 'links', 'memberships', 'assessments']) {
    await sql`create table ${sql.id('other', table)} as select * from ${sql.id('main', table)}`.execute(db)
  }
  t.equal(await asks(), 1, 'the other schema')
  schema = 'main'
  t.equal(await asks(), 1, 'the schema of the first request, which is looked at again')
  t.equal(await asks(), 0)
})

t.test('what is known of the tables of one tenant says nothing of those of another', async (t) => {
  const db = await openWorld(t, 'sqlite')
  let tenant: unknown = 1
  const { asks } = counting(db.withPlugin(tenantPlugin(() => tenant)))
  for (const other of [1, 2, '2', Buffer.from('2'), null, 1]) {
    tenant = other
    t.equal(await asks(), 1, String(other))
    t.equal(await asks(), 0, 'the same tables in new nodes')
  }
})

t.test('instances never share what is known of the columns, even with the same tables', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const fit = knownTables()
  for (const instance of [db, db.withSchema('main'), db.withSchema('main')]) {
    const { asks } = counting(instance, fit)
    t.equal(await asks(), 1)
    t.equal(await asks(), 0)
  }
  t.equal(await counting(db, fit).asks(), 1, 'a new source of the same instance')
})

t.test('a filter stays exact when the column gets another collation while the server runs', async (t) => {
  const db = await openWorld(t, 'mysql')
  const find = findIn(db)
  const paid = async () => (await find('payments', { parameters: { processor_status: 'pending' } })).total
  t.equal(await paid(), 11)
  await execute(db, 'alter table payments modify processor_status varchar(50) collate utf8mb4_general_ci')
  await db.updateTable('payments').set({ processor_status: 'PENDING' }).where('payment_id', '=', 99).execute()
  t.equal(await paid(), 10)
})
