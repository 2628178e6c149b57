/**
 * Real databases for the tests: SQLite in memory, and databases of their own on the servers of the test command. A
 * driver is loaded by the first test that opens its database.
 */
import { type CompiledQuery, type Dialect, Kysely, type KyselyPlugin, MysqlDialect, PostgresDialect } from 'kysely'
import type { PoolOptions } from 'mysql2'
import type pg from 'pg'
import type { Test } from 'tap'
import { sqlite } from '../../../examples/sqlite.js'
import { type DatabaseName, databases, isLeftOut, reasonOf } from './left-out.mjs'

export type Db = Kysely<Record<string, Record<string, unknown>>>

export { type DatabaseName, databases }

export interface Opening {
  plugins?: KyselyPlugin[]
  /** mysql2's pool settings. A pool of PostgreSQL has as many connections. */
  pool?: PoolOptions
  /** Is called for every statement. */
  onQuery?: (query: CompiledQuery) => void
  /** Runs before each statement. If it throws, the statement fails. */
  before?: (query: CompiledQuery) => unknown
  /** Changes each statement, as a proxy or a storage engine does. */
  rewrite?: (statement: string) => string
  /** Is called for every compiled statement. */
  onCompile?: (statement: string) => void
}

type Run<Name> = (t: Test, name: Name) => Promise<unknown>

/** A test on each of the databases. The name of the database ends its title. */
export function onDatabases(t: Test, title: string, run: Run<DatabaseName>): void {
  for (const name of databases) t.test(`${title} on ${name}`, (t) => run(t, name))
}

/** The same on each database that has a server. */
export function onServers(t: Test, title: string, run: Run<'mysql' | 'postgres'>): void {
  for (const name of ['mysql', 'postgres'] as const) t.test(`${title} on ${name}`, (t) => run(t, name))
}

let count = 0

/** Opens an empty database, which the end of the test deletes. */
export async function openDatabase(
  t: Test,
  name: DatabaseName,
  { plugins, pool, onQuery, ...changes }: Opening = {}
): Promise<Db> {
  const dialects: Record<DatabaseName, () => Promise<Dialect>> = {
    sqlite: async () => sqlite(),
    mysql: async () => {
      const options = await mysqlPool(t, pool)
      const { createPool } = await import('mysql2')
      return new MysqlDialect({ pool: createPool(options) })
    },
    postgres: async () => {
      const { default: pg } = await import('pg')
      const opened = new pg.Pool(await postgresPool(t, pool?.connectionLimit ? { max: pool.connectionLimit } : {}))
      // The drop of the database ends its idle connections.
      opened.on('error', () => undefined)
      return new PostgresDialect({ pool: opened })
    }
  }
  const log = onQuery && { log: (event: { query: CompiledQuery }) => onQuery(event.query) }
  const opened = await dialects[name]()
  const dialect = Object.keys(changes).length > 0 ? altered(opened, changes) : opened
  const db: Db = new Kysely({ dialect, plugins: plugins ?? [], ...log })
  t.teardown(() => db.destroy())
  return db
}

/** A dialect that runs a callback before each statement, and changes the statement. */
const altered = (
  dialect: Dialect,
  { before, rewrite = (statement) => statement, onCompile }: Pick<Opening, 'before' | 'rewrite' | 'onCompile'>
): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler() {
    const compiler = dialect.createQueryCompiler()
    return {
      compileQuery(...parameters) {
        const compiled = compiler.compileQuery(...parameters)
        onCompile?.(compiled.sql)
        return compiled
      }
    }
  },
  createDriver: () => {
    const driver = dialect.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    const known = new WeakSet()
    driver.acquireConnection = async (...settings) => {
      const connection = await acquire(...settings)
      if (known.has(connection)) return connection
      known.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = async (query, ...rest) => {
        await before?.(query)
        return execute({ ...query, sql: rewrite(query.sql) }, ...rest)
      }
      return connection
    }
    return driver
  }
})

/** The column type of a date and time without a zone. */
export const dateTime = (name: DatabaseName) => (name === 'postgres' ? 'timestamp' : 'datetime')

/** The URL of the server from the environment. Skips the rest of the test if TEST_DATABASE leaves the server out. */
async function serverUrl(t: Test, name: 'mysql' | 'postgres'): Promise<string> {
  if (isLeftOut(name)) return skipTheRest(t, reasonOf(name))
  const variable = name === 'mysql' ? 'TEST_MYSQL_URL' : 'TEST_POSTGRES_URL'
  const url = process.env[variable]
  if (!url)
    throw new Error(`Run the tests with \`npm test\`, or set ${variable} to a server on which databases may be made.`)
  return url
}

/** Ends a test before its function ends, as tap does at a timeout. The returned promise never settles. */
async function skipTheRest(t: Test, reason: string): Promise<never> {
  // tap sets `donePromise` after the function of the test has returned its promise.
  await new Promise((resolve) => setImmediate(resolve))
  const { donePromise } = t as { donePromise?: { tapAbortPromise(): void } }
  if (!donePromise) throw new Error(`${t.name} ${reason}`)
  t.pass('the rest of the test', { skip: reason })
  t.end()
  donePromise.tapAbortPromise()
  return new Promise<never>(() => undefined)
}

/** Creates a database on the MySQL or MariaDB server and returns its pool options. */
export async function mysqlPool(t: Test, options: PoolOptions = {}): Promise<PoolOptions> {
  const uri = await serverUrl(t, 'mysql')
  const database = `listing_${process.pid}_${++count}`
  const { createConnection } = await import('mysql2/promise')
  const server = await createConnection(uri)
  // An interrupted run, whose process had the same id, can have left the database.
  await server.query(`drop database if exists ${database}`)
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

/** Takes an empty database of the PostgreSQL server until the end of the test, and returns its pool options. */
export async function postgresPool(t: Test, options: pg.PoolConfig = {}): Promise<pg.PoolConfig> {
  const connectionString = await serverUrl(t, 'postgres')
  const { default: pg } = await import('pg')
  const server = new pg.Client({ connectionString })
  await server.connect()
  // The end of this connection frees the database, also if the process crashes.
  t.teardown(() => server.end())
  const database = await freeDatabase(server)
  const url = new URL(connectionString)
  url.pathname = database
  const own = new pg.Client({ connectionString: url.href })
  await own.connect()
  await own.query(emptying)
  await own.end()
  return { connectionString: url.href, max: 4, ...options }
}

/** The tests share a few databases: PostgreSQL needs 100 ms to make a database, and 10 ms to empty one. */
async function freeDatabase(server: pg.Client): Promise<string> {
  const { testDatabase } = await import('./postgres.mjs')
  for (let number = 1; ; number++) {
    const locked = await server.query('select pg_try_advisory_lock($1) as free', [number])
    if (!locked.rows[0].free) continue
    const database = `${testDatabase}${number}`
    const { rowCount } = await server.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await server.query(`create database ${database}`)
    return database
  }
}

/** Ends what a former test left: its connections, its schemas and its extensions. */
const emptying = `
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  do $$ declare name text; begin
    for name in select extname from pg_extension where extname <> 'plpgsql' loop
      execute format('drop extension %I cascade', name);
    end loop;
    for name in select nspname from pg_namespace where nspname <> 'information_schema' and nspname !~ '^pg_' loop
      execute format('drop schema %I cascade', name);
    end loop;
  end $$;
  create schema public;
  grant usage on schema public to public`
