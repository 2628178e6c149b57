import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import t from 'tap'
import type { Row } from '../../../src/database/cells.js'
import { measured } from '../../../src/limits.js'
import type { List } from '../../../src/lists/list.js'
import { assessments } from '../../../src/lists/ready/assessments.js'
import { payments } from '../../../src/lists/ready/payments.js'
import type { Reach } from '../../../src/lists/roles.js'
import { type Matches, shapeOf } from '../../../src/question/asked/question.js'
import { fittedOf, unknownTraits } from '../../../src/question/fitted/fitted-sql.js'
import { matchesOf } from '../../../src/question/sql/search.js'
import { insert, payments as records, users } from '../../support/fixtures/world.js'
import { createForeignTable, execute } from '../../support/oracle/check.js'
import { readsOf } from '../../support/oracle/explain.js'
import { onDatabases } from '../../support/servers/databases.js'
import {
  findIn,
  queriesFor,
  questionFor,
  sessionOf,
  unfittedFor,
  withoutDatabase
} from '../../support/servers/session.js'
import { openWorld } from '../../support/servers/tables.js'

// MySQL writes the conditions on a union as SQL, and parses the SQL again.
t.test('a quote in a term stays text in every SQL mode, also for users that are a union', async (t) => {
  const db = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
  const users = db.selectFrom('users').selectAll()
  await sql`update users set email = ${"o'b\\r@example.org"} where user_id = 1`.execute(db)
  const find = findIn(db, { users: users.unionAll(users.where('user_id', '<', 0)) })
  for (const mode of ['', 'NO_BACKSLASH_ESCAPES']) {
    // mysql2 cannot quote for this mode.
    await sql`set session sql_mode = ${mode}`.execute(db)
    for (const [search, isFound] of [
      ["o'b", true],
      ['b\\r', true],
      ["' escape 0x21 or 1=1) -- ", false],
      ["' or 1=1 -- ", false],
      ["\\' or 1=1 -- ", false],
      ['\\\\', false]
    ] as const) {
      t.equal((await find('assessments', { search })).total > 0, isFound, `${search} with the mode '${mode}'`)
    }
  }
})

onDatabases(t, 'a search in own and in linked records reads only the users in reach', async (t, name) => {
  const statements: CompiledQuery[] = []
  const db = await openWorld(t, name, { onQuery: (query) => statements.push(query) })
  const ids = Array.from({ length: 500 }, (_, index) => 1000 + index)
  const more = {
    users: ids.map((user_id) => ({ ...users[0], user_id })),
    payments: ids.map((id) => ({ ...records[0], payment_id: id, user_id: id, payment_intent: `pi_${id}` }))
  }
  await insert(db, more)
  for (const table of ['users', 'payments', 'links'])
    await execute(db, `analyze ${name === 'mysql' ? 'table ' : ''}${table}`)
  const find = findIn(db)
  for (const [reach, total] of [
    ['own', 3],
    ['linked', 9]
  ] as const) {
    statements.length = 0
    t.match(await find('payments', { reach, userId: '10', search: '@example', limit: 1 }), { total })
    const sent = statements.filter(({ sql }) => /sort key|count\(\*\)/.test(sql))
    for (const statement of sent) {
      const reads = await readsOf(db, name, statement)
      const ofUsers = reads.filter(({ table }) => ['u', 'users'].includes(table)).map(({ access }) => access)
      t.strictSame(new Set(ofUsers), new Set(['lookup']), reach)
    }
  }
})

