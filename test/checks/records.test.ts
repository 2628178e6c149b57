import type { CompiledQuery } from 'kysely'
import t from 'tap'
import { checkDatabase, column, defineList, payments } from '../../src/index.js'
import { goods } from '../support/fixtures/goods.js'
import { admin, fill, payments as paymentRows } from '../support/fixtures/world.js'
import { serve } from '../support/hosts/server.js'
import { areAll, execute, findings, finds, textsOf } from '../support/oracle/check.js'
import {
  type DatabaseName,
  databases,
  dateTime,
  onDatabases,
  openDatabase,
  postgresPool
} from '../support/servers/databases.js'
import { openPostgres } from '../support/servers/pools.js'
import { computed, openTables, openWorld } from '../support/servers/tables.js'

/** What a computed time, and an index, are not about. */
const ofIndexes = /^info|index/

/** The statement that lets a column be null. */
const nullable = (name: DatabaseName, table: string, column: string, type: string) =>
  `alter table ${table} ${name === 'mysql' ? `modify ${column} ${type} null` : `alter ${column} drop not null`}`

const unread = (share: string, problem: string, level = 'warning') =>
  `${level} data: ${share} among the newest and the oldest records cannot be shown, and pages with them fail. For example: Column ${problem}.`
const isNull = (id: number) => `payments.quantity of payment_id ${id} is null`

onDatabases(t, 'unknown states are shown, and a newest record that cannot be read', async (t, name) => {
  const db = await openWorld(t, name)
  const states = 'completed, pending, reserved, or leave such records out.'
  const done = `warning data: assessments.status is also "done", and pages with such records fail: map it to ${states}`
  await db.updateTable('assessments').set({ status: 'done' }).where('assessment_id', '=', 3).execute()
  await finds(t, db, [done])
  await execute(db, 'alter table payments rename column quantity to counted')
  await execute(
    db,
    'alter table payments add quantity integer',
    'update payments set quantity = 1 where payment_id < 30'
  )
  await finds(t, db, [done, unread('2 of 31 payments', isNull(30))])
  await execute(db, 'delete from payments where payment_id <> 99')
  await finds(t, db, [done, unread('1 of 1 payments', isNull(99))])
})

onDatabases(t, 'creation dates of old records', async (t, name) => {
  const db = await openWorld(t, name)
  await execute(db, 'create table tests as select * from assessments')
  if (name !== 'sqlite') await execute(db, nullable(name, 'tests', 'created_at', 'datetime'))
  const says = (date: string) => unread('1 of 30 assessments', `assessments.created_at of assessment_id 3 is ${date}`)
  if (name !== 'postgres') {
    await db.connection().execute(async (connection) => {
      if (name === 'mysql') await execute(connection, "set sql_mode = ''")
      await execute(connection, "update tests set created_at = '0000-00-00 00:00:00' where assessment_id = 3")
    })
    await finds(t, db, [says('a zero date')], { assessments: 'tests' }, ofIndexes)
  }
  await execute(db, 'update tests set created_at = null where assessment_id = 3')
  await finds(t, db, [says('null')], { assessments: 'tests' }, ofIndexes)
})

onDatabases(t, 'the check reads as many records as the largest page, at both ends,', async (t, name) => {
  const db = await openWorld(t, name)
  if (name === 'sqlite')
    await execute(db, 'alter table payments drop column quantity', 'alter table payments add quantity integer')
  else await execute(db, nullable(name, 'payments', 'quantity', 'integer'))
  await db.deleteFrom('payments').execute()
  const rows = Array.from({ length: 400 }, (_, minute) => ({
    ...paymentRows[0],
    payment_id: minute + 1,
    payment_intent: `pi_${minute}`,
    quantity: minute % 10 === 5 ? null : 1,
    created_at: new Date(Date.UTC(2024, 0, 1, 0, minute)).toISOString().slice(0, 19).replace('T', ' ')
  }))
  await db.insertInto('payments').values(rows).execute()
  const tells = async (maxLimit: number | undefined, ...shares: string[]) => {
    const found = (await checkDatabase({ db, maxLimit })).filter(({ remedy }) => remedy === 'data')
    const expected = shares.map((share) => unread(share, isNull(396)))
    areAll(t, textsOf(found), expected)
  }
  await tells(undefined, '20 of 200 payments')
  await tells(20, '4 of 40 payments')
  // Each record once.
  await tells(500, '40 of 400 payments')
  await tells(4)
  const { lines, get } = await serve(t, { db, maxLimit: 50, checkOnReady: 'error' }, { log: 'warn' })
  t.match(lines, [{ msg: /- \(warning\) 10 of 100 payments among the newest and the oldest/ }])
  t.equal((await get('/payment/list?limit=50', admin)).status, 500)
})

