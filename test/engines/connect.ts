/** Kysely instances of a server, with the settings of the documentation. */
import { Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createConnection, createPool } from 'mysql2'
import { openPool } from '../../examples/recipes/pg-pool.js'
import type { Db } from '../support/databases.js'
import type { Scope } from './scope.js'

export function openPostgres(scope: Scope, connectionString: string): Db {
  const db: Db = new Kysely({
    dialect: new PostgresDialect({ pool: openPool({ connectionString, max: 4 }, () => undefined) })
  })
  scope.teardown(() => db.destroy())
  return db
}

export function openMysql(scope: Scope, uri: string): Db {
  const pool = createPool({ uri, connectionLimit: 4, connectTimeout: 500 })
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool, controlConnection: createConnection }) })
  scope.teardown(() => db.destroy())
  return db
}

/** Creates the database `lists`, and returns its URL. */
export async function createMysqlDatabase(url: string, name = 'lists'): Promise<string> {
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ uri: url, connectionLimit: 1 }) }) })
  await sql.raw(`create database ${name} character set utf8mb4`).execute(db)
  await db.destroy()
  return `${url}/${name}`
}

/** The version of a server, such as 15.18. */
export async function versionOf(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return versionIn(rows[0]?.version)
}

/** The first version in a text. */
export const versionIn = (text = ''): string => /\d+(\.\d+)+/.exec(text)?.[0] ?? ''
