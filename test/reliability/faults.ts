/**
 * Faults of the database, of the network and of an identity provider, under load: on a MariaDB and a PostgreSQL of
 * its own behind a TCP proxy. The pools give up a handshake after half a second.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import pg from 'pg'
import t, { type Test } from 'tap'
import type { ListingOptions } from '../../src/index.js'
import type { Db } from '../support/databases.js'
import { expected } from '../support/oracle.js'
import type { PrivateServer } from '../support/private-server.mjs'
import { type Fault, type FaultyNetwork, startProxy } from '../support/proxy.js'
import { type Answer, serve, shown } from '../support/server.js'
import { until } from '../support/until.js'
import { admin } from '../support/world.js'
import { connectionsOf, mysqlOf, postgresOf, startMysqlLists, startPostgresLists } from './servers.js'
import { tell, times } from './sizes.js'
import { tellOfLog, watched, watchedLogger } from './watched-log.js'

const timeout = 1_000
/** Milliseconds that an answer may exceed the deadline, because the machine also does other work. */
const allowance = 250
/** Milliseconds from the end of the fault to the first correct answer. */
const longestRecovery = 1_000

const url = '/payment/list?search=a'
const wanted = expected(url, admin)

interface Lists {
  ask(): Promise<Answer>
  /** The number of statements that the server still runs, and of connections that are not free. */
  left(): Promise<number>
}

/** The lists on a database that holds the small world. */
async function listsOn(t: Test, db: Db, left: Lists['left'], options: Partial<ListingOptions> = {}): Promise<Lists> {
  const host = { server: { logger: watchedLogger } }
  const { get } = await serve(t, { db, timeout, checkOnReady: 'off', ...options }, host)
  return { ask: () => get(url, admin), left }
}

const errors: Record<number, string> = {
  503: 'Service temporarily unavailable.',
  504: 'The request took too long.'
}

/** The reason why an answer under load is neither the right one nor a refusal of the contract. */
function problemOf({ status, headers, text }: Answer) {
  if (status === 200) {
    const isRight = isDeepStrictEqual(shown({ status, body: JSON.parse(text) }), wanted)
    return isRight ? undefined : `a wrong answer: ${text.slice(0, 200)}`
  }
  if (text !== JSON.stringify({ status, error: errors[status] })) return `${status} ${text}`
  return status === 503 && headers['retry-after'] === undefined ? '503 without Retry-After' : undefined
}

const all = { tried: 0, survived: 0, slowest: 0, recovery: 0 }

interface FaultOptions {
  /** Whether the fault must have caused errors. */
  isFelt?: boolean
  /** Ends what lasts longer than the load. */
  undo?(): unknown
}

/**
 * Sends eight requests at a time until the fault is over, and checks every answer and the recovery.
 *
 * @returns the number of answers with each status
 */
