import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import t from 'tap'
import { moreSamples, sampleName } from '../../src/database/driver-samples.js'
import { checkDatabase } from '../../src/index.js'
import { execute, findings } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import { type Db, databases, dateTime, openDatabase } from '../support/databases.js'
import { openTables } from '../support/tables.js'

for (const name of databases) {
  t.test(`columns on ${name}`, async (t) => {
    t.test('missing ones are named, also behind a renaming select', async (t) => {
      const db = await openTables(t, name)
      await execute(db, 'create table members (id integer primary key, given varchar(20))')
      const columns = ['m.id as user_id', 'given as first_name', 'family as last_name', 'm.mail as email']
      const users = db.selectFrom('members as m').select([...columns, 'm.id as avatar_url'])
      t.match(await findings(db, { users: users as never }), [
        'error tables: users lacks members.family (for last_name), members.mail (for email).'
      ])
    })

    t.test('where it is not known which one is missing, the database says so', async (t) => {
      const db = await openTables(t, name)
      const all = db.selectFrom(['links', 'memberships']).selectAll('memberships') as never
      t.match(await findings(db, { links: all, memberships: 'crm.teams' }), [
        /^error tables: memberships needs the columns user_id, org_name, and cannot be read; the database says: .*crm/,
        /^error tables: links needs the columns owner_id, user_id, and cannot be read; the database says: .*owner_id/
      ])
    })

    t.test('all columns that a select leaves out are named, with a similar name that it has', async (t) => {
      const db = await openTables(t, name)
      const users = db
        .selectFrom('users')
        .select(['user_id', 'first_name as firstname', 'avatar_ulr as avatar_url']) as never
      const links = db.selectFrom('links').select('user_id') as never
      t.strictSame(await findings(db, { users, links }), [
        "error tables: users lacks first_name in its select (did you mean 'firstname'?), last_name in its select, email in its select, users.avatar_ulr (for avatar_url) (did you mean 'avatar_url'?).",
        'error tables: links lacks owner_id in its select.'
      ])
      t.match(await findings(db, { links: db.selectFrom('links') as never }), [
        / links lacks owner_id in its select, user_id in its select\.$/
      ])
    })

    t.test('camel case in the host’s Kysely, snake case in its tables', async (t) => {
      const db = (await openTables(t, name)).withPlugin(new CamelCasePlugin())
      t.strictSame(await checkDatabase({ db }), [])
      const columns = ['userId as user_id', 'firstName as first_name', 'nickName as last_name', 'email']
      const users = db.selectFrom('users').select([...columns, 'avatarUrl as avatar_url'])
      t.strictSame(await findings(db, { users: users as never }), [
        'error tables: users lacks users.nick_name (for last_name).'
      ])
    })

    t.test('numbers are no dates, and bytes and fractions no ids', async (t) => {
      const db = await openTables(t, name)
      const bytes = { mysql: 'binary(16)', postgres: 'bytea', sqlite: 'blob' }[name]
      await execute(
        db,
        `create table tests (assessment_id ${bytes}, licence text, assessment_type text, user_id bigint, practitioner_id bigint,
          status varchar(20), assigned bigint, concluded double precision, created_at ${dateTime(name)})`
      )
      const renamed: Record<string, string> = { date_assignment: 'assigned', date_conclusion: 'concluded' }
      const columns = columnsOf.assessments.map((column) => `${renamed[column] ?? column} as ${column}`)
      const assessments = db.selectFrom('tests').select(columns) as never
      const [binary, bigint, double, fromBytes, fromNumber] = {
        mysql: ['binary', 'bigint', 'double', 'lower(hex(…))', 'from_unixtime(…)'],
        postgres: ['bytea', 'bigint', 'double precision', "encode(…, 'hex')", 'to_timestamp(…)'],
        sqlite: ['blob', 'bigint', 'double precision', 'lower(hex(…))', "datetime(…, 'unixepoch')"]
      }[name]
      t.strictSame(
        (await findings(db, { assessments })).filter((text) => !text.includes('create index')),
        [
          `error tables: assessments.assessment_id (tests.assessment_id) is of the type ${binary}: use ${fromBytes}.`,
          `error tables: assessments.date_assignment (tests.assigned) is of the type ${bigint}: use ${fromNumber}.`,
          `error tables: assessments.date_conclusion (tests.concluded) is of the type ${double}: use ${fromNumber}.`
        ]
      )
    })

    t.test('ids that are compared are of one type', async (t) => {
      const db = await openTables(t, name)
      await execute(
        db,
        'drop table links',
        'create table links (owner_id varchar(20) primary key, user_id varchar(20))'
      )
      const level = name === 'mysql' ? 'warning' : 'error'
      t.match(await findings(db), [
        new RegExp(
          `^${level} tables: Ids .* These are numbers in assessments\\.user_id, assessments\\.practitioner_id, payments\\.user_id, users\\.user_id, memberships\\.user_id; text in links\\.user_id\\.$`
        )
      ])
      await execute(db, 'drop table links', 'create table links (owner_id varchar(20) primary key, user_id bigint)')
      t.strictSame(await findings(db), [], 'an owner’s id is compared with nothing but the caller’s')
    })

    t.test('practitioners may have ids of their own', async (t) => {
      const db = await openTables(t, name)
      await execute(
        db,
        'create table coaches (practitioner_id varchar(20) primary key, first_name text, last_name text)',
        `create table tests (assessment_id varchar(20) primary key, licence text, assessment_type text, user_id bigint, practitioner_id varchar(20),
          status varchar(20), date_assignment ${dateTime(name)}, date_conclusion ${dateTime(name)}, created_at ${dateTime(name)})`
      )
      const tables = { assessments: 'tests', practitioners: 'coaches' }
      t.match(await findings(db, tables), Array(3).fill(/^warning indexes: create index .* on .tests/))
      t.match(await findings(db, { assessments: 'tests' }), [
        /These are numbers in assessments\.user_id \(tests\.user_id\), .*; text in assessments\.practitioner_id \(tests\.practitioner_id\)\.$/,
        /create index/,
        /create index/,
        /create index/
      ])
    })
  })
}

