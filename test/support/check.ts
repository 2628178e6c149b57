/** The start-up check for tests: its findings as texts, and databases with a user who may only read. */
import { Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import type { Test } from 'tap'
import { checkDatabase, type DatabaseFinding, type ListingTables } from '../../src/index.js'
import { type Db, mysqlPool, postgresPool } from './databases.js'
import { until } from './until.js'

export async function execute(db: Db, ...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** A foreign table that nothing reads, so that a PostgreSQL database has one. */
export const createForeignTable = (db: Db) =>
  execute(
    db,
    'create extension postgres_fdw',
    'create server shard foreign data wrapper postgres_fdw',
    'create foreign table of_shard (id integer) server shard'
  )

/**
 * The findings, one line each: `error tables: users needs …`. A busy machine can exceed the time of a query, so the check
 * runs until it has seen everything.
 */
export async function findings(db: Db, tables?: ListingTables): Promise<string[]> {
  let found: DatabaseFinding[] = []
  await until(async () => {
    found = await checkDatabase({ db, tables })
    return !found.some(({ text }) => text.includes('it took longer than'))
  })
  return found.map(({ level, remedy, text }) => `${level} ${remedy}: ${text}`)
}

interface Account {
  user?: string
  password?: string
}

/** A database, and the same database for a user who may only read its tables, or only the given columns. */
export async function openForReader(t: Test, name: 'mysql' | 'postgres') {
  const user = `reader_${process.pid}`
  const password = 'Reader-1'
  const dialectOf = name === 'mysql' ? await mysqlDialects(t) : await postgresDialects(t)
  const open = (account: Account): Db => {
    const db: Db = new Kysely({ dialect: dialectOf(account) })
    t.teardown(() => db.destroy())
    return db
  }
  const owner = open({})
  return {
    owner,
    async reader(columns?: Record<string, readonly string[]>) {
      const [by, all, drop] =
        name === 'mysql'
          ? ['identified by', 'on *', 'drop user']
          : ['password', 'on all tables in schema public', `drop owned by ${user}; drop user`]
      const rights = columns ? Object.entries(columns).map(([table, names]) => `(${names.join()}) on ${table}`) : [all]
      await execute(
        owner,
        `create user ${user} ${by} '${password}'`,
        ...rights.map((right) => `grant select ${right} to ${user}`)
      )
      t.teardown(() => execute(owner, `${drop} ${user}`))
      return open({ user, password })
    }
  }
}

async function mysqlDialects(t: Test) {
  const pool = await mysqlPool(t)
  return (account: Account) => new MysqlDialect({ pool: createPool({ ...pool, ...account }) })
}

async function postgresDialects(t: Test) {
  const { connectionString } = await postgresPool(t)
  return ({ user, password }: Account) => {
    const url = new URL(String(connectionString))
    const { href } = Object.assign(url, user && { username: user, password })
    const pool = new pg.Pool({ connectionString: href, max: 4 })
    pool.on('error', () => undefined)
    return new PostgresDialect({ pool })
  }
}