t.test('unknown states are shown as far as they are few and no personal data', async (t) => {
  const db = await openWorld(t, 'sqlite')
  for (const [status, told] of [
    ["nullif(status, 'reserved')", /^warning data: assessments\.status is also null, and/],
    ['user_id', /^warning data: assessments\.status is also ("\d+", ){7}"\d+", and pages with/],
    // Before a known state.
    ["case when user_id > 8 then 'pending' else user_id end", /^warning data: assessments\.status is also "/],
    ["'Completed'", /^warning data: assessments\.status is also "Completed", and/],
    ["'jane@example.org'", /^error data: assessments\.status is "…", and/],
    ["'Jane Doe'", /^error data: assessments\.status is "…", and/]
  ] as const) {
    await finds(t, db, [told], computed(db, 'assessments', 'status', status), ofIndexes)
  }
})

t.test('the oldest record is read, and what is wrong with many records is told once', async (t) => {
  const db = await openWorld(t, 'sqlite')
  // The guest has the oldest payment.
  for (const [ids, told] of [
    ['= 99', unread('1 of 31 payments', isNull(99))],
    ['in (99, 30)', unread('2 of 31 payments', isNull(30))],
    ['> 0', unread('31 of 31 payments', isNull(30), 'error')]
  ] as const) {
    const quantity = `case when payment_id ${ids} then null else quantity end`
    await finds(t, db, [told], computed(db, 'payments', 'quantity', quantity), ofIndexes)
  }
})

t.test('numbers in the place of a time get an advice', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const other = 'payments.paid_at of payment_id 30 is not a date and time'
  await finds(
    t,
    db,
    [unread('31 of 31 payments', other, 'error')],
    computed(db, 'payments', 'paid_at', '20240301093000')
  )
  await execute(db, 'update payments set created_at = 1709285400123 + payment_id')
  const problem = 'payments.created_at of payment_id 99 is not a date and time, but looks like a time since 1970'
  await finds(t, db, [unread('31 of 31 payments', `${problem}: convert it in the select`, 'error')])
  await t.rejects(serve(t, { db, checkOnReady: 'error' }), { code: 'FST_LISTING_DATABASE_MISFIT' })
  const converted = computed(db, 'payments', 'created_at', "datetime(created_at / 1000, 'unixepoch')")
  await finds(t, db, [], converted, ofIndexes)
})

t.test('a time that only sorts the list is read, too, and a time of the users is told under their name', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await execute(db, 'alter table users add column joined_at text', "update users set joined_at = 'soon'")
  const lists = [
    payments.extend({
      joined: { users: { joined_at: column.utcTime() } },
      fields: { joined: { column: 'users.joined_at', examples: ['2024-03-01T09:30:00Z'] } }
    })
  ] as const
  const [{ text = '' } = {}] = await checkDatabase({ db, lists })
  t.match(text, /For example: Column users\.joined_at of payment_id \d+ is not a date and time\.$/)
  await execute(db, 'update assessments set created_at = 1709285400')
  await finds(t, db, [/Column assessments\.created_at of assessment_id/])
})

t.test('an error of the database’s own is told without its values', async (t) => {
  for (const [name, failing] of [
    ['postgres', "('secret' || user_id)::int"],
    ['mysql', '(select owner_id from links)'],
    // Errors of SQLite have no code.
    ['sqlite', "json('{')"]
  ] as const) {
    const db = await openWorld(t, name)
    const tables = computed(db, 'assessments', 'status', `case when user_id = 1 then ${failing} end`)
    t.match(await findings(db, tables), [
      /^warning data: Some assessments cannot be read( \(error (22P02|ER_SUBQUERY_NO_1_ROW)\))?, and pages with such/
    ])
  }
})

t.test('dates are read whatever the session of PostgreSQL writes, and padded states without padding', async (t) => {
  const db = openPostgres(t, await postgresPool(t, { options: '-c DateStyle=German -c TimeZone=Asia/Tokyo' }))
  await fill(db)
  for (const change of ['date_assignment type timestamptz', 'status type char(20)']) {
    await execute(db, `alter table assessments alter ${change}`)
    await finds(t, db, [])
  }
})

t.test('ids that differ from one look to the next are an error', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(db, "insert into payments values (1, 1, 1, 1, 'pi', null, '', '', '', '2024-01-01')")
  t.match(await findings(db, computed(db, 'payments', 'payment_id', 'gen_random_uuid()')), [
    /^error data: 2 of 2 payments .* For example: payments\.payment_id has another value each time it is read, even within one statement\.$/
  ])
})