async function survive(
  t: Test,
  { ask, left }: Lists,
  fault: () => Promise<unknown>,
  { isFelt = true, undo = () => undefined }: FaultOptions = {}
) {
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  let [slowest, over] = [0, false]
  const work = async () => {
    while (!over) {
      const start = performance.now()
      const answer = await ask()
      slowest = Math.max(slowest, Math.round(performance.now() - start))
      const { status } = answer
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const problem = problemOf(answer)
      if (problem) wrong.push(problem)
      // A client that gets a 503 at once waits a little before the next request.
      if (status === 503) await sleep(5)
    }
  }
  const end = fault().finally(() => {
    over = true
  })
  await Promise.all([end, ...Array.from({ length: 8 }, work)])
  await undo()

  const start = performance.now()
  await until(async () => (await ask()).status === 200, 10_000)
  const recovery = Math.round(performance.now() - start)
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  t.comment(`${counts}; slowest ${slowest} ms; recovery ${recovery} ms`)
  await until(async () => (await left()) === 0)
  const fine = [
    t.strictSame(wrong.slice(0, 3), []),
    t.equal(statuses.has(503) || statuses.has(504), isFelt, 'the fault is felt'),
    t.ok(slowest <= timeout + allowance, `the slowest answer took ${slowest} ms`),
    t.ok(recovery <= longestRecovery, `right again after ${recovery} ms`),
    t.equal(await left(), 0, 'the server runs no statement of the lists, and every connection of the pool is free')
  ]
  all.tried++
  if (fine.every(Boolean)) all.survived++
  all.slowest = Math.max(all.slowest, slowest)
  all.recovery = Math.max(all.recovery, recovery)
  return statuses
}

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
    const ended = db.destroy()
    // Ends the connections that still hang.
    await sleep(50)
    await proxy.set('reset')
    await ended.catch(() => undefined)
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
  const db = postgresOf(pool)
  t.teardown(async () => {
    const ended = db.destroy()
    await proxy.set('reset')
    await Promise.race([ended, sleep(3_000)])
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

t.test('a locked table', async (t) => {
  const lists = await onMariadb(t)
  t.equal((await lists.ask()).status, 200)
  const statuses = await survive(t, lists, () =>
    mariadb.control.connection().execute(async (connection) => {
      await sql`lock tables lists.payments write`.execute(connection)
      await sleep(timeout * 1.5)
      await sql`unlock tables`.execute(connection)
    })
  )
  t.ok(statuses.has(504))
})

t.test('an administrator who kills statements and sessions', async (t) => {
  const lists = await onMariadb(t)
  t.equal((await lists.ask()).status, 200)
  await survive(t, lists, async () => {
    const { control } = mariadb
    for (const start = performance.now(); performance.now() < start + during; await sleep(20)) {
      const { rows } = await sql<{ id: number }>`select id from information_schema.processlist
        where db = 'lists' and id <> connection_id()`.execute(control)
      for (const [index, { id }] of rows.entries()) {
        await sql`kill ${sql.raw(index % 2 ? 'query' : 'connection')} ${sql.lit(id)}`.execute(control).catch(() => {})
      }
    }
  })
})

t.test('a server without a free connection', async (t) => {
  const lists = await onMariadb(t)
  await sql`set global max_connections = 10`.execute(mariadb.control)
  const hog = createPool({ uri: mariadb.server.url, connectionLimit: 20 })
  const hogs = Array.from({ length: 12 }, () => hog.promise().getConnection())
  const connections = await Promise.allSettled(hogs)
  await survive(t, lists, () => sleep(during), {
    undo() {
      for (const connection of connections) if (connection.status === 'fulfilled') connection.value.destroy()
      hog.end()
    }
  })
  await sql`set global max_connections = 500`.execute(mariadb.control)
})

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

for (const state of ['away', 'silent'] as const) {
  t.test(`an identity provider that is ${state}`, async (t) => {
    let silent = false
    const provider: Server = createServer((_request, response) => silent || response.end('a key'))
    const listen = async (port: number) => void (await once(provider.listen(port, '127.0.0.1'), 'listening'))
    await listen(0)
    t.teardown(() => provider.close())
    const { port } = provider.address() as AddressInfo
    const keyOf = async () => (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text()
    const db = mysqlOf(createPool(`${mariadb.server.url}/lists`))
    t.teardown(() => db.destroy())
    const lists = await listsOn(t, db, async () => 0, {
      authenticate: async (request) => {
        await keyOf()
        await request.jwtVerify()
      }
    })
    t.equal((await lists.ask()).status, 200)
    const statuses = await survive(t, lists, async () => {
      if (state === 'silent') silent = true
      else await new Promise((resolve) => provider.close(resolve))
      await sleep(Math.max(during, timeout * 1.5))
      if (state === 'silent') silent = false
      else await listen(port)
    })
    t.ok(statuses.has(state === 'away' ? 503 : 504))
    provider.closeAllConnections()
  })
}

t.test('the figures', async (t) => {
  const { tried, survived, slowest, recovery } = all
  t.equal(survived, tried)
  t.strictSame(watched.leaks.slice(0, 3), [], 'the log contains no secret')
  tellOfLog('faults')
  const worst = `answer after ${slowest} ms of at most ${timeout + allowance}, right again after ${recovery} ms`
  tell({ what: 'faults that were not survived', tried, broken: tried - survived, worst })
})
