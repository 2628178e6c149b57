import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { findingsOf } from '../../src/checks/index.js'
import { checkDatabase } from '../../src/index.js'
import { execute, findings } from '../support/check.js'
import { columnsOf, type TableName } from '../support/columns.js'
import { type Db, databases, dateTime, openDatabase } from '../support/databases.js'
import { lessons, lessonTables, openLessons } from '../support/lessons.js'
import { profiles } from '../support/profiles.js'
import { sourceOf } from '../support/session.js'
import { openTables } from '../support/tables.js'
import { createTables } from '../support/world.js'

/** The longest name of an index that is not cut has 59 characters. This name and its column have 66. */
const coaches = 'coaches_of_the_former_platform_before_the_big_move'

/** A schema as it grew, with no index but keys. */
async function openLegacy(t: Test, name: (typeof databases)[number]) {
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
  } as never
  return { db, tables }
}

for (const name of databases) {
  t.test(`each missing index on ${name} is a statement that makes the index`, async (t) => {
    const { db, tables } = await openLegacy(t, name)
    const found = await checkDatabase({ db, tables })
    const quote = name === 'mysql' ? '`' : '"'
    t.strictSame(
      found.map(({ text }) => text.replaceAll(quote, '')),
      [
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
      ]
    )
    t.ok(found.every(({ level, remedy }) => level === 'warning' && remedy === 'indexes'))
    await execute(db, ...found.map(({ text }) => text))
    t.strictSame(await findings(db, tables), [])
  })

  t.test(`a table in another schema of ${name}, by name and by the host’s Kysely`, async (t) => {
    const db = await openTables(t, name)
    const crm = `crm_${process.pid}`
    await execute(db, name === 'sqlite' ? `attach ':memory:' as ${crm}` : `create schema ${crm}`)
    if (name === 'mysql') t.teardown(() => execute(db, `drop schema ${crm}`))
    const key = name === 'sqlite' ? 'integer primary key' : 'bigint primary key'
    await execute(
      db,
      // of the same name, with another index
      'drop table links',
      'create table links (owner_id bigint primary key, user_id bigint)',
      `create table ${crm}.links (owner_id bigint, user_id bigint)`,
      `create table ${crm}.people (user_id ${key}, first_name text, last_name text, email text, avatar_url text)`
    )
    const tables = { links: `${crm}.links`, users: `${crm}.people` }
    const found = await checkDatabase({ db, tables })
    t.match(found, [{ text: /^create index / }])
    t.equal(found.length, 1)
    for (const { text } of found) await execute(db, text)
    t.strictSame(await findings(db, tables), [])

    const people = db.withSchema(crm).selectFrom('people').selectAll() as never
    t.strictSame(await findings(db, { ...tables, users: people }), [])
    if (name === 'sqlite') return
    await execute(db, `alter table ${crm}.people drop ${name === 'mysql' ? 'primary key' : 'constraint people_pkey'}`)
    t.match(await findings(db, { ...tables, users: people }), [
      new RegExp(`create index .people_user_id. on .${crm}.\\..people. \\(.user_id.\\);`)
    ])
  })
}

for (const name of databases) {
  t.test(`tables of one name in two schemas of ${name} have indexes of their own`, async (t) => {
    const db = await openTables(t, name)
    const schemas = [`one_${process.pid}`, `other_${process.pid}`]
    for (const [place, schema] of schemas.entries()) {
      await execute(db, name === 'sqlite' ? `attach ':memory:' as ${schema}` : `create schema ${schema}`)
      if (name === 'mysql') t.teardown(() => execute(db, `drop schema ${schema}`))
      // Only the first one has an index.
      const key = place === 0 ? 'bigint not null primary key' : 'bigint'
      await execute(
        db,
        `create table ${schema}.people (user_id ${key}, practitioner_id ${key.replace('primary key', 'unique')}, first_name text, last_name text, email text, avatar_url text)`
      )
    }
    const tables = { users: `${schemas[0]}.people`, practitioners: `${schemas[1]}.people` }
    const found = await checkDatabase({ db, tables })
    t.match(found, [{ text: /^create index .*people_practitioner_id.* \(.practitioner_id.\);$/ }])
    t.equal(found.length, 1)
    for (const { text } of found) await execute(db, text)
    t.strictSame(await findings(db, tables), [])
  })
}

