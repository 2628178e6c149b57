/** Kysely instances on pools of a test's own, which end with the test. */
import { type Dialect, Kysely, type Logger, MysqlDialect, type MysqlDialectConfig, PostgresDialect } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import type { Test } from 'tap'
import type { Db } from './databases.js'

interface OfMysql extends Omit<Partial<MysqlDialectConfig>, 'pool'> {
  /** The statement with which each session begins. */
  start?: string
  log?: Logger
}

export function openMysql(t: Test, options: PoolOptions, { start, log, ...settings }: OfMysql = {}): Db {
  const pool = createPool(options)
  if (start) pool.on('connection', (connection) => connection.query(start))
  return opened(t, new MysqlDialect({ pool, ...settings }), log)
}

export function openPostgres(t: Test, config: pg.PoolConfig, log?: Logger): Db {
  const pool = new pg.Pool(config)
  // Without the listeners, a session that the server ends would crash the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return opened(t, new PostgresDialect({ pool }), log)
}

export function opened(t: Test, dialect: Dialect, log?: Logger): Db {
  const db: Db = new Kysely({ dialect, ...(log && { log }) })
  t.teardown(() => db.destroy())
  return db
}
