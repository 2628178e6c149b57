import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import t from 'tap'
import { sampleName, samples } from '../../src/database/cells.js'
import { checkDatabase, defineList, type List } from '../../src/index.js'
import { createShifts, shifts } from '../support/fixtures/shifts.js'
import { byAfter, byNumber, definition, openTasks } from '../support/fixtures/tasks.js'
import { errorsIn, execute, finds, findsAfter } from '../support/oracle/check.js'
import { type Db, onServers, openDatabase } from '../support/servers/databases.js'
import { openTables } from '../support/servers/tables.js'

const sixDigits = 'has six digits, and a range may miss the record that shows the value of its end'

t.test('missing columns are named, with a similar name, or else the database says what it misses', async (t) => {
  const db = await openTables(t, 'sqlite')
  await execute(db, 'create table members (id integer primary key, given varchar(20))')
  const renamed = ['m.id as user_id', 'given as first_name', 'family as last_name', 'm.mail as email']
  const all = db.selectFrom(db.selectFrom('memberships').selectAll().as('m')).selectAll()
  const computed = db
    .selectFrom(db.selectFrom('t').select('n').as('x'))
    .select([sql<number>`n + 1`.as('owner_id'), 'x.n as user_id'])
  const users = db.selectFrom('members as m').select([...renamed, 'm.id as avatar_url'])
  await finds(t, db, [/users lacks members\.family \(for last_name\), members\.mail \(for email\)\.$/], { users })
  const links = db.selectFrom('links').select('user_id')
  const short = db.selectFrom('users').select(['user_id', 'first_name as firstname', 'avatar_ulr as avatar_url'])
  await finds(
    t,
    db,
    [
      "error tables: users lacks first_name in its select (did you mean 'firstname'?), last_name in its select, email in its select, users.avatar_ulr (for avatar_url) (did you mean 'avatar_url'?).",
      'error tables: links lacks owner_id in its select.'
    ],
    { users: short, links }
  )
  const none = /links lacks owner_id in its select, user_id in its select\.$/
  await finds(t, db, [none], { links: db.selectFrom('links') })
  const says = (table: string, columns: string, text: string) =>
    new RegExp(`^error tables: ${table} needs the columns ${columns}, and cannot be read; the database says: .*${text}`)
  const unknown = [says('memberships', 'user_id, org_name', 'crm'), says('links', 'owner_id, user_id', 'owner_id')]
  await finds(t, db, unknown, { links: all, memberships: 'crm.teams' }, /^info/)
  const ofOne = db.selectFrom(['links', 'memberships']).selectAll('memberships')
  await finds(t, db, ['error tables: links lacks memberships.owner_id.'], { links: ofOne })
  await finds(t, db, [says('links', 'owner_id, user_id', 'no such table: t$')], { links: computed }, /^info/)
})

t.test('camel case in the host’s Kysely, snake case in its tables', async (t) => {
  const db = (await openTables(t, 'sqlite')).withPlugin(new CamelCasePlugin())
  await finds(t, db, [])
  const columns = ['userId as user_id', 'firstName as first_name', 'nickName as last_name', 'email']
  const users = db.selectFrom('users').select([...columns, 'avatarUrl as avatar_url'])
  await finds(t, db, ['error tables: users lacks users.nick_name (for last_name).'], { users })
})

t.test('whatever a driver throws is shown', async (t) => {
  const prepare = (statement: string) => {
    if (statement.includes('where 1 = 0')) throw 'odd'
    const row = Object.fromEntries(samples.map((sample, place) => [sampleName(place), sample]))
    return { reader: true, all: () => (statement.includes('pragma') ? [] : [row]) }
  }
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => undefined } as never }) })
  await finds(t, db, Array(5).fill(/needs the columns .*; the database says: odd$/))
})

const isOf = (path: string, type: string, remedy: string, level = 'error') =>
  `${level} tables: ${path} is of the type ${type}: use ${remedy}.`
