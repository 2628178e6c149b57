import { readFileSync } from 'node:fs'
import { CompiledQuery } from 'kysely'
import t, { type Test } from 'tap'
import { checkDatabase, column, createListings, type DatabaseFinding, defineList } from '../../src/index.js'
import { columnsOf, type TableName } from '../support/fixtures/columns.js'
import { goods } from '../support/fixtures/goods.js'
import { lessons, lessonTables, openLessons, rows } from '../support/fixtures/lessons.js'
import { profiles } from '../support/fixtures/profiles.js'
import { insert } from '../support/fixtures/world.js'
import { resolveRole } from '../support/hosts/server.js'
import { cases, openCases } from '../support/oracle/cases.js'
import { dropIndex, execute, finds, findsAfter } from '../support/oracle/check.js'
import { type DatabaseName, type Db, dateTime, onDatabases, openDatabase } from '../support/servers/databases.js'
import { computed, openTables } from '../support/servers/tables.js'

/** The longest name of an index that is not cut has 59 characters. This name and its column have 66. */
const coaches = 'coaches_of_the_former_platform_before_the_big_move'

/** A schema as it grew, with no index but keys. */
async function openLegacy(t: Test, name: DatabaseName) {
  const db = await openDatabase(t, name)
  const time = dateTime(name)
  await execute(
    db,
    'create table members (id integer, given varchar(50), family varchar(50), mail varchar(99), photo varchar(99))',
    `create table ${coaches} (practitioner_id integer, first_name varchar(50), last_name varchar(50))`,
    'create table teams (id integer primary key, name varchar(50))',
    'create table team_members (team integer, member integer)',
    'create table coaching (coach integer, member integer)',
    `create table tests (nr varchar(20), code varchar(20), kind varchar(20), member integer, coach integer, state varchar(20), assigned ${time}, done ${time}, added ${time})`,
    `create table orders (id integer primary key, member integer, amount decimal(9, 2), quantity integer, code varchar(50), paid_at ${time}, method varchar(20), state varchar(20), processor varchar(20), added ${time})`
  )
  /** A select of these columns, in the order of the columns of the list. */
  const renamed = (table: string, columns: string, name: TableName) =>
    db.selectFrom(table).select(columns.split(' ').map((column, place) => `${column} as ${columnsOf[name][place]}`))
  const tables = {
    users: renamed('members', 'id given family mail photo', 'users'),
    practitioners: coaches,
    memberships: db
      .selectFrom('team_members as tm')
      .innerJoin('teams', 'teams.id', 'tm.team')
      .select(['tm.member as user_id', 'teams.name as org_name']),
    links: renamed('coaching', 'coach member', 'links'),
    assessments: renamed('tests', 'nr code kind member coach state assigned done added', 'assessments'),
    payments: renamed('orders', 'id member amount quantity code paid_at method state processor added', 'payments')
  }
  return { db, tables }
}

