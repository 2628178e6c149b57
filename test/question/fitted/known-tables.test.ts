import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { assessments } from '../../../src/lists/ready/assessments.js'
import { viewOf } from '../../../src/visibility/allowed-parameters.js'
import { createIncidents, incidents } from '../../support/fixtures/incidents.js'
import { tenantPlugin, withSchema } from '../../support/hosts/plugins.js'
import { execute } from '../../support/oracle/check.js'
import { until } from '../../support/running/until.js'
import { onDatabases, openDatabase } from '../../support/servers/databases.js'
import { findIn, knownTables, openSession, sessionOf, sourceOf } from '../../support/servers/session.js'
import { openWorld } from '../../support/servers/tables.js'

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

t.test('one look serves the views of all roles', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await createIncidents(db, 'sqlite')
  const session = openSession(sourceOf(db, {}, [incidents]))
  const known = knownTables()
  let statements = 0
  const counted = { ...session, run: (...of: Parameters<typeof session.run>) => ++statements && session.run(...of) }
  const viewFor = (role: string) => viewOf(incidents, [role])
  const [head, inspector] = [
    await known(viewFor('Head'), counted as never),
    await known(viewFor('Inspector'), counted as never)
  ]
  const looked = statements
  t.not(head, inspector)
  t.equal(head, await known(viewFor('Head'), counted as never))
  t.ok(await known(viewFor('Counsellor'), counted as never))
  t.equal(statements, looked)
  t.strictSame(Object.keys(head.list.fields).includes('notes'), false)
})

t.test('one request looks again, and waits for a part of its time; its late answer is kept', async (t) => {
  const source = sourceOf(await openWorld(t, 'sqlite'))
  const known = knownTables(50)
  const before = await known(assessments, openSession(source))
  await sleep(60)
  const session = openSession(source, { timeLeft: () => 500 })
  let looks = 0
  // The column has become case-sensitive.
  const slow: typeof session.run = async (...parameters) => {
    looks++
    await sleep(200)
    return (await session.run(...parameters)).map((row) => ({ ...row, 'u.email': '1' }))
  }
  const first = known(assessments, { ...session, run: slow })
  t.equal(await known(assessments, { ...session, run: slow }), before, 'another request does not look')
  t.equal(await first, before)
  t.equal(looks, 1)
  t.ok(await until(async () => (await known(assessments, { ...session, run: slow })) !== before))
})

onDatabases(t, 'each request looks at tables that no longer fit, and not a minute later', async (t, name) => {
  const db = await openWorld(t, name)
  const source = sourceOf(db)
  const known = knownTables()
  // A look of a busy machine may take long.
  const ask = () => known(assessments, openSession(source, { timeLeft: () => 300_000 }))
  t.ok(await ask())
  await execute(db, 'alter table users rename column email to mail')
  const { now } = performance
  t.teardown(() => Object.assign(performance, { now }))
  performance.now = () => now.call(performance) + 60_000
  // Without another look, what was known before would serve the next request.
  for (const request of ['the first', 'the next']) await t.rejects(ask(), /email/, request)
  await execute(db, 'alter table users rename column mail to email')
  t.ok(await ask())
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

for (const [name, lock, unlock, change] of [
  ['mysql', 'lock tables links write', 'unlock tables', 'modify email varchar(190) collate utf8mb4_bin'],
  ['postgres', 'lock table links in access exclusive mode', 'rollback', 'alter email type text collate "C"']
] as const) {
  t.test(`what is known serves on ${name} while a table that the page does not read is locked`, async (t) => {
    const db = await openWorld(t, name)
    const source = sourceOf(db)
    const known = knownTables(1)
    // A request that waits for the lock ends long after the test.
    const open = () => openSession(source, { timeLeft: () => 5_000 })
    const before = await known(assessments, open())
    await sleep(5)
    await db.connection().execute(async (locker) => {
      if (name === 'postgres') await execute(locker, 'begin')
      await execute(locker, lock)
      const late = knownTables(1)
      const first = late(assessments, openSession(source, { timeLeft: () => 300 })).then(
        () => 'known',
        () => 'failed'
      )
      const start = performance.now()
      t.equal(await known(assessments, open()), before, 'what was known')
      const milliseconds = performance.now() - start
      t.ok(milliseconds > 300 && milliseconds < 2_500, `${Math.round(milliseconds)} ms, about a tenth of 5 s`)
      t.equal(await first, 'failed', 'the first look of all knows nothing that could serve')
      await execute(locker, unlock)
    })
    await execute(db, `alter table users ${change}`)
    await sleep(5)
    t.ok(await until(async () => (await known(assessments, open())) !== before), 'after the lock it is looked at again')
  })
}

t.test('what is known serves while a later look fails, and is looked at again', async (t) => {
  const db = await openWorld(t, 'mysql')
  const source = sourceOf(db)
  const open = () => openSession(source)
  const known = knownTables(1)
  const failing = async () => {
    throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
  }
  await t.rejects(known(assessments, { ...open(), run: failing }), { message: 'lost' }, 'the first look')
  const before = await known(assessments, open())
  await execute(db, 'alter table users modify email varchar(190) collate utf8mb4_bin')
  await sleep(5)
  t.equal(await known(assessments, { ...open(), run: failing }), before)
  await sleep(5)
  t.not(await known(assessments, open()), before)
})