const fromMysql = 'from_unixtime(…), or for milliseconds from_unixtime(… / 1000)'
const fromPostgres = 'to_timestamp(…), or for milliseconds to_timestamp(… / 1000.0)'

for (const [name, level] of [
  ['mysql', 'warning'],
  ['postgres', 'error']
] as const) {
  const numbers =
    'assessments.user_id, assessments.practitioner_id, payments.user_id, users.user_id, memberships.user_id'
  const mixed = `^${level} tables: Ids .* These are numbers in ${numbers}; text( \\w+)? in links.user_id.$`
  const links = (type: string) =>
    `drop table links; create table links (owner_id varchar(20) primary key, user_id ${type})`
  findsAfter(t, {
    [`ids that ${name} compares are of one type`]: [name, links('varchar(20)'), new RegExp(mixed)],
    [`${name} compares the id of an owner only with the caller`]: [name, links('bigint')]
  })
}

findsAfter(t, {
  'numbers of MySQL are no dates, and bytes and padded numbers no ids': [
    'mysql',
    `alter table assessments modify assessment_id binary(16), modify date_assignment bigint, modify date_conclusion double;
     alter table users modify user_id int(5) zerofill`,
    isOf('assessments.assessment_id', 'binary', 'lower(hex(…))'),
    isOf('assessments.date_assignment', 'bigint', fromMysql),
    isOf('assessments.date_conclusion', 'double', fromMysql),
    isOf('users.user_id', 'int zerofill', 'a number without ZEROFILL')
  ],
  'numbers of PostgreSQL are no dates, and bytes no ids': [
    'postgres',
    `alter table assessments alter assessment_id drop identity;
     alter table assessments alter assessment_id type bytea using '', alter date_assignment type bigint using 0,
       alter date_conclusion type float using 0`,
    isOf('assessments.assessment_id', 'bytea', "encode(…, 'hex')"),
    isOf('assessments.date_assignment', 'bigint', fromPostgres),
    isOf('assessments.date_conclusion', 'double precision', fromPostgres)
  ],
  'a real of PostgreSQL has six digits': [
    'postgres',
    'alter table payments alter amount type real',
    isOf('payments.amount', 'real', `numeric, because real ${sixDigits}`, 'warning')
  ],
  'money of PostgreSQL is no number, UUIDs are ids, and a domain is what it is made of': [
    'postgres',
    `create domain realm_id as bigint; create domain price as money;
     alter table memberships alter user_id type realm_id;
     alter table payments alter amount type price using amount::money;
     alter table assessments alter licence type char(9), alter user_id type char(9);
     alter table users drop user_id, add user_id uuid primary key`,
    isOf('payments.amount', 'money', 'numeric'),
    /^error tables: Ids .* text in assessments\.user_id; numbers in .*, memberships\.user_id, .*; uuid in users\.user_id\.$/
  ],
  'a FLOAT of MySQL has six digits, and a long BINARY holds a UUID as text': [
    'mysql',
    'alter table users modify user_id binary(36); alter table payments modify amount float',
    isOf('payments.amount', 'float', `DECIMAL, because FLOAT ${sixDigits}`, 'warning'),
    /^warning tables: Ids of different types .* text in users.user_id\.$/
  ],
  'the declared types of SQLite mean nothing': [
    'sqlite',
    `alter table payments rename column payment_id to old_id; alter table payments add column payment_id character;
     drop table links; create table links (owner_id uuid, user_id uuid, primary key (owner_id, user_id))`,
    /^warning indexes: create index "payments_payment_id"/
  ],
  'practitioners who are users have ids of users': [
    'postgres',
    'alter table assessments alter practitioner_id type varchar(9)',
    /These are numbers in assessments\.user_id, .*; text in assessments\.practitioner_id\.$/
  ]
})