t.test('money of PostgreSQL is no number, UUIDs are ids', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(
    db,
    'alter table payments alter amount type money',
    'create table people (user_id uuid primary key, first_name text, last_name text, email text, avatar_url text)'
  )
  t.match(await findings(db, { users: 'people' }), [
    'error tables: payments.amount is of the type money: use numeric.',
    /^error tables: Ids .* numbers in .*; uuid in users\.user_id \(people\.user_id\)\.$/
  ])
})

t.test('whatever a driver throws is shown', async (t) => {
  const prepare = (statement: string) => {
    if (statement.includes('where 1 = 0')) throw 'odd'
    const row = Object.fromEntries(moreSamples.map((sample, place) => [sampleName(place), sample]))
    return { reader: true, all: () => (statement.includes('pragma') ? [] : [row]) }
  }
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => undefined } as never }) })
  t.match(await findings(db), Array(5).fill(/needs the columns .*; the database says: odd$/))
})

t.test('the check selects the columns of a table that the catalog does not know', async (t) => {
  const db = await openDatabase(t, 'sqlite')
  await execute(db, 'create table t (n integer)')
  const link = db
    .selectFrom(db.selectFrom('t').select('n').as('x'))
    .select([sql<number>`n + 1`.as('owner_id'), 'x.n as user_id'])
  t.match(await findings(await openTables(t, 'sqlite'), { links: link as never }), [/links needs .* no such table: t$/])
})

t.test('ids of the type CHARACTER, which SQLite does not pad', async (t) => {
  const db = await openTables(t, 'sqlite')
  await execute(
    db,
    'create table orders as select * from payments',
    'alter table orders drop column payment_id',
    'alter table orders add column payment_id character'
  )
  t.strictSame(
    (await findings(db, { payments: 'orders' })).filter((text) => text.startsWith('error')),
    []
  )
})

t.test('ids that are padded, and amounts in a FLOAT', async (t) => {
  const mysql = await openTables(t, 'mysql')
  await execute(mysql, 'alter table users modify user_id int(5) zerofill', 'alter table payments modify amount float')
  t.strictSame(await findings(mysql), [
    'error tables: payments.amount is of the type float: use DECIMAL, because FLOAT has six digits.',
    'error tables: users.user_id is of the type int zerofill: use a number without ZEROFILL.'
  ])
  await execute(mysql, 'alter table users modify user_id binary(36)', 'alter table payments modify amount double')
  t.match(await findings(mysql), [/^warning tables: Ids of different types .* text in users.user_id\.$/])

  const postgres = await openTables(t, 'postgres')
  await execute(
    postgres,
    'alter table assessments alter column licence type char(9), alter column user_id type char(9)'
  )
  t.match(await findings(postgres), [
    'error tables: assessments.user_id is of the type character: use varchar, because character is padded.',
    /^error tables: Ids that are compared must have the same type\./
  ])
})

t.test('a domain is what it is made of, and SQLite takes what it is given', async (t) => {
  const postgres = await openTables(t, 'postgres')
  await execute(postgres, 'create domain realm_id as bigint', 'create domain integration as varchar(100)')
  await execute(postgres, 'alter table memberships alter column user_id type realm_id')
  await execute(postgres, 'alter table assessments alter column licence type integration')
  t.strictSame(await findings(postgres), [])

  const sqlite = await openTables(t, 'sqlite')
  await execute(
    sqlite,
    'drop table links',
    'create table links (owner_id uuid, user_id uuid, primary key (owner_id, user_id))'
  )
  t.strictSame(await findings(sqlite), [])
})