t.test('own records by another column need an index, and whether there is a time does not', async (t) => {
  const db = await openLessons(t, 'sqlite')
  const filters = { started: { column: 'starts_at', operator: 'has' as const } }
  const list = { ...lessons, filters, orders: { '': lessons.order } }
  const found = await findingsOf(sourceOf(db, lessonTables(db, 'sqlite'), [list]), [list])
  const indexes = found.filter(({ remedy }) => remedy === 'indexes').map(({ text }) => text.replaceAll('"', ''))
  t.strictSame(indexes, [
    'create index lessons_starts_at_lesson_id on lessons (starts_at, lesson_id);',
    'create index lessons_student_id_starts_at_lesson_id on lessons (student_id, starts_at, lesson_id);',
    'create index lessons_instructor_id_starts_at_lesson_id on lessons (instructor_id, starts_at, lesson_id);'
  ])
})

t.test('an index that two tables of the lists need is told once', async (t) => {
  const { db, tables } = await openLegacy(t, 'sqlite')
  const practitioners = db
    .selectFrom('members')
    .select(['id as practitioner_id', 'given as first_name', 'family as last_name']) as never
  const found = await findings(db, { ...(tables as object), practitioners })
  t.equal(found.filter((text) => text.includes('members_id')).length, 1)
})

t.test('MySQL has no index for a BLOB', async (t) => {
  const db = await openTables(t, 'mysql')
  await execute(
    db,
    'drop index payments_processor_status_created_at_payment_id on payments',
    'drop index payments_user_id_processor_status on payments',
    'alter table payments modify processor_status tinyblob'
  )
  t.match(await findings(db), [
    'warning indexes: -- payments.processor_status is too long for an index: make it a short varchar.'
  ])
})

t.test('PostgreSQL does not use an index whose creation has failed', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(
    db,
    "update pg_index set indisvalid = false where indexrelid = 'payments_created_at_payment_id'::regclass"
  )
  t.match(await findings(db), [/create index .payments_created_at_payment_id. on/])
})

t.test('any index that begins with the columns will do', async (t) => {
  const { db, tables } = await openLegacy(t, 'sqlite')
  await execute(
    db,
    'create unique index a on tests (nr)',
    'create index b on tests (added)',
    'create index c on tests (member, added, kind)',
    'create index d on tests (state, added)',
    // these do not
    'create index e on orders (state, processor, added)',
    'create index f on orders (member)'
  )
  t.match(await findings(db, tables), [
    /on .orders. \(.added., .id.\)/,
    /on .orders. \(.member., .added., .id.\)/,
    /on .orders. \(.processor., .added., .id.\)/,
    /on .members. /,
    /on .coaches_/,
    /on .team_members. /,
    /on .coaching. /
  ])
})

t.test('MySQL sorts by an index that ends with the time, or goes on with the id', async (t) => {
  const db = await openTables(t, 'mysql')
  const wanted =
    'warning indexes: create index `payments_created_at_payment_id` on `payments` (`created_at`, `payment_id`);'
  await execute(
    db,
    'drop index payments_created_at_payment_id on payments',
    'create index another on payments (created_at, user_id, payment_id)'
  )
  t.strictSame(await findings(db), [wanted])
  await execute(db, 'create index short on payments (created_at)')
  t.strictSame(await findings(db), [])
})

t.test('an order that a client chooses needs such an index of MySQL, too', async (t) => {
  const db = await openLessons(t, 'mysql')
  const wanted = async () => {
    const found = await checkDatabase({ db, lists: [lessons], tables: lessonTables(db, 'mysql') })
    return found.filter(({ text }) => text.endsWith('(`unit_name`, `lesson_id`);')).length
  }
  await execute(db, 'create index another on lessons (unit_name, note)')
  t.equal(await wanted(), 1)
  await execute(db, 'create index short on lessons (unit_name)')
  t.equal(await wanted(), 0)
})

t.test('one index serves two lists whose records have the same columns', async (t) => {
  const db = await openTables(t, 'sqlite')
  await execute(db, 'drop index payments_created_at_payment_id', 'drop index payments_user_id_created_at_payment_id')
  const assessments = db
    .selectFrom('assessments as a')
    .innerJoin('payments as p', 'p.payment_id', 'a.assessment_id')
    .select(['a.assessment_id', 'a.licence', 'a.assessment_type', 'p.user_id', 'a.practitioner_id', 'a.status'])
    .select(['a.date_assignment', 'a.date_conclusion', 'p.created_at']) as never
  t.match(await findings(db, { assessments }), [
    /on "payments" \("created_at", "payment_id"\);$/,
    /on "payments" \("user_id", "created_at", "payment_id"\);$/
  ])
})

