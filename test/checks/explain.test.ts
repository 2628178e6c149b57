import { type CompiledQuery, sql } from 'kysely'
import t from 'tap'
import { checkDatabase, defineList } from '../../src/index.js'
import { lessons, lessonTables, openLessons } from '../support/fixtures/lessons.js'
import { profiles } from '../support/fixtures/profiles.js'
import { assessments, insert, payments, users } from '../support/fixtures/world.js'
import { cases, openCases } from '../support/oracle/cases.js'
import { areAll, errorsIn, execute, finds, findsAfter, textsOf } from '../support/oracle/check.js'
import { onDatabases, onServers } from '../support/servers/databases.js'
import { openTables } from '../support/servers/tables.js'

const idsOf =
  'users.user_id assessments.user_id assessments.practitioner_id payments.user_id links.owner_id links.user_id memberships.user_id'

const differ = (list: string, said: string) =>
  new RegExp(`^error tables: The tables of the ${list} do not fit together: .*; the database says: .*${said}`)
const collations = [differ('assessments', 'collation'), differ('payments', 'collation')]
const warning =
  /^warning tables: Ids of different types or collations .* text utf8mb4_unicode_ci in assessments\.user_id, /

onServers(t, 'ids of different collations', async (t, name) => {
  const db = await openTables(t, name)
  const [one, other] = name === 'mysql' ? ['utf8mb4_general_ci', 'utf8mb4_unicode_ci'] : ['C', 'POSIX']
  if (name === 'postgres') await execute(db, 'alter table users alter user_id drop identity')
  for (const path of idsOf.split(' ')) {
    const [table, column] = path.split('.')
    const type = `varchar(20) collate "${table === 'users' ? one : other}"`
    const change = name === 'mysql' ? `modify ${column} ${type.replaceAll('"', '')}` : `alter ${column} type ${type}`
    await execute(db, `alter table ${table} ${change}`)
  }
  // PostgreSQL tells it only when it compares two.
  for (const [table, rows] of Object.entries({ users, assessments, payments })) {
    const ids = { user_id: '1', ...(table === 'assessments' && { practitioner_id: '1' }) }
    await insert(db, { [table]: [{ ...rows[0], ...ids }] })
  }
  await finds(t, db, name === 'mysql' ? [warning, ...collations] : collations)
})

t.test('computed ids of another type on PostgreSQL', async (t) => {
  const db = await openTables(t, 'postgres')
  const id = sql<string>`user_id::text`.as('user_id')
  const links = db.selectFrom('links').select(['owner_id', id])
  await finds(t, db, [differ('assessments', 'UNION types')], { links }, /^info/)
  const users = db.selectFrom('users').select(['first_name', 'last_name', 'email', 'avatar_url', id])
  const noOperator = 'operator does not exist'
  await finds(t, db, [differ('assessments', noOperator), differ('payments', noOperator)], { users }, /^info/)
})

t.test('UUIDs and other kinds of id on PostgreSQL', async (t) => {
  for (const type of ['uuid', 'macaddr']) {
    const db = await openTables(t, 'postgres')
    for (const path of `${idsOf} assessments.assessment_id payments.payment_id`.split(' ')) {
      const [table, column] = path.split('.')
      await execute(db, `alter table ${table} alter ${column} drop identity if exists`)
      await execute(db, `alter table ${table} alter ${column} type ${type} using null`)
    }
    await finds(t, db, [])
  }
})

