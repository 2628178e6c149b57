import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import t, { type Test } from 'tap'
import { sampleName, samples } from '../../src/database/cells.js'
import { checkDatabase, type ListingTables } from '../../src/index.js'
import { execute, findings } from '../support/check.js'
import { columnsOf } from '../support/columns.js'
import { type DatabaseName, type Db, dateTime } from '../support/databases.js'
import { openTables } from '../support/tables.js'

t.test('missing columns are named, also behind a renaming select', async (t) => {
  const db = await openTables(t, 'sqlite')
  await execute(db, 'create table members (id integer primary key, given varchar(20))')
  const columns = ['m.id as user_id', 'given as first_name', 'family as last_name', 'm.mail as email']
  const users = db.selectFrom('members as m').select([...columns, 'm.id as avatar_url'])
  t.match(await findings(db, { users: users as never }), [
    'error tables: users lacks members.family (for last_name), members.mail (for email).'
  ])
})

t.test('all columns that a select leaves out are named, with a similar name that it has', async (t) => {
  const db = await openTables(t, 'sqlite')
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

t.test('where the check does not know which column is missing, the database says so', async (t) => {
  const db = await openTables(t, 'sqlite')
  const all = db.selectFrom(db.selectFrom('memberships').selectAll().as('m')).selectAll() as never
  const ofOne = db.selectFrom(['links', 'memberships']).selectAll('memberships') as never
  const computed = sql<number>`n + 1`.as('owner_id')
  const ofSubquery = db.selectFrom(db.selectFrom('t').select('n').as('x')).select([computed, 'x.n as user_id'])
  t.match(await findings(db, { links: all, memberships: 'crm.teams' }), [
    /^error tables: memberships needs the columns user_id, org_name, and cannot be read; the database says: .*crm/,
    /^error tables: links needs the columns owner_id, user_id, and cannot be read; the database says: .*owner_id/
  ])
  t.strictSame(await findings(db, { links: ofOne }), ['error tables: links lacks memberships.owner_id.'])
  t.match(await findings(db, { links: ofSubquery as never }), [/links needs .* no such table: t$/])
})

t.test('camel case in the host’s Kysely, snake case in its tables', async (t) => {
  const db = (await openTables(t, 'sqlite')).withPlugin(new CamelCasePlugin())
  t.strictSame(await checkDatabase({ db }), [])
  const columns = ['userId as user_id', 'firstName as first_name', 'nickName as last_name', 'email']
  const users = db.selectFrom('users').select([...columns, 'avatarUrl as avatar_url'])
  t.strictSame(await findings(db, { users: users as never }), [
    'error tables: users lacks users.nick_name (for last_name).'
  ])
})

for (const name of ['mysql', 'postgres'] as const) {
  t.test(`numbers of ${name} are no dates, and bytes and fractions no ids`, async (t) => {
    const db = await openTables(t, name)
    const bytes = { mysql: 'binary(16)', postgres: 'bytea' }[name]
    await execute(
      db,
      `create table tests (assessment_id ${bytes}, licence text, assessment_type text, user_id bigint, practitioner_id bigint,
        status varchar(20), assigned bigint, concluded double precision, created_at ${dateTime(name)})`
    )
    const renamed: Record<string, string> = { date_assignment: 'assigned', date_conclusion: 'concluded' }
    const columns = columnsOf.assessments.map((column) => `${renamed[column] ?? column} as ${column}`)
    const assessments = db.selectFrom('tests').select(columns) as never
    const [binary, double, fromBytes, fromNumber] = {
      mysql: ['binary', 'double', 'lower(hex(…))', 'from_unixtime(…), or for milliseconds from_unixtime(… / 1000)'],
      postgres: [
        'bytea',
        'double precision',
        "encode(…, 'hex')",
        'to_timestamp(…), or for milliseconds to_timestamp(… / 1000.0)'
      ]
    }[name]
    t.strictSame(
      (await findings(db, { assessments })).filter((text) => !text.includes('create index')),
      [
        `error tables: assessments.assessment_id (tests.assessment_id) is of the type ${binary}: use ${fromBytes}.`,
        `error tables: assessments.date_assignment (tests.assigned) is of the type bigint: use ${fromNumber}.`,
        `error tables: assessments.date_conclusion (tests.concluded) is of the type ${double}: use ${fromNumber}.`
      ]
    )
  })

  t.test(`ids that ${name} compares are of one type`, async (t) => {
    const db = await openTables(t, name)
    await execute(db, 'drop table links', 'create table links (owner_id varchar(20) primary key, user_id varchar(20))')
    const level = name === 'mysql' ? 'warning' : 'error'
    t.match(await findings(db), [
      new RegExp(
        `^${level} tables: Ids .* These are numbers in assessments\\.user_id, assessments\\.practitioner_id, payments\\.user_id, users\\.user_id, memberships\\.user_id; text( \\w+)? in links\\.user_id\\.$`
      )
    ])
    await execute(db, 'drop table links', 'create table links (owner_id varchar(20) primary key, user_id bigint)')
    t.strictSame(await findings(db), [], 'the id of an owner is compared only with the caller')
  })
}

t.test('practitioners may have ids of their own', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(
    db,
    'create table coaches (practitioner_id varchar(20) primary key, first_name text, last_name text)',
    `create table tests (assessment_id varchar(20) primary key, licence text, assessment_type text, user_id bigint, practitioner_id varchar(20),
      status varchar(20), date_assignment timestamp, date_conclusion timestamp, created_at timestamp)`
  )
  const wrong = async (tables: ListingTables) =>
    (await findings(db, tables)).filter((text) => !text.includes('create index'))
  t.strictSame(await wrong({ assessments: 'tests', practitioners: 'coaches' }), [])
  const found = await wrong({ assessments: 'tests' })
  t.equal(found.length, 1)
  t.match(found, [
    /These are numbers in assessments\.user_id \(tests\.user_id\), .*; text in assessments\.practitioner_id \(tests\.practitioner_id\)\.$/
  ])
})

t.test('whatever a driver throws is shown', async (t) => {
  const prepare = (statement: string) => {
    if (statement.includes('where 1 = 0')) throw 'odd'
    const row = Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample]))
    return { reader: true, all: () => (statement.includes('pragma') ? [] : [row]) }
  }
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => undefined } as never }) })
  t.match(await findings(db), Array(5).fill(/needs the columns .*; the database says: odd$/))
})

