import { type CompiledQuery, sql } from 'kysely'
import t from 'tap'
import { checkDatabase } from '../../src/index.js'
import { execute, findings, openForReader } from '../support/check.js'
import { databases, openDatabase } from '../support/databases.js'
import { quietPayments } from '../support/host-lists.js'
import { lessons, lessonTables, openLessons } from '../support/lessons.js'
import { openTables } from '../support/tables.js'
import { assessments, fill, payments, users } from '../support/world.js'

const idsOf = [
  ['users', 'user_id'],
  ['assessments', 'user_id'],
  ['assessments', 'practitioner_id'],
  ['payments', 'user_id'],
  ['links', 'owner_id'],
  ['links', 'user_id'],
  ['memberships', 'user_id']
]

for (const name of ['mysql', 'postgres'] as const) {
  t.test(`ids of different collations on ${name}`, async (t) => {
    const db = await openTables(t, name)
    const [one, other] = name === 'mysql' ? ['utf8mb4_general_ci', 'utf8mb4_unicode_ci'] : ['C', 'POSIX']
    if (name === 'postgres') await execute(db, 'alter table users alter user_id drop identity')
    for (const [table, column] of idsOf) {
      const collation = table === 'users' ? one : other
      await execute(
        db,
        name === 'mysql'
          ? `alter table ${table} modify ${column} varchar(20) collate ${collation}`
          : `alter table ${table} alter ${column} type varchar(20) collate "${collation}"`
      )
    }
    // PostgreSQL tells it only when it compares two.
    for (const [table, rows] of Object.entries({ users, assessments, payments })) {
      const ids = { user_id: '1', ...(table === 'assessments' && { practitioner_id: '1' }) }
      await db
        .insertInto(table)
        .values({ ...rows[0], ...ids })
        .execute()
    }
    const says = (list: string) =>
      new RegExp(`^error tables: The tables of the ${list} do not fit together: .*; the database says: .*collation`)
    const warning =
      /^warning tables: Ids of different types or collations .* text utf8mb4_unicode_ci in assessments\.user_id, /
    const found = await findings(db)
    t.match(found, [...(name === 'mysql' ? [warning] : []), says('assessments'), says('payments')])
    t.equal(found.length, name === 'mysql' ? 3 : 2)
  })
}

t.test('a user who may not see how views are made still learns what does not fit', async (t) => {
  const { owner, reader } = await openForReader(t, 'mysql')
  await fill(owner)
  await execute(
    owner,
    `create view people as select cast(user_id as char(20)) collate utf8mb4_unicode_ci as user_id, first_name, last_name, email, avatar_url from users`,
    `create view groups_of as select cast(user_id as char(20)) collate utf8mb4_general_ci as user_id, org_name from memberships`,
    `create view seen as select assessment_id, licence, assessment_type, cast(user_id as char(20)) collate utf8mb4_general_ci as user_id,
       cast(practitioner_id as char(20)) collate utf8mb4_general_ci as practitioner_id, status, date_assignment, date_conclusion, created_at from assessments`
  )
  const db = await reader()
  t.match(await findings(db, { users: 'people', assessments: 'seen', memberships: 'groups_of' }), [
    /^warning tables: Ids of different types/,
    /^error tables: The tables of the assessments do not fit together: .* Illegal mix of collations/
  ])
})

t.test('computed ids of another type on PostgreSQL', async (t) => {
  const db = await openTables(t, 'postgres')
  const links = db.selectFrom('links').select(['owner_id', sql<string>`user_id::text`.as('user_id')])
  t.match(await findings(db, { links: links as never }), [
    /^error tables: The tables of the assessments do not fit together: .* the database says: UNION types/
  ])
  const users = db
    .selectFrom('users')
    .select(['first_name', 'last_name', 'email', 'avatar_url', sql<string>`user_id::text`.as('user_id')])
  t.match(await findings(db, { users: users as never }), [
    /of the assessments .* operator does not exist/,
    /of the payments /
  ])
})

t.test('UUIDs and other kinds of id on PostgreSQL', async (t) => {
  for (const type of ['uuid', 'macaddr']) {
    const db = await openDatabase(t, 'postgres')
    await execute(
      db,
      `create table users (user_id ${type} primary key, first_name text, last_name text, email text, avatar_url text)`,
      `create table memberships (user_id ${type} primary key, org_name text)`,
      `create table links (owner_id ${type} primary key, user_id ${type})`,
      `create table assessments (assessment_id ${type} primary key, licence text, assessment_type text, user_id ${type}, practitioner_id ${type},
        status text, date_assignment timestamptz, date_conclusion timestamptz, created_at timestamptz)`,
      `create table payments (payment_id ${type} primary key, user_id ${type}, amount numeric, quantity integer, payment_intent text,
        paid_at timestamptz, payment_method text, payment_status text, processor_status text, created_at timestamptz)`
    )
    const found = await findings(db)
    t.match(found, Array(6).fill(/create index/), type)
    t.equal(found.length, 6)
  }
})