t.test('pages after a record are sorted by no FLOAT and by no ENUM of MySQL, and numbered pages may be', async (t) => {
  const { db } = await openTasks(t, 'mysql')
  await execute(db, 'alter table tasks modify weight float, modify size float')
  await execute(db, "alter table tasks modify title enum('b', 'a'), modify state enum('paid', 'open', 'void', 'lost')")
  const errorsOf = async (list: unknown) => errorsIn(await checkDatabase({ db: db as never, lists: [list as List] }))
  const double =
    'DOUBLE or DECIMAL, because no text of a FLOAT equals it, so pages after a record and `each` would lose some'
  const text =
    'another column, because an ENUM is sorted by its place, and compared by its text, so pages after a record and `each` would lose some'
  const told = (column: string, type: string, use: string) => `tasks.${column} is of the type ${type}: use ${use}.`
  const [title = '', weight, size, ...others] = await errorsOf(byAfter)
  t.match(title, /^tasks\.title is of the type enum utf8mb4_\w+: use another column,/)
  t.ok(title.endsWith(`: use ${text}.`))
  t.strictSame([weight, size], [told('weight', 'float', double), told('size', 'float', double)])
  t.strictSame(others, [], 'the state sorts nothing')
  t.strictSame(await errorsOf(byNumber), [])
  const numbered = await checkDatabase({ db: db as never, lists: [byNumber as never] })
  const warned = numbered.filter(({ text }) => text.includes('and `each` would lose some'))
  t.strictSame(
    warned.map(({ level }) => level),
    ['warning', 'warning', 'warning'],
    'only `each` needs another column'
  )
  t.strictSame(await errorsOf(defineList({ ...definition, paging: 'after', sort: ['day'] })), [])
})

t.test('practitioners may have ids of their own, which are compared with each other', async (t) => {
  const db = await openTables(t, 'mysql')
  const id = 'practitioner_id varchar(9) collate utf8mb4_bin primary key'
  await execute(db, `create table staff (${id}, first_name text, last_name text)`)
  const [one, other] = ['assessments.practitioner_id', 'practitioners.practitioner_id (staff.practitioner_id)']
  const told = `warning tables: Ids of different types or collations use no index. These are numbers in ${one}; text utf8mb4_bin in ${other}.`
  await finds(t, db, [told], { practitioners: 'staff' })
})

onServers(t, 'the ids of a table of links have the type of the ids that they reach', async (t, name) => {
  const check = async (linkedId: string) => {
    const db = await openDatabase(t, name)
    await createShifts(db, name, linkedId)
    await execute(db, 'create table links (owner_id bigint, user_id varchar(9))')
    const openapi = { ...shifts.definition.openapi, operationId: 'listVisits' }
    const roles = { ...shifts.definition.roles, Agent: { linked: 'doctor_id' } } as const
    const visits = defineList({ ...shifts.definition, name: 'visits', path: '/visit/list', openapi, roles } as never)
    const found = await checkDatabase({
      db: db as never,
      lists: [shifts, visits],
      tables: { visits: 'shifts' }
    } as never)
    return found.map(({ text }) => text).join('\n')
  }
  const of = (column: string) => `visits.${column} (shifts.${column})`
  const texts = await check('varchar(9)')
  for (const compared of [
    `numbers in shifts.clinic_id, ${of('clinic_id')}; text.* in clinic_staff.linked_id`,
    `numbers in ${of('doctor_id')}; text.* in links.user_id`
  ]) {
    t.equal(texts.match(new RegExp(compared.replace(/[()]/g, '\\$&'), 'g'))?.length, 1, compared)
  }
  const found = await check('bigint')
  t.notMatch(found, / in clinic_staff/)
  t.match(found, /on .?shifts.? \(.?clinic_id.?, .?began_at.?, .?id.?\)/)
  t.match(found, /on .?clinic_staff.? \(.?owner_id.?, .?linked_id.?\)/)
})