/** Goods with columns that no item shows: only parameters read them. */
const comparedColumns = {
  owner: column.id(),
  sold_on: column.date(),
  sold: column.boolean({ whenNull: 'null' }),
  seen_at: column.wallTime({ whenNull: 'error' }),
  added_at: column.wallTime({ whenNull: 'error' })
}
const comparing = {
  filters: {
    sold_on: { column: 'sold_on', range: true },
    sold: { examples: [true] },
    price: { column: 'price', range: true }
  },
  sort: ['seen_at'],
  unshown: ['sold_on', 'sold', 'price', 'seen_at']
} as const
const id = column.id({ examples: ['1'] })
const compared = defineList({
  ...goods,
  ...comparing,
  fields: { id },
  columns: { ...comparedColumns, price: column.decimal({ whenNull: 'null' }) }
})
const shown = defineList({
  ...goods,
  ...comparing,
  fields: { id, price: column.decimal({ whenNull: 'null', examples: [12.5] }) },
  columns: comparedColumns
})

for (const name of databases) {
  t.test(`what only a filter, a range or a sort reads on ${name} is checked`, async (t) => {
    const db = await openDatabase(t, name)
    const at = dateTime(name)
    const fitting = { sold_on: 'date', sold: 'integer', price: 'decimal(9, 2)', seen_at: at }
    const text = 'varchar(30)'
    const told = async (
      types: Partial<typeof fitting> | object,
      cells: object,
      lists: readonly [typeof compared | typeof shown] = [compared]
    ) => {
      const columns = { id: 'integer', owner: 'integer', ...fitting, ...types, added_at: at }
      await execute(
        db,
        'drop table if exists goods',
        `create table goods (${Object.entries(columns).map((column) => column.join(' '))})`
      )
      const row = { owner: 1, sold_on: '2026-01-05', sold: 1, price: '12.50', seen_at: '2026-01-09 08:00:00' }
      for (const id of [1, 2]) {
        const added_at = `2026-01-0${id} 00:00:00`
        await db
          .insertInto('goods')
          .values({ id, ...row, ...cells, added_at })
          .execute()
      }
      const found = await checkDatabase({ db, lists })
      return found.filter(({ remedy }) => remedy === 'data').map(({ level, text }) => `${level}: ${text}`)
    }
    const misses = (column: string, problem: RegExp) => [
      new RegExp(
        `^error: 2 of 2 goods among the newest and the oldest records cannot be compared, and parameters miss them or fail\\. For example: Column goods\\.${column} of id \\d ${problem.source}`
      )
    ]
    t.strictSame(await told({}, {}), [], 'what fits')
    t.strictSame(await told({}, { sold_on: null, sold: null, price: null }), [], 'nulls that only a filter reads')
    t.strictSame(await told({ sold_on: text }, { sold_on: '' }), [], 'empty texts, which are no date (contract 121)')
    for (const [what, types, cells, expected] of [
      ['a null that sorts', {}, { seen_at: null }, misses('seen_at', /is null/)],
      [
        'a date with a time',
        { sold_on: at },
        { sold_on: '2026-01-05 10:00:00' },
        misses('sold_on', /is "2026-01-05.10:00:00/)
      ],
      ['a word for a yes', { sold: text }, { sold: 'yes' }, misses('sold', /is "yes", which /)],
      ['a comma', { price: text }, { price: '12,5' }, misses('price', /is "12,5", which /)],
      [
        'another form of a date',
        { seen_at: text },
        { seen_at: '9.1.2026' },
        misses('seen_at', /is "9\.1\.2026", which /)
      ],
      ['a person in the place of a number', { price: text }, { price: 'Jane Doe' }, misses('price', /is "…", which /)]
    ] as const) {
      areAll(t, await told(types, cells), expected, what)
    }
    const [first = '', ...others] = await told({ price: text }, { price: '12,5' }, [shown])
    t.match(first, /cannot be shown, and pages with them fail\. For example: Column goods\.price of id \d/)
    t.strictSame(others, [], 'a column that items show is told once')
  })
}

t.test('a value that a collation of MariaDB equates with an allowed one is told with its spelling', async (t) => {
  const db = await openWorld(t, 'mysql')
  for (const collation of ['utf8mb4_general_ci', 'utf8mb4_unicode_ci', 'utf8mb4_bin']) {
    await execute(
      db,
      `alter table assessments modify status varchar(50) collate ${collation}`,
      "update assessments set status = 'Completed' where assessment_id = 4"
    )
    const found = (await findings(db)).filter((text) => text.includes(' data: '))
    t.match(
      found,
      [/^warning data: assessments\.status is also "Completed", and pages with such records fail/],
      collation
    )
    t.equal(found.length, 1)
  }
})

t.test('values that take too long to read are not checked, and nothing is wrong with them', async (t) => {
  const before = ({ sql }: CompiledQuery) => {
    if (sql.includes('select distinct')) throw Object.assign(new Error('slow'), { errno: 3024 })
  }
  const db = await openWorld(t, 'sqlite', { before })
  const texts = textsOf(await checkDatabase({ db }))
  areAll(t, texts, [/ Not checked, because it took longer than 0\.3 s: the values of assessments\.status/])
})