for (const name of databases) {
  t.test(`what ${name} says of a statement is told, and no reason that is not proven`, async (t) => {
    let wrong = (statement: string) => statement
    const db = await openTables(t, name, { rewrite: (statement) => wrong(statement) })
    const isPage = (statement: string) => statement.includes('sort key')
    const said = '; the database says: .*(syntax|no_such)'
    for (const syntax of ['(', 'no_such(1), ']) {
      wrong = (statement) => (isPage(statement) ? statement.replace('select', `select ${syntax}`) : statement)
      const found = await findings(db)
      t.match(found, [
        new RegExp(`^error tables: The statements of the assessments fail${said}`),
        new RegExp(`^error tables: The statements of the payments fail${said}`)
      ])
      t.equal(found.length, 2)
    }
    wrong = (statement) => {
      const isFiltered = isPage(statement) && /where .*processor_status/s.test(statement)
      return isFiltered ? statement.replace('select', 'select (') : statement
    }
    t.match(await findings(db), [
      new RegExp(`^error tables: The parameter processor_status of the payments fails${said}`)
    ])
    let explained = 0
    wrong = (statement) => {
      if (!/explain(?! (query|format|\())/.test(statement)) return statement
      explained++
      return statement.replace('explain', 'exqlain')
    }
    t.strictSame(await findings(db), [], 'a database that explains no statement')
    t.ok(explained > 3)
  })
}

t.test('a filter on a column that PostgreSQL cannot compare with a text is an error', async (t) => {
  const db = await openTables(t, 'postgres')
  const errors = async () => (await findings(db)).filter((text) => text.startsWith('error'))
  await execute(
    db,
    'drop index payments_processor_status_created_at_payment_id, payments_user_id_processor_status',
    'alter table payments alter processor_status type json using to_json(processor_status)'
  )
  t.match(await errors(), [
    /^error tables: payments\.processor_status cannot be compared with text, so the parameter processor_status fails: map it to a column of text; the database says: operator does not exist: json = /
  ])
  await execute(db, 'alter table payments alter processor_status type bigint using 1')
  t.strictSame(await errors(), [], 'a number can be compared')
})

t.test('a list without a search is checked, too', async (t) => {
  const db = await openTables(t, 'sqlite')
  t.strictSame(
    (await checkDatabase({ db, lists: [quietPayments] })).filter(({ level }) => level === 'error'),
    []
  )
})

t.test('a column that only a role or a filter compares must fit, too', async (t) => {
  const db = await openLessons(t, 'postgres')
  const told = async () => {
    const found = await checkDatabase({ db, lists: [lessons], tables: lessonTables(db, 'postgres') })
    return found.filter(({ level }) => level === 'error').map(({ text }) => text)
  }
  t.strictSame(await told(), [])
  await execute(db, 'alter table lessons alter note type json using to_json(note)')
  t.match(await told(), [/^lessons\.note cannot be compared with text, so the parameter has_note fails: map it to/])
  await execute(db, 'alter table lessons alter note type varchar(50)')
  await execute(db, 'alter table lessons alter state type json using to_json(state)')
  t.match(await told(), [/^lessons\.state cannot be compared with text, so the parameter state fails: map it to/])
  await execute(db, 'alter table lessons alter state type varchar(10)')
  await execute(db, 'alter table lessons alter instructor_id type json using to_json(instructor_id)')
  t.match(await told(), [/^The tables of the lessons do not fit together: ids that are compared need the same type/])
})

t.test('every error of types and collations gets the advice about ids', async (t) => {
  let error = {}
  const before = ({ sql }: CompiledQuery) => {
    if (/^explain|limit 0/.test(sql.trim())) throw Object.assign(new Error('refused'), error)
  }
  const db = await openTables(t, 'sqlite', { before })
  const messages = { code: '42883', message: 'operator does not exist: integer = text' }
  const errors = [...[1267, 1270, 1271, 4078].map((errno) => ({ errno })), messages]
  for (error of [...errors, ...['42804', '42P21', '42P22'].map((code) => ({ code }))]) {
    const found = await checkDatabase({ db }).catch(({ message }) => [{ text: message }])
    t.match(
      found,
      [{ text: /ids that are compared need/ }, { text: /ids that are compared need/ }],
      JSON.stringify(error)
    )
  }
})