onDatabases(t, 'the reach decides the statements of a search', async (t, name) => {
  const session = sessionOf(withoutDatabase(name))
  const parameters = { search: 'ann', processor_status: 'failed' }
  const queriesOf = (reach: Reach) => queriesFor(questionFor({ reach, userId: '7', parameters }), unfittedFor(session))
  const sqlOf = (built: RawBuilder<Row>) => session.compile(built).sql.replaceAll(/["`]/g, '')
  // A correlated subquery for each record pays off only if few records are in reach.
  for (const reach of ['own', 'linked', 'all'] as const) {
    const exists = name !== 'mysql' && reach !== 'all'
    const total = sqlOf(queriesOf(reach).total())
    t.equal(/exists \(select 1 from users as u/.test(total), exists, reach)
    t.equal(/in \(select u\.user_id/.test(total), !exists, reach)
  }
  const shape = shapeOf(questionFor({ parameters }))
  const idsOf = (side: keyof Matches) => sqlOf(matchesOf(side, measured).sql(shape, unfittedFor(session)))
  t.match(idsOf('records'), /payment_intent.* and .*processor_status.* limit 5001$/)
  t.match(idsOf('users'), /email.* limit 5001$/)
  t.notMatch(idsOf('users'), /processor_status/)
})

t.test('ids for which `=` is exact are compared without their bytes in a search', async (t) => {
  for (const name of ['mysql', 'postgres', 'sqlite'] as const) {
    const session = sessionOf(withoutDatabase(name))
    const sqlOf = (...exactIds: string[]) => {
      const fitted = fittedOf(payments, session.tables, session.dialect, { ...unknownTraits, exactIds })
      const question = questionFor({ parameters: { search: 'ann' } })
      return session.compile(queriesFor(question, fitted).total()).sql.replaceAll(/["`]/g, '')
    }
    t.match(sqlOf('u.user_id', 'r.user_id'), /or \(r\.user_id\) in \(select u\.user_id from users as u/, name)
    for (const plain of [[], ['u.user_id'], ['r.user_id']]) {
      t.match(sqlOf(...plain), /or \(r\.user_id, cast\(.*\) in \(select u\.user_id, cast\(.* from users as u/, name)
    }
  }
})

t.test('known ids take the place of the search on MySQL, and an unknown side is searched', async (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const conditionOf = (list: List, matches: Matches) => {
    const { total } = queriesFor(questionFor({ list, parameters: { search: 'ann' } }), unfittedFor(session, list))
    return session
      .compile(total(matches))
      .sql.replaceAll('`', '')
      .replace(/^.*? where (?=\(|1)/s, '')
  }
  const inlined = (column: string, ids: string) =>
    `(r.${column} in (${ids}) and cast(convert(r.${column} using utf8mb4) as binary) in (${ids.replace(/'\d+'/g, '?')}))`
  const both = conditionOf(payments, { users: ['1', '2'], records: ['4', '5'] })
  t.equal(both, `(${inlined('payment_id', "'4', '5'")} or ${inlined('user_id', "'1', '2'")})`)
  t.equal(conditionOf(payments, { users: ['1'], records: [] }), `(${inlined('user_id', "'1'")})`)
  t.equal(conditionOf(payments, { users: [], records: ['4'] }), `(${inlined('payment_id', "'4'")})`)
  const [ofUsers, ofRecords] = [conditionOf(payments, { users: ['1'] }), conditionOf(payments, { records: ['4'] })]
  t.match(ofUsers, /^\(\(r\.payment_intent like .*\) or \(r\.user_id in \('1'\) and .*\)\)$/)
  t.match(ofRecords, /^\(\(r\.payment_id in \('4'\) and .*\) or \(r\.user_id, .*\) in \(select /)
  t.match(conditionOf(payments, {}), /^\(\(r\.payment_intent like .*\) or \(r\.user_id, .*\) in \(select u\.user_id, /)
  const ofOthers = conditionOf(assessments, {})
  t.match(ofOthers, /^\(\(r\.user_id, .*\) in \(select /, 'a list that searches no column of its records')
  const bytes = /^\(\(r\.user_id in \(_utf8mb4 \?\) and cast\(.* as binary\) in \(\?\)\)\)$/
  t.match(conditionOf(payments, { users: ["x'1"], records: [] }), bytes, 'an id that is no plain text')
})

t.test('known ids are digits in the SQL only if both columns hold whole numbers, and all ids are digits', async (t) => {
  const session = sessionOf(withoutDatabase('mysql'))
  const conditionOf = (users: readonly string[], ...exactIds: string[]) => {
    const fitted = fittedOf(payments, session.tables, session.dialect, { ...unknownTraits, exactIds })
    const { total } = queriesFor(questionFor({ parameters: { search: 'ann' } }), fitted)
    return session.compile(total({ users, records: [] })).sql.replaceAll('`', '')
  }
  t.match(conditionOf(['1', '-2'], 'u.user_id', 'r.user_id'), /where \(r\.user_id in \(1,-2\)\)$/)
  const bytes = /where \(\(r\.user_id in \(.*\) and cast\(.* as binary\) in \(.*\)\)\)$/
  // A user `012` whose id is a text is not the user of the records of 12.
  for (const exact of ['u.user_id', 'r.user_id']) t.match(conditionOf(['012'], exact), bytes, exact)
  for (const text of ['1)or(1', '12abc', '1e1', ''])
    t.match(conditionOf(['1', text], 'u.user_id', 'r.user_id'), bytes, text)
})

t.test('ASCII letters match in either case on SQLite with case_sensitive_like', async (t) => {
  const db = await openWorld(t, 'sqlite')
  await db.updateTable('users').set({ first_name: 'École' }).where('user_id', '=', 1).execute()
  await execute(db, 'pragma case_sensitive_like = on')
  const find = findIn(db)
  for (const [search, total] of [
    ['ADA@', 3],
    ['École', 3],
    ['ÉCOLE', 3],
    // The function `lower` of SQLite changes ASCII letters only.
    ['école', 0]
  ] as const) {
    t.match(await find('assessments', { search }), { total }, search)
  }
})

t.test('a term that one column cannot hold is compared by the collation of each other column', async (t) => {
  const db = await openWorld(t, 'mysql')
  await db.updateTable('users').set({ first_name: '' }).execute()
  await db.updateTable('users').set({ email: 'Ewa.Wałęsa@example.pl' }).where('user_id', '=', 1).execute()
  for (const collation of ['unicode_ci', 'general_ci', 'bin']) {
    const kept = `varchar(100) collate utf8mb4_${collation}`
    const changes = `modify first_name varchar(100) character set latin1, modify last_name ${kept}, modify email ${kept}`
    await execute(db, `alter table users ${changes}`)
    const find = findIn(db)
    for (const search of ['ı', 'wałęsa', 'WAŁĘSA', 'walęsa', 'Wałęsa', '😀']) {
      const like = (column: string) => sql`(${sql.ref(column)} like ${`%${search}%`} or
          lower(${sql.ref(column)}) collate utf8mb4_bin like lower(${`%${search}%`}))`
      const { rows } = await sql<{ user_id: number }>`select user_id from users
          where ${like('last_name')} or ${like('email')}`.execute(db)
      const linked = rows.filter(({ user_id }) => [1, 2, 10].includes(user_id))
      t.equal((await find('assessments', { search })).total, rows.length * 3, `all, ${search}, ${collation}`)
      const found = await find('assessments', { search, reach: 'linked', userId: '10' })
      t.equal(found.total, linked.length * 3, `linked, ${search}, ${collation}`)
    }
  }
})

t.test('a text of two collations is converted for a term that another column cannot hold', async (t) => {
  const db = await openWorld(t, 'mysql')
  await sql`alter table users modify first_name varchar(100) character set latin1,
      modify last_name varchar(100) collate utf8mb4_bin`.execute(db)
  const users = db
    .selectFrom('users')
    .select(['user_id', 'first_name', 'last_name', 'avatar_url', sql<string>`concat(last_name, email)`.as('email')])
  await db.updateTable('users').set({ last_name: 'Wałęsa' }).where('user_id', '=', 1).execute()
  t.match(await findIn(db, { users })('assessments', { search: 'ałęsaada' }), { total: 3 })
})

t.test('a search finds no user whose id only the type equates, also beside foreign tables', async (t) => {
  const db = await openWorld(t, 'postgres')
  await execute(
    db,
    'create extension citext',
    'alter table links alter owner_id type citext, alter user_id type citext',
    'alter table users alter user_id drop identity',
    'alter table users alter user_id type citext',
    'alter table payments alter user_id type citext',
    "update users set user_id = 'abc' where user_id = '1'",
    "delete from users where user_id = '2'",
    "update payments set user_id = 'abc' where user_id = '1'",
    "update payments set user_id = 'ABC' where user_id = '2'",
    "insert into links values ('boss', 'abc')"
  )
  const linked = async () => (await findIn(db)('payments', { reach: 'linked', userId: 'boss', search: 'ada@' })).total
  t.equal(await linked(), 3)
  t.match(await findIn(db)('payments', { reach: 'own', userId: 'ABC' }), { total: 3, items: [{ email: '' }] })
  await createForeignTable(db)
  await execute(db, 'alter table links drop constraint links_primary', "insert into links values ('boss', 'ABC')")
  t.equal(await linked(), 3)
})
