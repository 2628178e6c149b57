/** Real databases for the tests: SQLite in memory, and a database of its own on the MySQL or MariaDB server. */
import { type CompiledQuery, Kysely, type KyselyPlugin, MysqlDialect } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import type { Test } from 'tap'
import { sqlite } from '../../examples/sqlite.js'

export type Db = Kysely<Record<string, Record<string, unknown>>>

/** Every database that the lists are tested on. */
export const databases = ['sqlite', 'mysql'] as const
export type DatabaseName = (typeof databases)[number]

export interface Opening {
  plugins?: KyselyPlugin[]
  /** mysql2's pool settings. */
  pool?: PoolOptions
  /** Sees every statement that is sent. */
  onQuery?: (query: CompiledQuery) => void
}

let count = 0

/** An empty database, gone when the test ends. */
export async function openDatabase(t: Test, name: DatabaseName, { plugins, pool, onQuery }: Opening = {}): Promise<Db> {
  const dialect = name === 'sqlite' ? sqlite() : new MysqlDialect({ pool: createPool(await mysqlPool(t, pool)) })
  const log = onQuery && { log: (event: { query: CompiledQuery }) => onQuery(event.query) }
  const db: Db = new Kysely({ dialect, plugins: plugins ?? [], ...log })
  t.teardown(() => db.destroy())
  return db
}

/** Makes a database on the server and gives the pool options that lead to it. */
export async function mysqlPool(t: Test, options: PoolOptions = {}): Promise<PoolOptions> {
  const uri = process.env.TEST_MYSQL_URL
  if (!uri) throw new Error('Run the tests with `npm test`, or set TEST_MYSQL_URL to a MySQL or MariaDB server.')
  const database = `listing_${process.pid}_${++count}`
  const server = await createConnection(uri)
  await server.query(`create database ${database} character set utf8mb4`)
  t.teardown(async () => {
    await server.query(`drop database ${database}`)
    await server.end()
  })
  const { hostname, port, username, password } = new URL(uri)
  return {
    host: hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database,
    connectionLimit: 4,
    ...options
  }
}