onDatabases(t, 'what a database says of a statement is told, and no reason that is not proven', async (t, name) => {
  let wrong = (statement: string) => statement
  const db = await openTables(t, name, { rewrite: (statement) => wrong(statement) })
  const fails = (what: string) => new RegExp(`^error tables: The ${what}; the database says: .*(syntax|no_such)`)
  const both = [fails('statements of the assessments fail'), fails('statements of the payments fail')]
  for (const [where, syntax, expected] of [
    [/sort key/, '(', both],
    [/sort key/, 'no_such(1), ', both],
    [
      /sort key.*where .*processor_status|where .*processor_status.*sort key/s,
      '(',
      [fails('parameter processor_status of the payments fails')]
    ]
  ] as const) {
    wrong = (statement) => (where.test(statement) ? statement.replace('select', `select ${syntax}`) : statement)
    await finds(t, db, expected)
  }
  let explained = 0
  wrong = (statement) => {
    if (!/explain(?! (query|format|\())/.test(statement)) return statement
    explained++
    return statement.replace('explain', 'exqlain')
  }
  await finds(t, db, [])
  t.ok(explained > 3, 'a database that explains no statement')
})

findsAfter(t, {
  'PostgreSQL can compare a number with a text': [
    'postgres',
    'alter table payments alter processor_status type bigint using 1'
  ]
})

t.test('a list without a search is checked, too', async (t) => {
  const db = await openTables(t, 'sqlite')
  await execute(db, 'create table profiles (user_id integer primary key, made_at datetime)')
  const found = await checkDatabase({ db, lists: [profiles] })
  t.notOk(found.some(({ level }) => level === 'error'))
})

t.test('a column that only a role or a filter compares must fit, too', async (t) => {
  const db = await openLessons(t, 'postgres')
  const tells = async (...expected: RegExp[]) => {
    const found = await checkDatabase({ db, lists: [lessons], tables: lessonTables(db, 'postgres') })
    areAll(t, errorsIn(found), expected)
  }
  await tells()
  for (const [column, type, told] of [
    [
      'note',
      'varchar(50)',
      /^lessons\.note cannot be compared with text, so the parameter has_note fails: map it to a column of text; the database says: operator does not exist: json = /
    ],
    ['state', 'varchar(10)', /^lessons\.state cannot be compared with text, so the parameter state fails: map it to/],
    ['instructor_id', 'bigint', /^The tables of the lessons do not fit together: ids that are compared need the same/]
  ] as const) {
    await execute(db, `alter table lessons alter ${column} type json using to_json(${column})`)
    await tells(told)
    await execute(db, `alter table lessons alter ${column} type ${type} using null`)
  }
  // All that fail are told together, in the order of the filters.
  for (const column of ['note', 'state', 'unit_name']) {
    await execute(db, `alter table lessons alter ${column} type json using to_json(${column})`)
  }
  await tells(
    /^lessons\.state cannot be compared with text, so the parameter state fails/,
    /^lessons\.unit_name cannot be compared with text, so the parameter unit_name fails/,
    /^lessons\.note cannot be compared with text, so the parameter has_note fails/
  )
})

t.test('every error of types and collations gets the advice about ids', async (t) => {
  let error = {}
  const before = ({ sql }: CompiledQuery) => {
    if (/^explain|limit 0/.test(sql.trim())) throw Object.assign(new Error('refused'), error)
  }
  const db = await openTables(t, 'sqlite', { before })
  const codes = ['42804', '42P21', '42P22'].map((code) => ({ code }))
  const errors = [...[1267, 1270, 1271, 4078].map((errno) => ({ errno })), ...codes]
  for (error of [...errors, { code: '42883', message: 'operator does not exist: integer = text' }]) {
    await finds(t, db, Array(2).fill(/ids that are compared need/))
  }
})

const withRoles = (roles: object) =>
  defineList({ ...cases.definition, roles: { ...cases.definition.roles, ...roles } } as never)

onDatabases(t, 'a value of a condition that the column cannot hold is told once, with the column', async (t, name) => {
  const db = await openCases(t, name)
  const found = async (list: typeof cases) =>
    textsOf(await checkDatabase({ db, lists: [list] })).filter((text) => text.includes('cannot hold'))
  const slow = name === 'postgres' ? ', and each request takes longer' : ''
  const told = (column: string, value: string) =>
    `warning tables: cases.${column} cannot hold '${value}', a value of 'where', so no record has it${slow}: correct the value, or map the column to texts.`
  const wrong = withRoles({
    Nurse: { where: { pupil_id: [1, 'abc', -5], severe: true, notes: 'abc', school_id: 's9', counsellor_id: null } },
    Cook: [{ where: { pupil_id: 'abc' } }, { own: 'counsellor_id', where: { pupil_id: '12abc' } }]
  })
  // A column of SQLite holds any value.
  t.strictSame(
    await found(wrong as never),
    name === 'sqlite' ? [] : ['abc', '12abc'].map((value) => told('pupil_id', value))
  )
  t.strictSame(await found(cases), [])
  if (name === 'sqlite') return
  const change = name === 'mysql' ? 'modify pupil_id varchar(36)' : 'alter pupil_id type varchar(36)'
  await execute(db, `alter table cases ${change}`)
  t.strictSame(await found(wrong as never), [], 'texts')
})

t.test('a UUID and a value of an enum are told by PostgreSQL', async (t) => {
  const db = await openCases(t, 'postgres')
  await execute(
    db,
    'alter table cases alter school_id type uuid using null, alter notes type bigint using null',
    "create type progress as enum ('open', 'closed')",
    "alter table cases alter state type progress using 'open'"
  )
  const uuid = '0b8e3c1c-7d2a-4f6e-9a51-2f4f8a3d1c5e'
  const list = withRoles({ Nurse: { where: { school_id: [uuid, 's1'], state: ['draft', 'open'], notes: ['5', 'x'] } } })
  const found = textsOf(await checkDatabase({ db, lists: [list as never] })).join()
  for (const told of ["school_id cannot hold 's1'", "state cannot hold 'draft'", "notes cannot hold 'x'"]) {
    t.match(found, `cases.${told}, a value of 'where'`)
  }
  t.notMatch(found, /cannot hold '(open|5|0b8)/)
})

t.test('an error that is no refusal of the value is told as an error of the statements', async (t) => {
  const before = ({ sql }: { sql: string }) => {
    if (/^select \(select 1 from "cases"/.test(sql)) throw new Error('disk I/O error')
  }
  const db = await openCases(t, 'sqlite', { before })
  const found = textsOf(await checkDatabase({ db, lists: [cases] }))
  const told = 'error tables: The statements of the cases fail; the database says: disk I/O error'
  t.strictSame(
    found.filter((text) => text.startsWith('error')),
    [told]
  )
})

onDatabases(
  t,
  'a value of a condition that no record has is told, but none of an enum, of a boolean or of an empty table',
  async (t, name) => {
    const db = await openCases(t, name)
    const list = withRoles({
      Nurse: { where: { notes: ['note 1', 'nota 1', null], pupil_id: 1, state: 'open', severe: true } },
      Cook: [{ where: { school_id: 'S1' } }, { own: 'counsellor_id', where: { school_id: 's2' } }]
    })
    const found = async () =>
      textsOf(await checkDatabase({ db, lists: [list as never] })).filter((text) => text.includes("a value of 'where'"))
    const told = (path: string) =>
      `warning data: No record has the cases.${path}, a value of 'where': if the value is misspelt, correct it.`
    t.strictSame(await found(), [told("notes 'nota 1'"), told("school_id 'S1'")])
    await execute(db, "update cases set state = 'closed', severe = null")
    t.strictSame(
      await found(),
      [told("notes 'nota 1'"), told("school_id 'S1'")],
      'no record has the state, or is severe'
    )
    await execute(db, 'delete from cases')
    t.strictSame(await found(), [])
  }
)