/** The findings in the default tables after these statements. */
async function foundAfter(t: Test, name: DatabaseName, ...statements: string[]): Promise<string[]> {
  const db = await openTables(t, name)
  await execute(db, ...statements)
  return findings(db)
}

t.test('types of PostgreSQL: money is no number, and UUIDs are ids', async (t) => {
  const found = await foundAfter(
    t,
    'postgres',
    'alter table payments alter amount type money',
    'alter table assessments alter licence type char(9), alter user_id type char(9)',
    'alter table users drop user_id, add user_id uuid primary key'
  )
  t.match(found, [
    'error tables: payments.amount is of the type money: use numeric.',
    /^error tables: Ids .* text in assessments\.user_id; numbers in .*; uuid in users\.user_id\.$/
  ])
})

t.test('a real of PostgreSQL has six digits', async (t) => {
  const found = await foundAfter(t, 'postgres', 'alter table payments alter amount type real')
  t.strictSame(found, [
    'warning tables: payments.amount is of the type real: use numeric, because real has six digits.'
  ])
})

t.test('a domain of PostgreSQL is what the domain is made of', async (t) => {
  const found = await foundAfter(
    t,
    'postgres',
    'create domain realm_id as bigint',
    'create domain integration as varchar(100)',
    'alter table memberships alter user_id type realm_id',
    'alter table assessments alter licence type integration'
  )
  t.strictSame(found, [])
})

t.test(
  'types of MySQL: ZEROFILL is padded, FLOAT has six digits, and a long BINARY holds a UUID as text',
  async (t) => {
    const db = await openTables(t, 'mysql')
    await execute(db, 'alter table users modify user_id int(5) zerofill', 'alter table payments modify amount float')
    t.strictSame(await findings(db), [
      'warning tables: payments.amount is of the type float: use DECIMAL, because FLOAT has six digits.',
      'error tables: users.user_id is of the type int zerofill: use a number without ZEROFILL.'
    ])
    await execute(db, 'alter table users modify user_id binary(36)', 'alter table payments modify amount double')
    t.match(await findings(db), [/^warning tables: Ids of different types .* text in users.user_id\.$/])
  }
)

t.test('the declared types of SQLite mean nothing', async (t) => {
  const found = await foundAfter(
    t,
    'sqlite',
    'alter table payments rename column payment_id to old_id',
    'alter table payments add column payment_id character',
    'drop table links',
    'create table links (owner_id uuid, user_id uuid, primary key (owner_id, user_id))'
  )
  t.match(found, [/^warning indexes: create index "payments_payment_id"/])
  t.equal(found.length, 1)
})

t.test('ids of practitioners who are no users are compared with each other', async (t) => {
  const db = await openTables(t, 'mysql')
  await execute(
    db,
    'create table staff (practitioner_id varchar(20) primary key, first_name varchar(50), last_name varchar(50)) collate utf8mb4_general_ci'
  )
  t.strictSame(await findings(db, { practitioners: 'staff' }), [
    'warning tables: Ids of different types or collations use no index. These are numbers in assessments.practitioner_id; text utf8mb4_general_ci in practitioners.practitioner_id (staff.practitioner_id).'
  ])
})

t.test('PostgreSQL looks at the type of a domain', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(db, 'create domain price as money', 'alter table payments alter amount type price using amount::money')
  t.match(await findings(db), ['error tables: payments.amount is of the type money: use numeric.'])
})
