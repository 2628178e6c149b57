/** Database servers of a suite's own, each with a database for the lists, and Kysely instances of them. */
import { Kysely, MysqlDialect, type MysqlDialectConfig, PostgresDialect, sql } from 'kysely'
import { createConnection, createPool, type Pool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import { openCluster } from '../../examples/cluster.js'
import type { Db } from './databases.js'
import { startGalera } from './galera.mjs'
import { startMariadb } from './mysql.mjs'
import { startPostgres } from './postgres.mjs'
import type { PrivateServer } from './private-server.mjs'
import { fill } from './world.js'

/** A test, or a part of a run, whose end stops what it has started, the last one first. */
export interface Scope {
  teardown(stop: () => unknown): unknown
}

/** @param more settings of the dialect */
export const mysqlOf = (pool: Pool, more: Partial<MysqlDialectConfig> = {}): Db =>
  new Kysely({ dialect: new MysqlDialect({ pool, ...more }) })

/** Without the listeners, a session that the server ends would crash the process. */
export function postgresOf(pool: pg.Pool): Db {
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

/** A server that ends with the scope, and an instance that uses no database of the lists. */
export async function controlled(scope: Scope, starting: Promise<PrivateServer>, open: (url: string) => Db) {
  const server = await starting
  scope.teardown(server.stop)
  const control = open(server.url)
  scope.teardown(() => control.destroy())
  return { server, control, address: { host: '127.0.0.1', port: Number(new URL(server.url).port) } }
}

/** A server with the empty database `lists`. */
export async function startMysqlServer(scope: Scope, starting: Promise<PrivateServer> = startMariadb()) {
  const started = await controlled(scope, starting, (uri) => mysqlOf(createPool({ uri, connectionLimit: 2 })))
  await sql`create database lists`.execute(started.control)
  return { ...started, url: `${started.server.url}/lists` }
}

/** A MariaDB with the small world in its database `lists`. */
export async function startMysqlLists(scope: Scope) {
  const started = await startMysqlServer(scope)
  const db = mysqlOf(createPool(started.url))
  await fill(db)
  await db.destroy()
  return started
}

/** A PostgreSQL with the small world. */
export async function startPostgresLists(scope: Scope) {
  const open = (connectionString: string) => postgresOf(new pg.Pool({ connectionString, max: 2 }))
  const started = await controlled(scope, startPostgres(), open)
  await fill(started.control)
  return started
}

/** The numbers of connections of a pool of mysql2. */
export function connectionsOf(pool: Pool) {
  const { _allConnections, _freeConnections } = pool as unknown as Record<string, { length: number }>
  return { all: Number(_allConnections?.length), free: Number(_freeConnections?.length) }
}

/** A Galera cluster with the empty database `lists`: one instance of all nodes, and one of each. */
export async function startCluster(scope: Scope) {
  const { nodes, stop } = await startGalera()
  scope.teardown(stop)
  const [{ url = '' } = {}] = nodes
  const first = mysqlOf(createPool(url))
  await sql`create database lists`.execute(first)
  await first.destroy()
  const opened = (db: Db) => {
    scope.teardown(() => db.destroy())
    return db
  }
  const options = nodes.map(({ url }) => ({ uri: `${url}/lists`, connectionLimit: 4, connectTimeout: 1_000 }))
  const withDb = nodes.map((node, index) => ({
    ...node,
    db: opened(mysqlOf(createPool(options[index] as PoolOptions), { controlConnection: createConnection }))
  }))
  type Node = (typeof withDb)[number]
  return { db: opened(openCluster(options)), nodes: withDb as [Node, Node, Node] }
}
