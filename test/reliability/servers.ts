/** Database servers of a suite's own, with the small world in them. */
import { Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool, type Pool } from 'mysql2'
import pg from 'pg'
import type { Test } from 'tap'
import type { Db } from '../support/databases.js'
import { startMariadb } from '../support/mariadb.mjs'
import { startPostgres } from '../support/postgres.mjs'
import type { PrivateServer } from '../support/private-server.mjs'
import { fill } from '../support/world.js'

export const mysqlOf = (pool: Pool): Db => new Kysely({ dialect: new MysqlDialect({ pool }) })

/** Without the listeners, a session that the server ends would crash the process. */
export function postgresOf(pool: pg.Pool): Db {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

/** A server with the small world in it, which ends with the test. */
function lists(t: Test, server: PrivateServer, control: Db) {
  t.teardown(async () => {
    await control.destroy()
    await server.stop()
  })
  return { server, control, address: { host: '127.0.0.1', port: Number(new URL(server.url).port) } }
}

/** A MariaDB with the database `lists`. The sessions of `control` use no database. */
export async function startMysqlLists(t: Test) {
  const server = await startMariadb()
  const control = mysqlOf(createPool({ uri: server.url, connectionLimit: 2 }))
  await control.schema.createSchema('lists').execute()
  const db = mysqlOf(createPool(`${server.url}/lists`))
  await fill(db)
  await db.destroy()
  return lists(t, server, control)
}

export async function startPostgresLists(t: Test) {
  const server = await startPostgres()
  const control = postgresOf(new pg.Pool({ connectionString: server.url, max: 2 }))
  await fill(control)
  return lists(t, server, control)
}

/** The numbers of connections of a pool of mysql2. */
export function connectionsOf(pool: Pool) {
  const { _allConnections, _freeConnections } = pool as unknown as Record<string, { length: number }>
  return { all: Number(_allConnections?.length), free: Number(_freeConnections?.length) }
}
