/** Database servers of a suite's own, each with a database for the lists, and Kysely instances of them. */
import { sql } from 'kysely'
import { createConnection, createPool, type Pool, type PoolOptions } from 'mysql2'
import { openCluster } from '../../../examples/cluster.js'
import { fill } from '../fixtures/world.js'
import type { Db } from './databases.js'
import { startGalera } from './galera.mjs'
import { startMariadb } from './mysql.mjs'
import { mysqlOf, openMysql, openPostgres, type Scope } from './pools.js'
import { startPostgres } from './postgres.mjs'
import type { PrivateServer } from './private-server.mjs'

/** A server that ends with the scope, and an instance that `open` opens, which uses no database of the lists. */
export async function controlled(scope: Scope, starting: Promise<PrivateServer>, open: (url: string) => Db) {
  const server = await starting
  scope.teardown(server.stop)
  return { server, control: open(server.url), address: { host: '127.0.0.1', port: Number(new URL(server.url).port) } }
}

/** A server with the empty database `lists`. */
export async function startMysqlServer(scope: Scope, starting: Promise<PrivateServer> = startMariadb()) {
  const started = await controlled(scope, starting, (uri) => openMysql(scope, { uri, connectionLimit: 2 }))
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
  const open = (connectionString: string) => openPostgres(scope, { connectionString, max: 2 })
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
  const options = nodes.map(({ url }) => ({ uri: `${url}/lists`, connectionLimit: 4, connectTimeout: 1_000 }))
  const withDb = nodes.map((node, index) => ({
    ...node,
    db: openMysql(scope, options[index] as PoolOptions, { controlConnection: createConnection })
  }))
  type Node = (typeof withDb)[number]
  const db: Db = openCluster(options)
  scope.teardown(() => db.destroy())
  return { db, nodes: withDb as [Node, Node, Node] }
}