t.test('a computed time has no index', async (t) => {
  const db = await openTables(t, 'sqlite')
  const computed = sql<string>`case when payment_id = 0 then null else created_at end`.as('created_at')
  const columns = columnsOf.payments.filter((column) => column !== 'created_at')
  const payments = db.selectFrom('payments').select([...columns, computed]) as never
  t.strictSame(await findings(db, { payments }), [
    'warning indexes: -- payments.created_at is computed: make it a stored generated column, and select it by its plain name.'
  ])
})

for (const name of databases) {
  t.test(
    `a list of ${name} whose owner is its id gets statements that can be run, and no more than it needs`,
    async (t) => {
      const db = await openDatabase(t, name)
      const key = { mysql: 'varchar(36)', postgres: 'uuid', sqlite: 'text' }[name]
      const plain = `create table profiles (user_id ${key}, made_at ${dateTime(name)})`
      await execute(db, plain)
      const wanted = async () => {
        const found = await checkDatabase({ db, lists: [profiles] })
        return found.filter(({ remedy }) => remedy === 'indexes').map(({ text }) => text.replaceAll(/["`]/g, ''))
      }
      const first = await wanted()
      t.strictSame(first, [
        'create index profiles_user_id on profiles (user_id);',
        'create index profiles_made_at_user_id on profiles (made_at, user_id);'
      ])
      await execute(db, ...first)
      t.strictSame(await wanted(), [])
    }
  )

  t.test(`a column of ${name} without its table, in a select with a join`, async (t) => {
    const db = await openTables(t, name)
    const select = (columns: readonly string[]) =>
      db
        .selectFrom('users as u')
        .innerJoin('payments as p', 'p.user_id', 'u.user_id')
        .select(columns.map((column) => (column === 'user_id' ? 'p.user_id' : column))) as never
    const indexes = async (payments: never) =>
      (await findings(db, { payments }))
        .filter((text) => /index/.test(text))
        .map((text) => text.replaceAll(/["`]/g, ''))
    t.strictSame(await indexes(select(columnsOf.payments)), [])
    await execute(db, `drop index payments_created_at_payment_id${name === 'mysql' ? ' on payments' : ''}`)
    const missing = [
      'warning indexes: create index payments_created_at_payment_id on payments (created_at, payment_id);'
    ]
    t.strictSame(await indexes(select(columnsOf.payments)), missing)
    const all = db.selectFrom('payments as p').leftJoin('users as u', 'u.user_id', 'p.user_id').selectAll('p') as never
    t.strictSame(await indexes(all), missing, 'all columns of one table')
  })

  t.test(`a view and a subquery of ${name}, whose indexes the check cannot know`, async (t) => {
    const db = await openTables(t, name)
    await execute(db, 'create view seen as select * from payments')
    const why =
      'info unchecked: Not checked, because only the database knows what a view, a subquery or an expression reads'
    const unknown = [`${why}: the indexes of payments.`]
    t.strictSame(await findings(db, { payments: 'seen' }), unknown)
    const subquery = db.selectFrom(db.selectFrom('payments').selectAll().as('p')).selectAll() as never
    t.strictSame(await findings(db, { payments: subquery }), unknown)
    const others = columnsOf.payments.filter((column) => column !== 'user_id')
    const owner = db.selectFrom('payments').select([...others, sql`user_id + 0`.as('user_id')]) as never
    t.strictSame(await findings(db, { payments: owner }), [`${why}: the index of payments.user_id.`], 'an expression')
    const grouped = db
      .selectFrom('users')
      .select([...columnsOf.users])
      .groupBy([...columnsOf.users]) as never
    t.strictSame(await findings(db, { users: grouped }), [`${why}: the indexes of users.`], 'a group')
  })
}

t.test('the default tables of withSchema', async (t) => {
  const db = await openDatabase(t, 'postgres')
  await execute(db, 'create schema crm')
  const inSchema: Db = db.withSchema('crm')
  await createTables(inSchema)
  await execute(db, 'drop index crm.payments_created_at_payment_id')
  t.strictSame(await findings(inSchema), [
    'warning indexes: create index "payments_created_at_payment_id" on "crm"."payments" ("created_at", "payment_id");'
  ])
})

t.test('what gives no order is no index: beginnings of texts, BRIN, partial, included columns', async (t) => {
  const mysql = await openTables(t, 'mysql')
  await execute(
    mysql,
    'drop index payments_processor_status_created_at_payment_id on payments',
    'drop index payments_user_id_processor_status on payments',
    'alter table payments modify processor_status varchar(1000)',
    'create index beginning on payments (processor_status(10), created_at)',
    'alter table memberships drop primary key, modify org_name text'
  )
  t.strictSame(await findings(mysql), [
    'warning indexes: -- payments.processor_status is too long for an index: make it a short varchar.',
    'warning indexes: create index `memberships_user_id` on `memberships` (`user_id`);'
  ])

  const postgres = await openTables(t, 'postgres')
  await execute(
    postgres,
    'drop index payments_created_at_payment_id',
    'create index brin on payments using brin (created_at)',
    "create index partial on payments (created_at) where payment_status = 'paid'",
    "create index expression on payments (date_trunc('day', created_at))",
    'drop index assessments_status_created_at_assessment_id',
    'create index included on assessments (status) include (created_at)'
  )
  const found = await findings(postgres)
  t.match(found, [/on "assessments" \("status", "created_at"/, /on "payments" \("created_at"/])
  t.equal(found.length, 2)

  const sqlite = await openTables(t, 'sqlite')
  await execute(
    sqlite,
    'drop index payments_created_at_payment_id',
    "create index partial on payments (created_at) where payment_status = 'paid'"
  )
  t.match(await findings(sqlite), [/on "payments" \("created_at"/])
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

const wanted = ['payment_id', 'created_at, payment_id', 'user_id, created_at', 'processor_status, created_at']

t.test('a partitioned table of PostgreSQL has an index if each partition has the index', async (t) => {
  const db = await openPartitioned(t)
  await execute(db, ...wanted.map((columns) => `create index on payments_1 (${columns})`))
  const found = await findings(db)
  t.match(found, Array(4).fill(/^warning indexes: create index "payments_.* on "payments" /), 'one of two partitions')
  t.equal(found.length, 4)
  await execute(db, ...wanted.map((columns) => `create index on payments_2 (${columns})`))
  t.strictSame(await findings(db), [], 'each partition')
  await execute(db, 'create table payments_0 partition of payments default partition by list (payment_id)')
  t.strictSame(await findings(db), [], 'and a partition without partitions of its own')

  const other = await openPartitioned(t)
  await execute(other, ...wanted.map((columns) => `create index on payments (${columns})`))
  t.strictSame(await findings(other), [], 'the partitioned table itself')
})

t.test('a table that inherits from a table of PostgreSQL needs indexes of its own', async (t) => {
  const db = await openTables(t, 'postgres')
  await execute(db, 'drop index payments_created_at_payment_id', 'create table payments_2007 () inherits (payments)')
  const run = async () => {
    const found = await checkDatabase({ db })
    await execute(db, ...found.map(({ text }) => text))
    return found.map(({ text }) => text.replace(/^.* on /, '').replaceAll('"', ''))
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
    ...wanted.map((columns) => `create index on payments_1 (${columns})`),
    'alter table payments detach partition payments_2',
    `create foreign table payments_3 partition of payments for values from (100) to (maxvalue)
       server shard options (table_name 'payments_2')`,
    'alter table links rename to shard_links',
    `create foreign table links (owner_id bigint not null, user_id bigint not null) server shard options (table_name 'shard_links')`,
    `insert into payments select i, i, 1, 1, 'pi_' || i, timestamp '2024-01-01', 'card', 'paid', 'paid', '2024-01-01'
       from generate_series(1, 10000) as i`,
    'analyze payments, payments_3'
  )
  t.match(await findings(db), [/^info unchecked: .* the indexes of links\.$/])
  await execute(db, 'drop index payments_1_payment_id_idx')
  t.match(await findings(db), [
    /^warning indexes: create index "payments_payment_id" on "payments" \("payment_id"\);$/,
    /^info unchecked: .* the indexes of links\.$/
  ])
})

t.test('the indexes of a table of MySQL in partitions are those of the table', async (t) => {
  const db = await openTables(t, 'mysql')
  await execute(
    db,
    'alter table assessments partition by hash (assessment_id) partitions 8',
    `insert into assessments with recursive n as (select 1 as i union all select i + 1 from n where i < 999)
       select i, 'L', 'k', i, i, 'pending', '2024-01-01', '2024-01-01', '2024-01-01' from n`
  )
  t.strictSame(await findings(db), [])
  await execute(db, 'drop index assessments_created_at_assessment_id on assessments')
  t.match(await findings(db), [
    /^warning indexes: create index `assessments_created_at_assessment_id` on `assessments`/
  ])
})
