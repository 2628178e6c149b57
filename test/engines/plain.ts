/** Kysely instances with the settings of the documentation, and plain servers with the data. */
import { PostgresDialect, sql } from 'kysely'
import { createConnection } from 'mysql2'
import type { PoolConfig } from 'pg'
import { openPool } from '../../examples/recipes/pg-pool.js'
import { sqlite } from '../../examples/sqlite.js'
import type { Db } from '../support/servers/databases.js'
import { startMariadb, startMysql } from '../support/servers/mysql.mjs'
import type { Scope } from '../support/servers/pools.js'
import * as pools from '../support/servers/pools.js'
import { startDebianPostgres } from '../support/servers/postgres.mjs'
import { startMysqlServer } from '../support/servers/servers.js'
import { type EngineData, fill } from './data.js'

export type Plain = ReturnType<typeof openPlain>

/** Each server is started once, by the first engine that is compared with it. */
export function openPlain(scope: Scope, data: EngineData) {
  const mysql = (start: typeof startMariadb | typeof startMysql) =>
    once(async () => {
      const { url } = await startMysqlServer(scope, start())
      const db = openMysql(scope, url)
      await fill(db, 'mysql', data)
      return { url, db }
    })
  return {
    data,
    mariadb: mysql(startMariadb),
    mysql: mysql(startMysql),
    postgres: once(async () => {
      const { url, stop } = await startDebianPostgres()
      scope.teardown(stop)
      const db = openPostgres(scope, url)
      await fill(db, 'postgres', data)
      return { url, db }
    }),
    sqlite: once(async () => {
      const db = pools.opened(scope, sqlite())
      await fill(db, 'sqlite', data)
      return { db }
    })
  }
}

function once<Server>(start: () => Promise<Server>) {
  let server: Promise<Server> | undefined
  return () => {
    server ??= start()
    return server
  }
}

export const openPostgres = (scope: Scope, connectionString: string, config: PoolConfig = {}): Db =>
  pools.opened(scope, new PostgresDialect({ pool: openPool({ connectionString, max: 4, ...config }, () => undefined) }))

export const openMysql = (scope: Scope, uri: string): Db =>
  pools.openMysql(scope, { uri, connectionLimit: 4, connectTimeout: 500 }, { controlConnection: createConnection })

/** The version of a server, such as 15.18. */
export async function versionOf(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(db)
  return versionIn(rows[0]?.version)
}

/** The first version in a text. */
export const versionIn = (text = ''): string => /\d+(\.\d+)+/.exec(text)?.[0] ?? ''