/** The findings about indexes, without quotes. */
const indexesIn = (found: readonly DatabaseFinding[]) =>
  found.filter(({ remedy }) => remedy === 'indexes').map(({ text }) => text.replaceAll(/["`]/g, ''))

onDatabases(t, 'each missing index is a statement that makes the index', async (t, name) => {
  const { db, tables } = await openLegacy(t, name)
  const found = await checkDatabase({ db, tables: tables as never })
  t.strictSame(indexesIn(found), [
    'create index tests_nr on tests (nr);',
    'create index tests_added_nr on tests (added, nr);',
    'create index tests_member_added_nr on tests (member, added, nr);',
    'create index tests_state_added_nr on tests (state, added, nr);',
    'create index orders_added_id on orders (added, id);',
    'create index orders_member_added_id on orders (member, added, id);',
    'create index orders_processor_added_id on orders (processor, added, id);',
    'create index members_id on members (id);',
    `create index coaches_of_the_practitioner_i on ${coaches} (practitioner_id);`,
    'create index team_members_member on team_members (member);',
    'create index coaching_coach_member on coaching (coach, member);'
  ])
  t.ok(found.every(({ level, remedy }) => level === 'warning' && remedy === 'indexes'))
  await execute(db, ...found.map(({ text }) => text))
  await finds(t, db, [], tables)
})

onDatabases(t, 'an index on columns with upper-case names', async (t, name) => {
  const db = await openTables(t, name)
  const columns = columnsOf.payments.map((column) => ({ column, renamed: `ITS_${column.toUpperCase()}` }))
  for (const { column, renamed } of columns)
    await db.schema.alterTable('payments').renameColumn(column, renamed).execute()
  const select = (nameOf: (renamed: string) => string) =>
    db.selectFrom('payments').select(columns.map(({ column, renamed }) => `${nameOf(renamed)} as ${column}`))
  await finds(t, db, [], { payments: select((renamed) => renamed) })
  // To MySQL, MariaDB and SQLite, a name in lower case is the same name.
  if (name !== 'postgres') await finds(t, db, [], { payments: select((renamed) => renamed.toLowerCase()) })
})

onDatabases(t, 'tables of one name in two schemas have indexes of their own', async (t, name) => {
  const db = await openTables(t, name)
  const [one, other] = [`one_${process.pid}`, `other_${process.pid}`]
  for (const schema of [one, other]) {
    await execute(db, name === 'sqlite' ? `attach ':memory:' as ${schema}` : `create schema ${schema}`)
    if (name === 'mysql') t.teardown(() => execute(db, `drop schema ${schema}`))
    const key = schema === one ? 'primary key' : ''
    const names = 'first_name text, last_name text, email text, avatar_url text'
    await execute(db, `create table ${schema}.people (user_id bigint ${key}, practitioner_id bigint, ${names})`)
  }
  const users = db.withSchema(one).selectFrom('people').selectAll()
  const tables = { users, practitioners: `${other}.people` }
  const found = await checkDatabase({ db, tables: tables as never })
  const on =
    name === 'sqlite' ? `${other}.people_practitioner_id on people` : `people_practitioner_id on ${other}.people`
  t.strictSame(indexesIn(found), [`create index ${on} (practitioner_id);`])
  await execute(db, ...found.map(({ text }) => text))
  await finds(t, db, [], tables)
  await finds(t, db, [], { users: `${one}.people`, practitioners: `${other}.people` })
})

onDatabases(t, 'a list whose owner is its id needs no more than the index of the id', async (t, name) => {
  const db = await openDatabase(t, name)
  const key = { mysql: 'varchar(36)', postgres: 'uuid', sqlite: 'text' }[name]
  await execute(db, `create table profiles (user_id ${key}, made_at ${dateTime(name)})`)
  const wanted = async () => indexesIn(await checkDatabase({ db, lists: [profiles] }))
  const first = await wanted()
  t.strictSame(first, [
    'create index profiles_user_id on profiles (user_id);',
    'create index profiles_made_at_user_id on profiles (made_at, user_id);'
  ])
  await execute(db, ...first)
  t.strictSame(await wanted(), [])
})

onDatabases(
  t,
  'a reach of conditions alone needs an index of their columns, unless they are computed',
  async (t, name) => {
    const db = await openCases(t, name)
    const wantedBy = async (roles: object) => {
      const all = { Head: 'none', Counsellor: 'none', ...roles }
      const list = defineList({ ...cases.definition, within: {}, filters: {}, sort: [], roles: all } as never)
      const wanted = indexesIn(await checkDatabase({ db, lists: [list as never] }))
      return wanted.filter((text) => !text.includes('cases_reported_at_id'))
    }
    const open = { state: 'open', severe: true }
    t.strictSame(await wantedBy({ Head: { where: open } }), [
      'create index cases_state_reported_at_id on cases (state, reported_at, id);'
    ])
    t.strictSame(await wantedBy({ Head: [{ where: { state: ['open', 'closed'], notes: 'x' } }, { where: open }] }), [
      'create index cases_state_notes_reported_at_id on cases (state, notes, reported_at, id);',
      'create index cases_state_reported_at_id on cases (state, reported_at, id);'
    ])
    t.strictSame(await wantedBy({ Head: { where: { severe: false } } }), [], 'a boolean')
    const counsellor = { own: 'counsellor_id', where: open }
    t.strictSame(
      await wantedBy({ Counsellor: counsellor }),
      ['create index cases_counsellor_id_reported_at_id on cases (counsellor_id, reported_at, id);'],
      'narrowed by an id'
    )
  }
)

onDatabases(t, 'the indexes of a list within a tenant begin with the tenant', async (t, name) => {
  const db = await openCases(t, name)
  const wanted = async () => indexesIn(await checkDatabase({ db, lists: [cases] }))
  const first = await wanted()
  t.strictSame(first, [
    'create index cases_school_id_reported_at_id on cases (school_id, reported_at, id);',
    'create index cases_school_id_pupil_id_reported_at_id on cases (school_id, pupil_id, reported_at, id);',
    'create index cases_school_id_counsellor_id_reported_at_id on cases (school_id, counsellor_id, reported_at, id);',
    'create index cases_school_id_state_reported_at_id on cases (school_id, state, reported_at, id);',
    'create index cases_school_id_notes_reported_at_id on cases (school_id, notes, reported_at, id);',
    'create index cases_school_id_minutes_id on cases (school_id, minutes, id);',
    'create index cases_school_id_called_at_id on cases (school_id, called_at, id);',
    'create index guardians_owner_id_linked_id on guardians (owner_id, linked_id);',
    'create index caseload_owner_id_linked_id on caseload (owner_id, linked_id);'
  ])
  await execute(db, ...first)
  t.strictSame(await wanted(), [])
  await execute(db, dropIndex(name, 'cases_school_id_reported_at_id'))
  await execute(db, 'create index by_time on cases (school_id, reported_at, notes)')
  // Without the id in its place, MySQL and MariaDB would sort the whole school.
  t.strictSame(await wanted(), name === 'mysql' ? first.slice(0, 1) : [])
})

onDatabases(t, 'a column without its table, in a select with a join', async (t, name) => {
  const db = await openTables(t, name)
  const joined = db.selectFrom('users as u').innerJoin('payments as p', 'p.user_id', 'u.user_id')
  const payments = joined.select(columnsOf.payments.map((column) => (column === 'user_id' ? 'p.user_id' : column)))
  await finds(t, db, [], { payments }, /^info/)
  await execute(db, dropIndex(name, 'payments_created_at_payment_id'))
  const missing = [/create index .payments_created_at_payment_id. on .payments. \(.created_at., .payment_id.\);$/]
  await finds(t, db, missing, { payments }, /^info/)
  await finds(t, db, missing, { payments: joined.selectAll('p') }, /^info/)
})

onDatabases(t, 'a view and a subquery, whose indexes the check cannot know,', async (t, name) => {
  const db = await openTables(t, name)
  await execute(db, 'create view seen as select * from payments')
  const unknown = (what: string) => [
    `info unchecked: Not checked, because only the database knows what a view, a subquery or an expression reads: ${what}.`
  ]
  await finds(t, db, unknown('the indexes of payments'), { payments: 'seen' })
  const subquery = db.selectFrom(db.selectFrom('payments').selectAll().as('p')).selectAll()
  await finds(t, db, unknown('the indexes of payments'), { payments: subquery })
  const expression = computed(db, 'payments', 'user_id', 'user_id + 0')
  await finds(t, db, unknown('the index of payments.user_id'), expression)
  const grouped = db.selectFrom('users').select(columnsOf.users).groupBy(columnsOf.users)
  await finds(t, db, unknown('the indexes of users'), { users: grouped })
})

t.test('MySQL sorts all records by an index that ends with the column, or goes on with the id', async (t) => {
  const db = await openLessons(t, 'mysql')
  const wanted = async () => {
    const found = indexesIn(await checkDatabase({ db, lists: [lessons], tables: lessonTables(db, 'mysql') }))
    return found.filter((text) => /\((starts_at|unit_name), lesson_id\);$/.test(text)).length
  }
  await execute(db, 'create index a on lessons (starts_at, note)', 'create index b on lessons (unit_name, note)')
  t.equal(await wanted(), 2)
  await execute(db, 'create index c on lessons (starts_at)', 'create index d on lessons (unit_name)')
  t.equal(await wanted(), 0)
})

t.test('any index that begins with the columns will do, and an index that two tables need is told once', async (t) => {
  const { db, tables } = await openLegacy(t, 'sqlite')
  await execute(
    db,
    'create unique index a on tests (nr)',
    'create index b on tests (added)',
    'create index c on tests (member, added, kind)',
    'create index d on tests (state, added)',
    // These do not.
    'create index e on orders (state, processor, added)',
    'create index f on orders (member)'
  )
  const columns = ['id as practitioner_id', 'given as first_name', 'family as last_name']
  const practitioners = db.selectFrom('members').select(columns)
  const orders = ['added', 'member., .added', 'processor., .added'].map((first) => `on .orders. \\(.${first}., .id.\\)`)
  const others = ['members. \\(.id.\\)', 'team_members.', 'coaching.'].map((table) => `on .${table}`)
  await finds(
    t,
    db,
    [...orders, ...others].map((text) => new RegExp(text)),
    { ...tables, practitioners }
  )
})

const withoutStatus = `drop index payments_processor_status_created_at_payment_id on payments;
  drop index payments_user_id_processor_status on payments;`
const tooLong = 'warning indexes: -- payments.processor_status is too long for an index: make it a short varchar.'
const withoutTime = 'drop index payments_created_at_payment_id;'
const partial = "create index partial on payments (created_at) where payment_status = 'paid';"

findsAfter(t, {
  'MySQL names each column that is too long for an index': [
    'mysql',
    `${withoutStatus} alter table payments modify processor_status text;
      drop index assessments_status_created_at_assessment_id on assessments;
      drop index assessments_user_id_status on assessments; alter table assessments modify status text`,
    tooLong.replace('payments.processor_status', 'assessments.status'),
    tooLong
  ],
  'MySQL has no index for a BLOB': [
    'mysql',
    `${withoutStatus} alter table payments modify processor_status tinyblob`,
    tooLong
  ],
  'an index of MySQL on the beginnings of texts gives no order': [
    'mysql',
    `${withoutStatus} alter table payments modify processor_status varchar(1000);
     create index beginning on payments (processor_status(10), created_at);
     alter table memberships drop primary key, modify org_name text`,
    tooLong,
    'warning indexes: create index `memberships_user_id` on `memberships` (`user_id`);'
  ],
  'a BRIN index, a partial index and included columns of PostgreSQL give no order': [
    'postgres',
    `${withoutTime} create index brin on payments using brin (created_at); ${partial}
     create index expression on payments (date_trunc('day', created_at));
     drop index assessments_status_created_at_assessment_id;
     create index included on assessments (status) include (created_at)`,
    /on "assessments" \("status", "created_at"/,
    /on "payments" \("created_at"/
  ],
  'a partial index of SQLite gives no order': ['sqlite', withoutTime + partial, /on "payments" \("created_at"/],
  'PostgreSQL does not use an index whose creation has failed': [
    'postgres',
    "update pg_index set indisvalid = false where indexrelid = 'payments_created_at_payment_id'::regclass",
    /create index .payments_created_at_payment_id. on/
  ],
  'the indexes of a table of MySQL in partitions are those of the table': [
    'mysql',
    `alter table assessments partition by hash (assessment_id) partitions 8;
     drop index assessments_created_at_assessment_id on assessments`,
    /^warning indexes: create index `assessments_created_at_assessment_id` on `assessments`/
  ]
})

/** A text that no compression makes short, of characters of four bytes. */
const longText = (length: number) =>
  Array.from({ length }, (_, place) => String.fromCodePoint(0x20_000 + ((place * 40_503) % 65_536))).join('')

/** Goods, each with a `word` of any type. */
const goodsWith = <const Filters extends object>(filters: Filters, ...sort: 'word'[]) =>
  defineList({
    ...goods,
    fields: { id: column.id({ examples: ['5'] }), word: column.text({ whenNull: 'error', examples: ['x'] }) },
    columns: { owner: column.id(), added_at: column.wallTime({ whenNull: 'error' }) },
    filters: filters as { word: { examples: ['x'] } },
    sort
  })

const equal = { word: { examples: ['x'] } }
const several = { word: { several: true, examples: ['x', 'y'] } }
const present = { has_word: { column: 'word', present: true } }
const notIndexed = 'Not checked, because a long value may not fit into an index: the index of goods.word.'

t.test('PostgreSQL gets an index of a text whose values fit into it, and of ids', async (t) => {
  const own = [
    'create index goods_added_at_id on goods (added_at, id);',
    'create index goods_owner_added_at_id on goods (owner, added_at, id);'
  ]
  const filtered = [...own, 'create index goods_word_added_at_id on goods (word, added_at, id);']
  const sorted = [...own, 'create index goods_word_id on goods (word, id);']
  const lists = [
    [goodsWith(equal), filtered],
    [goodsWith(several), filtered],
    [goodsWith(present), filtered],
    [goodsWith({}, 'word'), sorted]
  ] as const
  const db = await openDatabase(t, 'postgres')
  await execute(
    db,
    'create domain unbounded as varchar',
    'create domain short_text as varchar(100)',
    "create type state as enum ('x', 'y')"
  )
  for (const [type, fits] of Object.entries({
    ...{ text: false, varchar: false, 'varchar(2000)': false, jsonb: false, unbounded: false, 'text[]': false },
    ...{ 'varchar(100)': true, 'varchar(599)': true, 'char(9)': true, short_text: true, state: true, uuid: true }
  })) {
    await execute(db, `create table goods (id text primary key, word ${type}, owner text, added_at timestamp)`)
    for (const [list, whole] of lists) {
      const found = await checkDatabase({ db, lists: [list] })
      t.strictSame(indexesIn(found), fits ? whole : own, type)
      // On a busy machine, a statement of the check can take too long.
      const others = found.filter(({ remedy, text }) => remedy !== 'indexes' && !text.includes('it took longer than'))
      t.strictSame(others, fits ? [] : [{ level: 'info', remedy: 'unchecked', text: notIndexed }], type)
    }
    await execute(db, 'drop table goods')
  }
})

t.test('the partial index of the documentation serves pages of records that have a text of any length', async (t) => {
  const statements: CompiledQuery[] = []
  const db = await openDatabase(t, 'postgres', { onQuery: (query) => statements.push(query) })
  await execute(
    db,
    'create table goods (id bigint primary key, word text, owner bigint, added_at timestamp)',
    `insert into goods select n, case when n % 500 = 0 then 'x' when n % 2 = 0 then '' end, 1,
      timestamp '2024-01-01' + n * interval '1 minute' from generate_series(1, 40000) as n`,
    'create index every on goods (added_at, id)'
  )
  const [documented = ''] = readFileSync('docs/tables.md', 'utf8').match(/create index on lessons[^`]+/) ?? []
  const names = { lessons: 'goods', held_at: 'added_at', note: 'word', index: 'index partial' }
  await execute(
    db,
    Object.entries(names).reduce(
      (code, [is, becomes]) => code.replaceAll(new RegExp(`\\b${is}\\b`, 'g'), becomes),
      documented
    ),
    'analyze goods'
  )
  const last = { id: 40_001, word: longText(8_000), owner: 1, added_at: '2030-01-01' }
  await db.insertInto('goods').values(last).execute()
  const listings = createListings({ db, resolveRole, checkOnReady: 'off', lists: [goodsWith(present)] })
  statements.length = 0
  const query = { has_word: true, page: 2 } as never
  const page = await listings.find('goods', { caller: { userId: 1, role: 'Admin' }, query })
  t.equal(page.total, 81)
  const pages = statements.filter(({ sql }) => / from .*goods.* where .*word/s.test(sql))
  t.ok(pages.length > 0)
  for (const { sql: statement, parameters } of pages) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(`explain ${statement}`, [...parameters]))
    t.match(JSON.stringify(rows), / (using|on) partial /, statement)
  }
})

onDatabases(t, 'no index that the check prints makes a write fail', async (t, name) => {
  const db = await openLessons(t, name)
  const list = lessons.extend({
    fields: { remark: column.text({ examples: ['x'] }), code: column.text({ examples: ['x'] }) },
    filters: {
      remark: { several: true, examples: ['x'] },
      has_remark: { column: 'remark', present: true },
      code: { several: true, examples: ['x'] },
      has_code: { column: 'code', present: true }
    }
  })
  await execute(
    db,
    'alter table lessons add remark text',
    `alter table lessons add code varchar(${name === 'mysql' ? 375 : 599})`
  )
  const check = async () => checkDatabase({ db, lists: [list], tables: lessonTables(db, name) as never })
  const statements = async () =>
    (await check()).filter(({ text }) => text.startsWith('create ')).map(({ text }) => text)
  const write = (texts: object) => insert(db, { lessons: [{ ...rows[0], ...texts, held: null }] })
  const printed = await statements()
  t.ok(printed.some((text) => text.includes('code')))
  await execute(db, ...printed)
  t.strictSame(await statements(), [])
  const longest = { unit_name: longText(50), note: longText(50), state: 'x'.repeat(10), remark: longText(8_000) }
  await write({ lesson_id: 1000, ...longest, code: longText(name === 'mysql' ? 375 : 599) })

  // The names of the units become texts of any length, by which clients sort.
  await execute(
    db,
    ...['unit_name_starts_at_lesson_id', 'unit_name_lesson_id'].map((index) => dropIndex(name, `lessons_${index}`)),
    'alter table lessons drop column unit_name',
    'alter table lessons add unit_name text'
  )
  await execute(db, ...(await statements()))
  await write({ lesson_id: 1001, ...longest, unit_name: longText(8_000) })
})

/** The default tables, with the payments in two partitions. */
async function openPartitioned(t: Test): Promise<Db> {
  const db = await openTables(t, 'postgres')
  await execute(
    db,
    'alter table payments rename to old_payments',
    'create table payments (like old_payments) partition by range (payment_id)',
    'create table payments_1 partition of payments for values from (minvalue) to (100)',
    'create table payments_2 partition of payments for values from (100) to (maxvalue)'
  )
  return db
}

const indexesOn = (table: string) =>
  ['payment_id', 'created_at, payment_id', 'user_id, created_at', 'processor_status, created_at'].map(
    (columns) => `create index on ${table} (${columns})`
  )

t.test('a partitioned table of PostgreSQL has an index if each partition has the index', async (t) => {
  const db = await openPartitioned(t)
  await execute(db, ...indexesOn('payments_1'))
  await finds(t, db, Array(4).fill(/^warning indexes: create index "payments_.* on "payments" /))
  await execute(db, ...indexesOn('payments_2'))
  await finds(t, db, [])
  // A partition without partitions of its own.
  await execute(db, 'create table payments_0 partition of payments default partition by list (payment_id)')
  await finds(t, db, [])

  const other = await openPartitioned(t)
  await execute(other, ...indexesOn('payments'))
  await finds(t, other, [])
})

t.test('a table that inherits from a table of PostgreSQL needs indexes of its own', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(db, 'drop index payments_created_at_payment_id', 'create table payments_2007 () inherits (payments)')
  const run = async () => {
    const found = indexesIn(await checkDatabase({ db }))
    await execute(db, ...found)
    return found.map((text) => text.replace(/^.* on /, ''))
  }
  t.strictSame(await run(), [
    'payments_2007 (payment_id);',
    'payments (created_at, payment_id);',
    'payments_2007 (user_id, created_at, payment_id);',
    'payments_2007 (processor_status, created_at, payment_id);'
  ])
  t.strictSame(await run(), ['payments_2007 (created_at, payment_id);'], 'after the index of the table')
  t.strictSame(await run(), [])
})

t.test('foreign tables and foreign partitions get no index warnings', async (t) => {
  const db = await openPartitioned(t)
  const { username, password } = new URL(String(process.env.TEST_POSTGRES_URL))
  const user = `user '${decodeURIComponent(username)}', password '${decodeURIComponent(password)}'`
  await execute(
    db,
    'create extension postgres_fdw',
    `do $$ begin execute format('create server shard foreign data wrapper postgres_fdw options (host %L, port %L, dbname %L)',
       host(inet_server_addr()), inet_server_port(), current_database()); end $$`,
    `create user mapping for current_user server shard options (password_required 'false', ${user})`,
    ...indexesOn('payments_1'),
    'alter table payments detach partition payments_2',
    `create foreign table payments_3 partition of payments for values from (100) to (maxvalue)
       server shard options (table_name 'payments_2')`,
    'alter table links rename to shard_links',
    `create foreign table links (owner_id bigint not null, user_id bigint not null) server shard options (table_name 'shard_links')`,
    'drop index payments_1_payment_id_idx'
  )
  const wanted = 'warning indexes: create index "payments_payment_id" on "payments" ("payment_id");'
  await finds(t, db, [wanted, /^info unchecked: .* the indexes of links\.$/])
})
