import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { checkDatabase, column, type ListingTables, payments } from '../../src/index.js'
import { execute, findings } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import { type Db, databases, postgresPool } from '../support/databases.js'
import { serve } from '../support/server.js'
import { openTables, openWorld } from '../support/tables.js'
import { admin, assessments, fill, payments as paymentRows } from '../support/world.js'

/** A list's table with SQL in the place of a column. */
const computed = (db: Db, table: 'assessments' | 'payments', column: string, value: string): ListingTables => {
  const others = columnsOf[table].filter((name) => name !== column)
  return { [table]: db.selectFrom(table).select([...others, sql.raw(value).as(column)]) as never }
}

const statusOf = (db: Db, status: string) => computed(db, 'assessments', 'status', status)

for (const name of databases) {
  t.test(`unknown states on ${name} are shown`, async (t) => {
    const db = await openWorld(t, name)
    await db.updateTable('assessments').set({ status: 'done' }).where('assessment_id', '=', 3).execute()
    t.strictSame(await findings(db), [
      'warning data: assessments.status is also "done", and pages with such records fail: map it to completed, pending, reserved, or leave such records out.'
    ])
  })
}

t.test(
  'unknown states are shown as far as they are few, also null, and where they stand before known states',
  async (t) => {
    const db = await openWorld(t, 'sqlite')
    const all = async (status: string) => (await findings(db, statusOf(db, status))).join()
    t.match(await all("nullif(status, 'reserved')"), /^warning data: assessments\.status is also null, and/)
    t.match(await all('user_id'), /^warning data: assessments\.status is also ("\d+", ){7}"\d+", and pages with/)
    const late = "case when user_id > 8 then 'pending' else user_id end"
    t.match(await all(late), /^warning data: assessments\.status is also "/)
    t.match(await all("'Completed'"), /^warning data: assessments\.status is also "Completed", and/)
    t.match(await all("'jane@example.org'"), /^error data: assessments\.status is "…", and/, 'no email')
    t.match(await all("'Jane Doe'"), /^error data: assessments\.status is "…", and/, 'no name')
  }
)

for (const name of databases) {
  t.test(`a newest record of ${name} that cannot be read`, async (t) => {
    const db = await openTables(t, name)
    await db
      .insertInto('payments')
      .values({ ...paymentRows[0], payment_id: 7 })
      .execute()
    await db.schema.alterTable('payments').renameColumn('quantity', 'counted').execute()
    await db.schema.alterTable('payments').addColumn('quantity', 'integer').execute()
    const isNull =
      'warning data: 1 of 1 payments at the ends of the list cannot be shown, and pages with them fail. For example: Column payments.quantity of payment_id 7 is null.'
    t.strictSame(await findings(db), [isNull])
    await db
      .insertInto('assessments')
      .values({ ...assessments[0], status: 'done' })
      .execute()
    t.match(await findings(db), [/^error data: assessments\.status is "done"/, isNull], 'both lists')
  })

  t.test(`creation dates of old records on ${name}`, async (t) => {
    const db = await openWorld(t, name)
    await execute(db, 'create table tests as select * from assessments')
    if (name === 'mysql') await execute(db, 'alter table tests modify created_at datetime null')
    if (name === 'postgres') await execute(db, 'alter table tests alter created_at drop not null')
    const nothing = { mysql: "'0000-00-00'", postgres: 'null', sqlite: "'0000-00-00 00:00:00'" }[name]
    await db.connection().execute(async (connection) => {
      if (name === 'mysql') await execute(connection, "set sql_mode = ''")
      await execute(connection, `update tests set created_at = ${nothing} where assessment_id = 3`)
    })
    const warnings = async () =>
      (await findings(db, { assessments: 'tests' })).filter((text) => !text.includes('index '))
    const says = (date: string) =>
      `warning data: 1 of 30 assessments at the ends of the list cannot be shown, and pages with them fail. For example: Column assessments.created_at of assessment_id 3 is ${date}.`
    t.strictSame(await warnings(), [says(name === 'postgres' ? 'null' : 'a zero date')])
    await execute(db, 'update tests set created_at = null where assessment_id = 3')
    t.strictSame(await warnings(), [says('null')])
  })
}

const wrong = (count: number, id: number) =>
  `warning data: ${count} of 31 payments at the ends of the list cannot be shown, and pages with them fail. For example: Column payments.quantity of payment_id ${id} is null.`

t.test('the oldest record is read, and what is wrong with many records is told once', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const tables = (ids: string) =>
    computed(db, 'payments', 'quantity', `case when payment_id ${ids} then null else quantity end`)
  // The guest has the oldest payment.
  t.strictSame(await findings(db, tables('= 99')), [wrong(1, 99)])
  t.strictSame(await findings(db, tables('in (99, 30)')), [wrong(2, 30)])
  t.strictSame(await findings(db, tables('> 0')), [wrong(31, 30).replace('warning', 'error')], 'all records')
})

