/** The start-up check for tests: its findings as texts, and databases with a user who may only read. */
import { Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import type { Test } from 'tap'
import { checkDatabase, type ListingTables } from '../../src/index.js'
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

/** The findings, one line each: `error tables: users needs …`. */
export async function findings(db: Db, tables?: ListingTables): Promise<string[]> {
  const found = await checkDatabase({ db, tables })
  return found.map(({ level, remedy, text }) => `${level} ${remedy}: ${text}`)
}

/** The readable columns by table. */
type Columns = Record<string, readonly string[]>

/** A database, and the same database for a user who may only read its tables, or only the given columns. */
export async function openForReader(
  t: Test,
  name: 'mysql' | 'postgres'
): Promise<{ owner: Db; reader: (columns?: Columns) => Promise<Db> }> {
  const user = `reader_${process.pid}`
  const open = async (dialect: MysqlDialect | PostgresDialect): Promise<Db> => {
    const db: Db = new Kysely({ dialect })
    t.teardown(() => db.destroy())
    return db
  }
  if (name === 'mysql') {
    const pool = await mysqlPool(t)
    const owner = await open(new MysqlDialect({ pool: createPool(pool) }))
    return {
      owner,
      async reader(columns) {
        const rights = rightsOf(columns, ([table, names]) => `(${names.join()}) on ${pool.database}.${table}`)
        await execute(
          owner,
          `create user '${user}'@'%' identified by 'Reader-1'`,
          ...(rights ?? [`on ${pool.database}.*`]).map((right) => `grant select ${right} to '${user}'@'%'`)
        )
        t.teardown(() => execute(owner, `drop user '${user}'@'%'`))
        return open(new MysqlDialect({ pool: createPool({ ...pool, user, password: 'Reader-1' }) }))
      }
    }
  }
  const pool = await postgresPool(t)
  const connect = (settings: pg.PoolConfig) => {
    const connections = new pg.Pool({ ...pool, ...settings })
    connections.on('error', () => undefined)
    return open(new PostgresDialect({ pool: connections }))
  }
  const owner = await connect({})
  return {
    owner,
    async reader(columns) {
      const rights = rightsOf(columns, ([table, names]) => `(${names.join()}) on ${table}`)
      await execute(
        owner,
        `create role ${user} login password 'Reader-1'`,
        ...(rights ?? ['on all tables in schema public']).map((right) => `grant select ${right} to ${user}`)
      )
      t.teardown(() => execute(owner, `drop owned by ${user}`, `drop role ${user}`))
      const url = new URL(String(pool.connectionString))
      url.username = user
      url.password = 'Reader-1'
      return connect({ connectionString: url.href })
    }
  }
}

const rightsOf = (columns: Columns | undefined, right: (entry: [string, readonly string[]]) => string) =>
  columns && Object.entries(columns).map(right)

/** A busy machine can exceed the 300 ms of a probe. The check runs again until the findings are complete. */
export async function findingsOnceThere(db: Db, count: number): Promise<string[]> {
  let found: string[] = []
  await until(async () => {
    found = await findings(db)
    return found.length >= count
  })
  return found
}
