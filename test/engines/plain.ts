/** Plain servers with the data. Each is started once, by the first engine that is compared with it. */
import { Kysely } from 'kysely'
import { sqlite } from '../../examples/sqlite.js'
import type { Db } from '../support/databases.js'
import { startMariadb } from '../support/mariadb.mjs'
import { startMysql } from '../support/mysql.mjs'
import { startDebianPostgres } from '../support/postgres.mjs'
import { createMysqlDatabase, openMysql, openPostgres } from './connect.js'
import { type EngineData, fill } from './data.js'
import type { Scope } from './scope.js'

export interface PlainServer {
  url: string
  db: Db
}

export type Plain = ReturnType<typeof openPlain>

export function openPlain(scope: Scope, data: EngineData) {
  const servers = new Map<unknown, Promise<PlainServer>>()
  const once = (start: () => Promise<PlainServer>) => () => {
    const server = servers.get(start) ?? start()
    servers.set(start, server)
    return server
  }
  const mysql = (start: typeof startMariadb | typeof startMysql) =>
    once(async () => {
      const { url, stop } = await start()
      scope.teardown(stop)
      const db = openMysql(scope, await createMysqlDatabase(url))
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
      const db: Db = new Kysely({ dialect: sqlite() })
      scope.teardown(() => db.destroy())
      await fill(db, 'sqlite', data)
      return { url: '', db }
    })
  }
}
