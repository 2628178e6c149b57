/** Kysely instances on pools of a test's own, which end with the test. */
import { type Dialect, Kysely, type Logger, MysqlDialect, type MysqlDialectConfig, PostgresDialect } from 'kysely'
import { createPool, type Pool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import type { Test } from 'tap'
import { type Db, mysqlPool } from './databases.js'
import { startProxy } from './proxy.js'

/** A test, or a part of a run, whose end stops what it has started, the last one first. */
export interface Scope {
  teardown(stop: () => unknown): unknown
}

interface OfMysql extends Omit<Partial<MysqlDialectConfig>, 'pool'> {
  /** The statement with which each session begins. */
  start?: string
  log?: Logger
}

export function openMysql(scope: Scope, options: PoolOptions, { start, log, ...settings }: OfMysql = {}): Db {
  const pool = createPool(options)
  if (start) pool.on('connection', (connection) => connection.query(start))
  return opened(scope, new MysqlDialect({ pool, ...settings }), log)
}

export const openPostgres = (scope: Scope, config: pg.PoolConfig, log?: Logger): Db =>
  opened(scope, postgresOf(new pg.Pool(config)), log)

/** Without the listeners, a session that the server ends would crash the process. */
export function postgresOf(pool: pg.Pool): Dialect {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new PostgresDialect({ pool })
}

export function opened(scope: Scope, dialect: Dialect, log?: Logger): Db {
  const db: Db = new Kysely({ dialect, ...(log && { log }) })
  scope.teardown(() => db.destroy())
  return db
}

export const mysqlOf = (pool: Pool): Db => new Kysely({ dialect: new MysqlDialect({ pool }) })

/** An empty database of MySQL behind a network. */
export async function openBehindNetwork(t: Test, options?: PoolOptions, open = mysqlOf) {
  const { host, port, ...settings } = await mysqlPool(t, options)
  const network = await startProxy(t, { host: String(host), port: Number(port) })
  const db = open(createPool({ ...settings, host: '127.0.0.1', port: network.port }))
  t.teardown(async () => {
    // The reset ends hanging connections. The pool may report the reset as an error when it closes.
    await network.set('reset')
    await db.destroy().catch(() => undefined)
  })
  return { db, network }
}