for (const name of databases) {
  t.test(`the check of ${name} reads as many records as the largest page, at both ends`, async (t) => {
    const db = await openWorld(t, name)
    const nullable = { mysql: 'modify quantity integer null', postgres: 'alter quantity drop not null', sqlite: '' }[
      name
    ]
    if (nullable) await execute(db, `alter table payments ${nullable}`)
    else
      await execute(db, 'alter table payments drop column quantity', 'alter table payments add column quantity integer')
    await db.deleteFrom('payments').execute()
    const minutes = Array.from({ length: 400 }, (_, minute) => minute)
    await db
      .insertInto('payments')
      .values(
        minutes.map((minute) => ({
          ...paymentRows[0],
          payment_id: minute + 1,
          payment_intent: `pi_${minute}`,
          quantity: minute % 10 === 5 ? null : 1,
          created_at: new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString().slice(0, 19).replace('T', ' ')
        }))
      )
      .execute()
    const says = (share: string, id: number) =>
      `${share} payments at the ends of the list cannot be shown, and pages with them fail. For example: Column payments.quantity of payment_id ${id} is null.`
    const wrong = async (maxLimit?: number) =>
      (await checkDatabase({ db, maxLimit })).filter(({ remedy }) => remedy === 'data')
    t.match(await wrong(), [{ level: 'warning', text: says('20 of 200', 396) }])
    t.match(await wrong(20), [{ level: 'warning', text: says('4 of 40', 396) }])
    t.match(await wrong(500), [{ level: 'warning', text: says('40 of 400', 396) }], 'each record once')
    t.strictSame(await wrong(4), [])
    const { lines, get } = await serve(t, { db, maxLimit: 50, checkOnReady: 'error' }, { log: 'warn' })
    t.match(lines, [{ msg: /- \(warning\) 10 of 100 payments at the ends/ }])
    t.equal((await get('/payment/list?limit=50', admin)).status, 500)
  })
}

t.test('numbers in the place of a time get an advice', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(db, 'update payments set created_at = 1709285400123 + payment_id')
  const found = await findings(db)
  t.strictSame(found, [
    'error data: 31 of 31 payments at the ends of the list cannot be shown, and pages with them fail. For example: Column payments.created_at of payment_id 99 is not a date and time, but looks like a time since 1970: convert it in the select.'
  ])
  await t.rejects(serve(t, { db, checkOnReady: 'error' }), { code: 'FST_LISTING_DATABASE_MISFIT' })
  const converted = computed(db, 'payments', 'created_at', "datetime(created_at / 1000, 'unixepoch')")
  t.strictSame(
    (await findings(db, converted)).filter((text) => !/is computed|index/.test(text)),
    []
  )
  const other = await findings(await openWorld(t, 'sqlite'), computed(db, 'payments', 'paid_at', '20240301093000'))
  t.match(other, [/^error data: .* is not a date and time\.$/], 'no advice for another number')
})

t.test('a time that only sorts the list is read, too, and a time of the users is told under their name', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(db, 'update assessments set created_at = 1709285400')
  t.match((await findings(db)).join(), 'Column assessments.created_at of assessment_id')
  const members = await openWorld(t, 'sqlite')
  await execute(members, 'alter table users add column joined_at text', "update users set joined_at = 'soon'")
  const lists = [
    payments.extend({
      joined: { users: { joined_at: column.utcTime() } },
      fields: { joined: { column: 'users.joined_at', examples: ['2024-03-01T09:30:00Z'] } }
    })
  ] as const
  const [{ text = '' } = {}] = await checkDatabase({ db: members, lists })
  t.match(text, /For example: Column users\.joined_at of payment_id \d+ is not a date and time\.$/)
})

t.test('an error of the database’s own is told without its values', async (t) => {
  for (const [name, failing] of [
    ['postgres', "('secret' || user_id)::int"],
    ['mysql', '(select owner_id from links)'],
    // Errors of SQLite have no code.
    ['sqlite', "json('{')"]
  ] as const) {
    const db = await openWorld(t, name)
    const tables = statusOf(db, `case when user_id = 1 then ${failing} end`)
    t.match(await findings(db, tables), [
      /^warning data: Some assessments cannot be read( \(error (22P02|ER_SUBQUERY_NO_1_ROW)\))?, and pages with such/
    ])
  }
})

t.test(
  'dates are read whatever the session of PostgreSQL writes, and padded states without their padding',
  async (t) => {
    const pool = new pg.Pool({ ...(await postgresPool(t)), options: '-c DateStyle=German -c TimeZone=Asia/Tokyo' })
    // its idle connections are ended with the database
    pool.on('error', () => undefined)
    const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
    t.teardown(() => db.destroy())
    await fill(db)
    await sql`alter table assessments alter date_assignment type timestamptz`.execute(db)
    t.strictSame(await findings(db), [])
    await sql`alter table assessments alter status type char(20)`.execute(db)
    t.strictSame(await findings(db), [])
  }
)

t.test('ids that differ from one look to the next are an error', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(db, "insert into payments values (1, 1, 1, 1, 'pi', null, '', '', '', '2024-01-01')")
  t.match(await findings(db, computed(db, 'payments', 'payment_id', 'gen_random_uuid()')), [
    /^error data: 2 of 2 payments .* For example: payments\.payment_id changes between two reads of one statement\.$/
  ])
})

t.test('the option maxLimit says how many records are looked at', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(db, "update payments set paid_at = 'soon' where payment_id = 15")
  const isTold = (text: string) => /paid_at of payment_id 15 is not a date and time/.test(text)
  const told = async (maxLimit: number) => (await checkDatabase({ db, maxLimit })).some(({ text }) => isTold(text))
  t.strictSame([await told(100), await told(3)], [true, false])
  const toldAtBoot = async (maxLimit: number) => {
    const { lines } = await serve(t, { db, maxLimit, checkOnReady: 'warn' }, { log: 'warn' })
    return lines.some(({ msg }) => isTold(String(msg)))
  }
  t.strictSame([await toldAtBoot(100), await toldAtBoot(3)], [true, false])
})
