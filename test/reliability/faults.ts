/**
 * Faults of the database, of the network and of an identity provider, under load: on a MariaDB and a PostgreSQL of
 * its own behind a TCP proxy. The pools give up a handshake after half a second.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createConnection, createPool, type Pool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import t, { type Test } from 'tap'
import { columnsOf } from '../support/columns.js'
import type { Db } from '../support/databases.js'
import { listening } from '../support/listening.js'
import { startMariadb } from '../support/mariadb.mjs'
import { startPostgres } from '../support/postgres.mjs'
import type { PrivateServer } from '../support/private-server.mjs'
import { type Fault, type FaultyNetwork, startProxy } from '../support/proxy.js'
import { tokenOf } from '../support/tokens.js'
import { until } from '../support/until.js'
import { admin, fill } from '../support/world.js'
import { type HttpAnswer, put } from './clients.js'
import { judge, listsOn, tellOfAll, timeout } from './load-on.js'
import { tell, times } from './sizes.js'

let mariadb: PrivateServer
let control: Db
let postgres: PrivateServer
let postgresControl: Db
t.before(async () => {
  mariadb = await startMariadb()
  control = mysqlOf(createPool({ uri: mariadb.url, connectionLimit: 1 }))
  await sql`create database lists`.execute(control)
  await control.destroy()
  control = mysqlOf(createPool({ uri: `${mariadb.url}/lists`, connectionLimit: 2 }))
  await fill(control)
  postgres = await startPostgres()
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 })
  pool.on('error', () => undefined)
  postgresControl = new Kysely({ dialect: new PostgresDialect({ pool }) })
  await fill(postgresControl)
})
t.teardown(async () => {
  await control.destroy()
  await mariadb.stop()
  await postgresControl.destroy()
  await postgres.stop()
})

const mysqlOf = (pool: Pool): Db => new Kysely({ dialect: new MysqlDialect({ pool }) })

/** The lists with a pool behind a proxy. */
async function lists(t: Test, options: PoolOptions = {}) {
  const { hostname, port } = new URL(mariadb.url)
  const proxy = await startProxy(t, { host: hostname, port: Number(port) })
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
    const ended = db.destroy()
    // Ends the connections that still hang.
    await sleep(50)
    await proxy.set('reset')
    await ended.catch(() => undefined)
  })
  /** The number of statements that MariaDB still runs, and of connections that are not free. */
  const left = async () => {
    const { _allConnections, _freeConnections } = pool as unknown as Record<string, { length: number }>
    return (await running()) + Number(_allConnections?.length) - Number(_freeConnections?.length)
  }
  return { proxy, pool, left, ...(await listsOn(t, db)) }
}

/** The number of statements of the lists that MariaDB still runs. */
async function running(): Promise<number> {
  const { rows } = await sql`select id from information_schema.processlist
    where db = 'lists' and command = 'Query' and info like '%payments%' and id <> connection_id()`.execute(control)
  return rows.length
}

const during = times(400, 1_000, 5_000)

const networks: Fault[] = ['refuse', 'reset', 'deaf', 'silent', 'slow', 'truncate']
for (const fault of networks) {
  t.test(`a network in the state '${fault}'`, async (t) => {
    const { proxy, ask, left, load, recovery } = await lists(t)
    t.equal((await ask()).status, 200)
    const outcome = await load(happens(proxy, fault))
    await judge(t, outcome, await recovery(), left, fault !== 'slow')
  })

  t.test(`a network to PostgreSQL in the state '${fault}'`, async (t) => {
    const { hostname, port } = new URL(postgres.url)
    const proxy = await startProxy(t, { host: hostname, port: Number(port) })
    const { ask, left, load, recovery } = await postgresLists(t, proxy.port)
    t.equal((await ask()).status, 200)
    const outcome = await load(happens(proxy, fault))
    await judge(t, outcome, await recovery(), left, fault !== 'slow')
    await proxy.set('reset')
  })
}

