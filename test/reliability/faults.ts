/**
 * Faults of the database and of the network under load, on a MariaDB and a PostgreSQL of its own behind a TCP proxy. The
 * pools give up a handshake after half a second.
 */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { Db } from '../support/servers/databases.js'
import { mysqlOf, postgresOf } from '../support/servers/pools.js'
import type { PrivateServer } from '../support/servers/private-server.mjs'
import { type Fault, type FaultyNetwork, startProxy } from '../support/servers/proxy.js'
import { connectionsOf, startMysqlLists, startPostgresLists } from '../support/servers/servers.js'
import { listsOn, survive, tellOfAll, timeout } from './load-on.js'
import { times } from './sizes.js'

const mariadb = await startMysqlLists(t)
const postgres = await startPostgresLists(t)

/** The lists with a pool behind a proxy. */
async function onMariadb(t: Test, options: PoolOptions = {}) {
  const proxy = await startProxy(t, mariadb.address)
  const pool = createPool({
    host: '127.0.0.1',
    port: proxy.port,
    user: 'root',
    database: 'lists',
    connectionLimit: 4,
    // An unanswered handshake occupies the pool until this timeout. The default of mysql2 is 10 seconds.
    connectTimeout: 500,
    ...options
  })
  const db = mysqlOf(pool)
  t.teardown(async () => {
    const ended = db.destroy().catch(() => undefined)
    // Ends the connections that still hang.
    await sleep(50)
    await proxy.set('reset')
    await ended
  })
  /** The number of statements that MariaDB still runs, and of connections that are not free. */
  const left = async () => {
    const { rows } = await sql`select id from information_schema.processlist
      where db = 'lists' and command = 'Query' and info like '%payments%' and id <> connection_id()`.execute(
      mariadb.control
    )
    const { all, free } = connectionsOf(pool)
    return rows.length + all - free
  }
  return { proxy, pool, ...(await listsOn(t, db, left)) }
}

/** The lists on PostgreSQL, with the pool settings of the documentation. */
async function onPostgres(t: Test) {
  const proxy = await startProxy(t, postgres.address)
  const address = { host: '127.0.0.1', port: proxy.port, user: 'postgres' }
  const pool = new pg.Pool({ ...address, max: 4, connectionTimeoutMillis: 500 })
  pool.on('connect', (client) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.setTimeout(timeout + 250, () => stream.destroy())
  })
  const db: Db = new Kysely({ dialect: postgresOf(pool) })
  t.teardown(async () => {
    await Promise.race([Promise.all([db.destroy(), proxy.set('reset')]), sleep(3_000)])
  })
  /** The number of statements that PostgreSQL still runs, and of connections that are not free. */
  const left = async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where state = 'active' and query like '%payments%' and pid <> pg_backend_pid()`.execute(postgres.control)
    return rows.length + pool.totalCount - pool.idleCount
  }
  return { proxy, ...(await listsOn(t, db, left)) }
}

const during = times(400, 1_000, 5_000)

async function happens(network: FaultyNetwork, fault: Fault): Promise<void> {
  await sleep(100)
  await network.set(fault)
  await sleep(Math.max(during, fault === 'deaf' || fault === 'silent' ? timeout * 2 : 0))
  await network.set('none')
}

async function endsAndStarts(server: PrivateServer, signal: NodeJS.Signals): Promise<void> {
  await sleep(100)
  await server.end(signal)
  await sleep(during)
  await server.start()
}

for (const [name, { server }, open, signals] of [
  ['MariaDB', mariadb, onMariadb, ['SIGKILL', 'SIGTERM']],
  // At a SIGTERM, PostgreSQL waits until all sessions have ended.
  ['PostgreSQL', postgres, onPostgres, ['SIGKILL', 'SIGINT']]
] as const) {
  for (const fault of ['refuse', 'reset', 'deaf', 'silent', 'slow', 'truncate'] as const) {
    t.test(`a network to ${name} in the state '${fault}'`, async (t) => {
      const { proxy, ...lists } = await open(t)
      t.equal((await lists.ask()).status, 200)
      await survive(t, lists, () => happens(proxy, fault), { isFelt: fault !== 'slow' })
    })
  }
  for (const signal of signals) {
    t.test(`a ${name} that ends by ${signal} and starts again`, async (t) => {
      const lists = await open(t)
      t.equal((await lists.ask()).status, 200)
      await survive(t, lists, () => endsAndStarts(server, signal))
    })
  }
}

t.test('a database that starts after the server', async (t) => {
  await mariadb.server.end('SIGTERM')
  const lists = await onMariadb(t)
  const statuses = await survive(t, lists, () => sleep(during).then(() => mariadb.server.start()))
  t.notOk(statuses.has(504))
})

const { control } = mariadb
const lockTable = () =>
  control.connection().execute(async (connection) => {
    await sql`lock tables lists.payments write`.execute(connection)
    await sleep(timeout * 1.5)
    await sql`unlock tables`.execute(connection)
  })

async function killAll() {
  for (const start = performance.now(); performance.now() < start + during; await sleep(20)) {
    const { rows } = await sql<{ id: number }>`select id from information_schema.processlist
      where db = 'lists' and id <> connection_id()`.execute(control)
    for (const [index, { id }] of rows.entries()) {
      await sql`kill ${sql.raw(index % 2 ? 'query' : 'connection')} ${sql.lit(id)}`.execute(control).catch(() => {})
    }
  }
}

for (const [what, fault, status] of [
  ['a locked table', lockTable, 504],
  ['an administrator who kills statements and sessions', killAll, 503]
] as const) {
  t.test(what, async (t) => {
    const lists = await onMariadb(t)
    t.equal((await lists.ask()).status, 200)
    t.ok((await survive(t, lists, fault)).has(status))
  })
}

for (const [what, options] of [
  ['a pool that is exhausted', {}],
  ['a pool that is exhausted, with a limit of its queue', { queueLimit: 2 }],
  ['a pool that is exhausted, and lets nobody wait', { waitForConnections: false }]
] as const) {
  t.test(what, async (t) => {
    const { pool, ...lists } = await onMariadb(t, { connectionLimit: 2, ...options })
    const taken = await Promise.all([pool.promise().getConnection(), pool.promise().getConnection()])
    const undo = () => taken.map((connection) => connection.release())
    const statuses = await survive(t, lists, () => sleep(timeout * 1.5), { undo })
    t.notOk(statuses.has(200))
  })
}

t.test('the figures', async (t) => tellOfAll(t))
