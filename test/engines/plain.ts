/** Plain servers with the data. Each is started once, by the first engine that is compared with it. */
import { Kysely } from 'kysely'
import { sqlite } from '../../examples/sqlite.js'
import type { Db } from '../support/databases.js'
import { startMariadb } from '../support/mariadb.mjs'
import { startMysql } from '../support/mysql.mjs'
import { startPostgres } from '../support/postgres.mjs'
import { createMysqlDatabase, openMysql, openPostgres } from './connect.js'
import { type EngineData, fill } from './data.js'
import type { Scope } from './scope.js'

export interface PlainServer {
  url: string
  db: Db
}

export class Plain {
  readonly #scope: Scope
  readonly data: EngineData
  readonly #servers = new Map<string, Promise<PlainServer>>()

  constructor(scope: Scope, data: EngineData) {
    this.#scope = scope
    this.data = data
  }

  postgres = () =>
    this.#once('postgres', async () => {
      const { url, stop } = await startPostgres()
      this.#scope.teardown(stop)
      const db = openPostgres(this.#scope, url)
      await fill(db, 'postgres', this.data)
      return { url, db }
    })

  mariadb = () => this.#once('mariadb', () => this.#mysql(startMariadb))
  mysql = () => this.#once('mysql', () => this.#mysql(startMysql))

  sqlite = () =>
    this.#once('sqlite', async () => {
      const db: Db = new Kysely({ dialect: sqlite() })
      this.#scope.teardown(() => db.destroy())
      await fill(db, 'sqlite', this.data)
      return { url: '', db }
    })

  async #mysql(start: typeof startMariadb | typeof startMysql): Promise<PlainServer> {
    const { url, stop } = await start()
    this.#scope.teardown(stop)
    const db = openMysql(this.#scope, await createMysqlDatabase(url))
    await fill(db, 'mysql', this.data)
    return { url, db }
  }

  #once(name: string, start: () => Promise<PlainServer>): Promise<PlainServer> {
    const server = this.#servers.get(name) ?? start()
    this.#servers.set(name, server)
    return server
  }
}