/** The lists on PostgreSQL, with the pool settings of the documentation. */
async function postgresLists(t: Test, port = Number(new URL(postgres.url).port)) {
  const pool = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', max: 4, connectionTimeoutMillis: 500 })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.setTimeout(timeout + 250, () => stream.destroy())
  })
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  t.teardown(() => Promise.race([db.destroy(), sleep(3_000)]))
  /** The number of statements that PostgreSQL still runs, and of connections that are not free. */
  const left = async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where state = 'active' and query like '%payments%' and pid <> pg_backend_pid()`.execute(postgresControl)
    return rows.length + pool.totalCount - pool.idleCount
  }
  return { left, ...(await listsOn(t, db)) }
}

async function happens(network: FaultyNetwork, fault: Fault): Promise<void> {
  await sleep(100)
  await network.set(fault)
  await sleep(Math.max(during, fault === 'deaf' || fault === 'silent' ? timeout * 2 : 0))
  await network.set('none')
}

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  t.test(`a MariaDB that ends by ${signal} and starts again`, async (t) => {
    const { ask, left, load, recovery } = await lists(t)
    t.equal((await ask()).status, 200)
    const outcome = await load(endsAndStarts(mariadb, signal))
    await judge(t, outcome, await recovery(), left)
  })

  // At a SIGTERM, PostgreSQL waits until all sessions have ended.
  const fast = signal === 'SIGTERM' ? 'SIGINT' : signal
  t.test(`a PostgreSQL that ends by ${fast} and starts again`, async (t) => {
    const { ask, left, load, recovery } = await postgresLists(t)
    t.equal((await ask()).status, 200)
    const outcome = await load(endsAndStarts(postgres, fast))
    await judge(t, outcome, await recovery(), left)
  })
}

async function endsAndStarts(server: PrivateServer, signal: NodeJS.Signals): Promise<void> {
  await sleep(100)
  await server.end(signal)
  await sleep(during)
  await server.start()
}

t.test('a database that starts after the server', async (t) => {
  await mariadb.end('SIGTERM')
  const { left, load, recovery } = await lists(t)
  const outcome = await load(sleep(during).then(() => mariadb.start()))
  t.notOk(outcome.statuses.has(504))
  await judge(t, outcome, await recovery(), left)
})

t.test('a locked table', async (t) => {
  const { ask, left, load, recovery } = await lists(t)
  t.equal((await ask()).status, 200)
  const outcome = await control.connection().execute(async (connection) => {
    await sql`lock tables payments write`.execute(connection)
    const outcome = await load(sleep(timeout * 1.5))
    await sql`unlock tables`.execute(connection)
    return outcome
  })
  t.ok(outcome.statuses.has(504))
  await judge(t, outcome, await recovery(), left)
})

t.test('an administrator who kills statements and sessions', async (t) => {
  const { ask, left, load, recovery } = await lists(t)
  t.equal((await ask()).status, 200)
  let killing = true
  const kills = (async () => {
    while (killing) {
      const { rows } = await sql<{ id: number }>`select id from information_schema.processlist
        where db = 'lists' and id <> connection_id()`.execute(control)
      for (const [index, { id }] of rows.entries()) {
        await sql`kill ${sql.raw(index % 2 ? 'query' : 'connection')} ${sql.lit(id)}`.execute(control).catch(() => {})
      }
      await sleep(20)
    }
  })()
  const outcome = await load(sleep(during))
  killing = false
  await kills
  await judge(t, outcome, await recovery(), left)
})

t.test('a server without a free connection', async (t) => {
  const { left, load, recovery } = await lists(t)
  await sql`set global max_connections = 10`.execute(control)
  const hog = createPool({ uri: mariadb.url, connectionLimit: 20 })
  const hogs = Array.from({ length: 12 }, () => hog.promise().getConnection())
  const connections = await Promise.allSettled(hogs)
  const outcome = await load(sleep(during))
  for (const connection of connections) if (connection.status === 'fulfilled') connection.value.destroy()
  hog.end()
  await judge(t, outcome, await recovery(), left)
  await sql`set global max_connections = 500`.execute(control)
})

for (const [what, options] of [
  ['a pool that is exhausted', {}],
  ['a pool that is exhausted, with a limit of its queue', { queueLimit: 2 }],
  ['a pool that is exhausted, and lets nobody wait', { waitForConnections: false }]
] as const) {
  t.test(what, async (t) => {
    const { pool, left, load, recovery } = await lists(t, { connectionLimit: 2, ...options })
    const taken = await Promise.all([pool.promise().getConnection(), pool.promise().getConnection()])
    const outcome = await load(sleep(timeout * 1.5))
    for (const connection of taken) connection.release()
    t.notOk(outcome.statuses.has(200))
    await judge(t, outcome, await recovery(), left)
  })
}

t.test('clients that pipeline slow requests, and leave', async (t) => {
  const pool = createPool({ uri: `${mariadb.url}/lists`, connectionLimit: 10 })
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool, controlConnection: createConnection }) })
  t.teardown(() => db.destroy())
  const slow = sql<string>`concat(payment_intent, left(benchmark(500000, md5(payment_intent)), 0))`
  const columns = columnsOf.payments.filter((column) => column !== 'payment_intent')
  const payments = db.selectFrom('payments').select([...columns, slow.as('payment_intent')])
  const deadline = 10_000
  const options = { db, timeout: deadline, checkOnReady: 'off', tables: { payments: payments as never } } as const
  const { address, port } = await listening(t, options)
  const request = `GET /payment/list?search=zz HTTP/1.1\r\nhost: lists\r\nauthorization: Bearer ${tokenOf(admin)}\r\n\r\n`
  const clients = times(3, 10, 50)
  const lasted: number[] = []
  const leave = async () => {
    for (let client = 0; client < clients; client++) {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(request.repeat(5))
      t.ok(await until(async () => (await running()) === 5), 'five statements run')
      const start = performance.now()
      socket.destroy()
      await until(async () => (await running()) === 0, deadline * 2)
      lasted.push(performance.now() - start)
    }
  }
  const asks = [{ path: '/assessment/list?search=', token: tokenOf(admin) }]
  const problemOf = ({ status, text }: HttpAnswer) => (status === 200 ? undefined : text)
  const outcome = await put({ origins: [address], asks, connections: 8, rate: 200, until: leave(), problemOf })
  t.strictSame(outcome.wrong, [])
  // On a busy machine, the connection that stops a statement opens late. A statement that nobody stops runs to the deadline.
  const broken = lasted.filter((milliseconds) => milliseconds > deadline / 2).length
  const worst = `${Math.round(Math.max(...lasted))} ms`
  t.equal(broken, 0, `the statements end after ${worst}`)
  tell({ what: 'clients that pipeline and leave: statements that nobody stopped', tried: clients, broken, worst })
})

for (const state of ['away', 'silent'] as const) {
  t.test(`an identity provider that is ${state}`, async (t) => {
    let silent = false
    const provider: Server = createServer((_request, response) => silent || response.end('a key'))
    const listen = async (port: number) => void (await once(provider.listen(port, '127.0.0.1'), 'listening'))
    await listen(0)
    t.teardown(() => provider.close())
    const { port } = provider.address() as AddressInfo
    const keyOf = async () => (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text()
    const { ask, load, recovery } = await listsOn(t, control, {
      authenticate: async (request) => {
        await keyOf()
        await request.jwtVerify()
      }
    })
    t.equal((await ask()).status, 200)
    const outcome = await load(
      (async () => {
        if (state === 'silent') silent = true
        else await new Promise((resolve) => provider.close(resolve))
        await sleep(Math.max(during, timeout * 1.5))
        if (state === 'silent') silent = false
        else await listen(port)
      })()
    )
    t.ok(outcome.statuses.has(state === 'away' ? 503 : 504))
    await judge(t, outcome, await recovery())
    provider.closeAllConnections()
  })
}

t.test('the figures', async (t) => tellOfAll(t))
