import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { ListingTables } from '../../src/index.js'
import { execute, findings } from '../support/check.js'
import { type Db, databases, postgresPool } from '../support/databases.js'
import { openWorld } from '../support/tables.js'
import { fill } from '../support/world.js'

/** The scans that the check finds. */
const scans = async (db: Db, tables?: ListingTables) =>
  (await findings(db, tables)).filter((text) => text.includes('reads all rows'))

/** The numbers from 1000 to 7999, one for each row that a table needs so that a scan takes long. */
const numbers = `with recursive d(n) as (select 0 union all select n + 1 from d where n < 99)
  select 1000 + a.n * 100 + b.n as n from d as a, d as b where a.n < 70`

const pi = { mysql: "concat('n', n)", postgres: "'n' || n", sqlite: "'n' || n" }
const time = { mysql: "'2024-01-01'", postgres: "timestamp '2024-01-01'", sqlite: "'2024-01-01'" }

async function addUsers(db: Db, name: (typeof databases)[number]): Promise<void> {
  const identity = name === 'postgres' ? 'overriding system value' : ''
  await execute(
    db,
    `insert into users (user_id, first_name, last_name, email) ${identity}
      select n, 'Jo', 'Doe', 'jo@example.org' from (${numbers}) as s`,
    { mysql: 'analyze table users', postgres: 'analyze users', sqlite: 'analyze' }[name]
  )
}

for (const name of databases) {
  t.test(`the scans of many users on ${name}`, async (t) => {
    const db = await openWorld(t, name)
    const computed = db
      .selectFrom('users')
      .select(['first_name', 'last_name', 'email', 'avatar_url', sql<number>`user_id + 0`.as('user_id')]) as never
    t.strictSame(await scans(db, { users: computed }), [], 'a computed id of few users')
    await addUsers(db, name)
    t.strictSame(await scans(db), [], 'plain ids')
    t.match(
      (await scans(db, { users: computed })).join('\n'),
      /^warning tables: The database reads all rows of users to find users\.user_id, so requests get slow\. (No|SQLite).*$/,
      'once for all columns and lists'
    )

    const columns = 'user_id, first_name, last_name, email, avatar_url'
    for (const [rows, expected] of [
      [`select ${columns} from users union select ${columns} from users where user_id < 0`, 1],
      [`select ${columns} from users where user_id > 0`, 0]
    ] as const) {
      const users = db.selectFrom(sql.raw(`(${rows})`).as('u') as never).selectAll() as never
      const all = await scans(db, { users })
      t.equal(all.length, expected, rows)
      for (const text of all)
        t.match(text, /reads all rows of \w+( in the select of users)? to find users\.user_id, so/)
    }

    await execute(
      db,
      `insert into payments select n, 1 + n % 3, 1, 1, ${pi[name]}, ${time[name]}, 'card', 'paid', 'paid', ${time[name]}
        from (${numbers}) as s`,
      'create table titles (id integer, title varchar(9))',
      "insert into titles values (1, 'Dr')",
      ...{ mysql: ['analyze table payments, titles'], postgres: ['vacuum analyze'], sqlite: ['analyze'] }[name]
    )
    const titled = db
      .selectFrom('users as u')
      .leftJoin('titles as t', 't.id', 'u.user_id')
      .select(['u.user_id', 'u.first_name', 't.title as last_name', 'u.email', 'u.avatar_url']) as never
    const sqliteReads =
      'warning tables: The database reads all rows of users to find users.user_id, so requests get slow. SQLite reads all rows of a select that joins tables, groups rows or computes the column.'
    t.strictSame(
      await scans(db, { users: titled }),
      name === 'sqlite' ? [sqliteReads] : [],
      'few users with many payments, and a small table beside many users'
    )
  })
}

t.test('names of users by a key of another character set', async (t) => {
  const db = await openWorld(t, 'mysql')
  await execute(
    db,
    'create table names (id varchar(20) character set latin1 primary key, family varchar(50))',
    'create table people (user_id integer primary key, code varchar(20) character set utf8mb4, email varchar(50))',
    `insert into people select n, concat('c', n), 'jo@example.org' from (${numbers}) as s`,
    `insert into names select concat('c', n), 'Doe' from (${numbers}) as s`,
    'analyze table names, people'
  )
  const users = db
    .selectFrom('people as p')
    .leftJoin('names as n', 'n.id', 'p.code')
    .select([
      'p.user_id',
      'n.family as first_name',
      'n.family as last_name',
      'p.email',
      sql<null>`null`.as('avatar_url')
    ])
  t.match(
    (await scans(db, { users: users as never })).filter((text) => !text.includes('types are')).join('\n'),
    /^warning tables: The database reads all rows of names in the select of users to find users\.user_id, so .* character sets.*$/
  )
})

t.test('ids of users in another character set', async (t) => {
  const db = await openWorld(t, 'mysql')
  const setCharset = async (table: string, charset: string) =>
    execute(db, `alter table ${table} modify user_id varchar(64) character set ${charset}`)
  for (const table of ['users', 'assessments', 'memberships', 'links']) await setCharset(table, 'utf8mb4')
  await setCharset('payments', 'latin1')
  await addUsers(db, 'mysql')
  const reads = (by: string, reason: string) =>
    `warning tables: The database reads all rows of users to find users.user_id by ${by}, so requests get slow: ${reason}`
  const types = reads(
    'assessments.practitioner_id',
    'their types are varchar and bigint. Give both columns the same type.'
  )
  t.strictSame(await scans(db), [types], 'MySQL converts latin1 to utf8mb4')
  await setCharset('users', 'latin1')
  const charsets = 'give both columns the same character set and collation.'
  t.strictSame(await scans(db), [reads('assessments.user_id', charsets), types, reads('links.user_id', charsets)])
})

t.test('ids of users of another type on PostgreSQL, with a driver that gives every value as text', async (t) => {
  const pool = new pg.Pool({ ...(await postgresPool(t)), types: { getTypeParser: () => String } as never })
  pool.on('error', () => undefined)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  t.teardown(() => db.destroy())
  await fill(db)
  await execute(db, 'alter table payments alter user_id type numeric')
  await addUsers(db, 'postgres')
  t.strictSame(await findings(db), [
    'warning tables: The database reads all rows of users to find users.user_id by payments.user_id, so requests get slow: their types are bigint and numeric. Give both columns the same type.'
  ])
})
