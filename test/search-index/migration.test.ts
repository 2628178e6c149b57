import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Kysely as Kysely28, MysqlDialect as MysqlDialect28 } from 'kysely-0.28'
import { createPool } from 'mysql2'
import t from 'tap'
import { searchIndex } from '../../src/index.js'
import { execute } from '../support/check.js'
import { databases, mysqlPool } from '../support/databases.js'
import { rowsOf, users } from '../support/search-index.js'
import { openWorld } from '../support/tables.js'

t.test('the migration of a search index', { skip: !databases.includes('mysql') }, async (t) => {
  t.test('the migration fills the index, and down drops everything', async (t) => {
    const db = await openWorld(t, 'mysql')
    const before = (await db.introspection.getTables()).length
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ index: searchIndex(users) }) } })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    const rows = await rowsOf(db)
    t.ok(rows.length > 100, `${rows.length} rows`)
    await migrator.migrateDown()
    t.equal((await db.introspection.getTables()).length, before)
    const { rows: triggers } = await sql`show triggers`.execute(db)
    t.strictSame(triggers, [])
  })

  t.test('the migration works with Kysely 0.28', async (t) => {
    const db = await openWorld(t, 'mysql')
    const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
    const pool = createPool({ ...(await mysqlPool(t)), database: String(rows[0]?.name) })
    const older = new Kysely28({ dialect: new MysqlDialect28({ pool }) })
    t.teardown(() => older.destroy())
    await searchIndex(users).up(older)
    t.equal((await rowsOf(db)).length, 256)
    await searchIndex(users).down(older)
  })

  t.test('the plugins of the host name the table', async (t) => {
    const db = await openWorld(t, 'mysql')
    const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
    const other = `${rows[0]?.name}_tenant`
    await execute(db, `create database ${other}`, `create table ${other}.users like users`)
    t.teardown(() => execute(db, `drop database ${other}`))
    await searchIndex(users).up(db.withSchema(other))
    t.strictSame(await rowsOf(db, `${other}.users_search`), [])
    const missing = await sql`select 1 from users_search`.execute(db).catch(({ errno }) => errno)
    t.equal(missing, 1146)
    await searchIndex(users).down(db.withSchema(other))
  })
})

for (const name of ['mysql', 'sqlite'] as const) {
  t.test(`a table of the host named users_search stays on ${name}`, { skip: !databases.includes(name) }, async (t) => {
    const db = await openWorld(t, name)
    await execute(
      db,
      name === 'sqlite'
        ? "create virtual table users_search using fts5(term, tokenize = 'trigram')"
        : `create table users_search (user_id int, term varchar(90)) comment '{"format":"parquet"}'`
    )
    const message = 'searchIndex: the table users_search exists and is not of a search index. Rename the table.'
    await t.rejects(searchIndex(users).up(db), { message })
    await t.rejects(searchIndex(users).down(db), { message })
    const { rows } = await sql`select term from users_search`.execute(db)
    t.strictSame(rows, [])
  })
}

t.test('PostgreSQL is refused', { skip: !databases.includes('postgres') }, async (t) => {
  const db = await openWorld(t, 'postgres')
  const message = 'searchIndex is not for PostgreSQL. Create a trigram index (pg_trgm), see docs/scaling.md.'
  await t.rejects(searchIndex(users).up(db), { message })
  await t.rejects(searchIndex(users).down(db), { message })
})
