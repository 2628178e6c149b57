import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { Kysely as Kysely28, MysqlDialect as MysqlDialect28 } from 'kysely-0.28'
import { createConnection, type Pool } from 'mysql2'
import tap, { type Test } from 'tap'
import { rowsUnlessStopped } from '../../src/database/cancel.js'
import type { Row } from '../../src/database/cells.js'
import { admin, fill } from '../support/fixtures/world.js'
import { leave, listening, send } from '../support/hosts/listening.js'
import { failuresIn } from '../support/hosts/log.js'
import { until } from '../support/running/until.js'
import { type Db, mysqlPool, openDatabase } from '../support/servers/databases.js'
import { openBehindNetwork, openMysql } from '../support/servers/pools.js'
import { openSession, sessionOf, sourceOf, withoutDatabase } from '../support/servers/session.js'
import { openWorld, slowPayments, slowStatements } from '../support/servers/tables.js'

/** The number of statements about payments that the server runs in this database. */
async function runningIn(db: Db): Promise<number> {
  const { rows } = await sql`select id from information_schema.processlist
    where db = database() and info like '%payments%' and id <> connection_id()`.execute(db)
  return rows.length
}

// Most of these tests wait.
tap.test('statements that nobody waits for', { jobs: 4 }, async (t) => {
  t.test('MySQL and MariaDB stop a statement when its client leaves', async (t) => {
    const options = await mysqlPool(t, { connectionLimit: 1 })
    const db = openMysql(t, options, { controlConnection: createConnection })
    const other = openMysql(t, options)
    await fill(db)
    const { get, port, lines } = await listening(t, { db, timeout: 20_000 })
    await get('/payment/list', admin)
    await other.connection().execute(async (locker) => {
      await sql`lock tables payments write`.execute(locker)
      const running = () => runningIn(locker)
      const client = await send(port, '/payment/list')
      t.ok(await until(async () => (await running()) === 1), 'the statement waits for the lock')
      client.destroy()
      t.ok(await until(async () => (await running()) === 0), 'the statement has ended')
      await sql`unlock tables`.execute(locker)
    })
    t.equal((await get('/payment/list', admin)).status, 200)
    t.match(failuresIn(lines), [{ level: 20, list: 'payments', reach: 'all', kind: 'aborted' }])
  })

  t.test('a statement that ends by itself after its client has left keeps its connection open', async (t) => {
    const db = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
    const session = async () => (await sql<{ id: number }>`select connection_id() as id`.execute(db)).rows[0]?.id
    const { port, lines } = await listening(t, { db })
    const before = await session()
    await leave(port, '/payment/list?search=a', 1)
    await sleep(400)
    t.equal(await session(), before)
    t.ok(failuresIn(lines).length <= 1)
  })

  t.test('without a control connection the server runs no more statements than the pool has connections', async (t) => {
    const statements: string[] = []
    const options = await mysqlPool(t, { connectionLimit: 2 })
    const db = openMysql(t, options, { log: ({ query }) => void statements.push(query.sql) })
    const other = openMysql(t, options)
    await fill(db)
    const { get, port } = await listening(t, { db, timeout: 5_000 })
    await get('/payment/list', admin)
    await other.connection().execute(async (locker) => {
      await sql`lock tables payments write`.execute(locker)
      const running = () => runningIn(locker)
      const clients = await Promise.all(Array.from({ length: 12 }, () => send(port, '/payment/list')))
      t.ok(await until(async () => (await running()) === 2))
      for (const client of clients) client.destroy()
      let most = 0
      // This lasts longer than the grace period. Somebody asks again all the time, who would get a new session in the place of
      // one that the pool has given up.
      for (let tries = 0; tries < 20; tries++) {
        clients.push(await send(port, '/payment/list'))
        most = Math.max(most, await running())
        await sleep(25)
      }
      for (const client of clients) client.destroy()
      t.equal(most, 2)
      await sql`select 1`.execute(db)
      t.pass('a connection is free after the deadline')
      await sql`unlock tables`.execute(locker)
    })
    t.equal((await get('/payment/list', admin)).status, 200)
    const killed = statements.filter((statement) => statement.startsWith('kill'))
    t.strictSame(killed, [], 'no session is killed')
  })

  interface Sending {
    answer: number
    stop: number
    time: number
    isControlled?: boolean
    /** The error of the stop command. */
    errno?: number
  }

  /** Sends a statement on a connection that takes `answer` milliseconds for it, and `stop` milliseconds to cancel it. */
  function sendOver(t: Test, { answer, stop, time, isControlled = true, errno }: Sending) {
    const steps: string[] = []
    const over = new AbortController()
    // This keeps the process alive, as the sockets of a server do.
    const alive = setInterval(() => undefined, 1_000)
    t.teardown(() => clearInterval(alive))
    const connection = {
      async cancelQuery(useAnother: () => Promise<void>) {
        if (!isControlled) return useAnother()
        steps.push('stop begins')
        await sleep(stop, undefined, { ref: false })
        if (errno) throw Object.assign(new Error('refused'), { errno })
        steps.push('stopped')
      },
      async executeQuery() {
        over.abort()
        await sleep(answer, undefined, { ref: false })
        return { rows: [{ one: 1 }] }
      }
    }
    const executor = {
      async provideConnection<Result>(use: (connection: unknown) => Promise<Result>) {
        return use(connection).finally(() => void steps.push('connection is free'))
      }
    }
    const source = sourceOf(withoutDatabase('sqlite') as never, {})
    const dialect = { ...source.dialect, stop: 'cancelQuery' as const }
    const db = { getExecutor: () => executor } as never
    const session = openSession({ ...source, db, dialect }, { timeLeft: () => time, over: over.signal })
    return { asked: session.run(sql<Row>`select 1 as one`.compile(source.db)), steps }
  }

  const ended = { message: 'The request ended before the database answered.' }

  t.test('a stop command begins 250 ms after the request ended, and keeps the connection until it ends', async (t) => {
    const cases: [what: string, sending: Sending, steps: string[], rows?: object[]][] = [
      ['the connection is free after both', { answer: 1_500, stop: 100, time: 10_000 }, ['stop begins', 'stopped']],
      ['a session that is gone has stopped', { answer: 60_000, stop: 0, time: 10_000, errno: 1094 }, ['stop begins']],
      // Answers and deadlines are far from the grace period, because the timers of a busy machine are late.
      [
        'another failed stop command is tried again at the deadline',
        { answer: 60_000, stop: 0, time: 2_000, errno: 1095 },
        ['stop begins', 'stop begins']
      ],
      [
        'a stop command without an answer does not keep the connection past the deadline',
        { answer: 60_000, stop: 60_000, time: 2_000 },
        ['stop begins', 'stop begins']
      ],
      [
        'a statement that ends by itself before the deadline has its rows',
        { answer: 1_500, stop: 60_000, time: 10_000 },
        ['stop begins'],
        [{ one: 1 }]
      ],
      [
        'without a control connection, a statement keeps its connection until it ends by itself',
        { answer: 600, stop: 0, time: 10_000, isControlled: false },
        [],
        [{ one: 1 }]
      ]
    ]
    const start = performance.now()
    await Promise.all(
      cases.map(async ([what, sending, expected, rows]) => {
        const { asked, steps } = sendOver(t, sending)
        if (rows) t.strictSame(await asked, rows, what)
        else await t.rejects(asked, ended, what)
        t.strictSame(steps, [...expected, 'connection is free'], what)
      })
    )
    t.ok(performance.now() - start < 30_000)
  })

  t.test('a request that ends after its statement stops nothing', async (t) => {
    const over = new AbortController()
    const stops: boolean[] = []
    const stop = async (isLate: boolean) => stops.push(isLate) > 0
    const rows = [{ one: 1 }]
    t.equal(await rowsUnlessStopped(Promise.resolve(rows), over.signal, stop, performance.now() + 10_000), rows)
    over.abort()
    // Longer than the grace period, whose timer would fire first.
    await sleep(400)
    t.strictSame(stops, [])
  })

  t.test('PostgreSQL stops a statement when its client leaves', async (t) => {
    const db = await openWorld(t, 'postgres')
    const { port } = await listening(t, { db, timeout: 20_000, tables: slowPayments(db) })
    const client = await send(port, '/payment/list?search=pi_guest')
    t.ok(await until(async () => (await slowStatements(db)) === 1), 'the statement runs')
    client.destroy()
    t.ok(await until(async () => (await slowStatements(db)) === 0), 'the statement has ended')
  })

  for (const [version, heals, control] of [
    ['0.29', true, {}],
    ['0.29 with a control connection', true, { controlConnection: createConnection }],
    ['0.28', false, {}]
  ] as const) {
    t.test(`Kysely ${version} after a network has lost all answers of the server`, async (t) => {
      const open = (pool: Pool): Db =>
        heals
          ? new Kysely({ dialect: new MysqlDialect({ pool, ...control }) })
          : (new Kysely28({ dialect: new MysqlDialect28({ pool: pool as never }) }) as never)
      const { db, network } = await openBehindNetwork(t, { connectionLimit: 1, enableKeepAlive: false }, open)
      await fill(db)
      const { get, lines } = await listening(t, { db, timeout: 1000 })
      const answers = () => until(async () => (await get('/payment/list', admin)).status === 200, 10_000)
      // On a busy machine, the deadline can pass before the statement is sent.
      const waitsForStatement = async () => {
        await get('/payment/list', admin)
        return failuresIn(lines).at(-1)?.waitingFor === 'statement'
      }
      t.ok(await answers())
      await network.set('silent')
      t.ok(await until(waitsForStatement, 10_000))
      await network.set('none')
      if (heals) return t.ok(await answers())
      await sleep(1000)
      // Kysely 0.28 cannot end the session, so the pool keeps a connection that never answers.
      t.equal((await get('/payment/list', admin)).status, 504)
    })
  }

  t.test('a statement without a time limit on the server is given up at the deadline', async (t) => {
    // The statement has no time limit, as if the network had lost the answer of the server.
    const rewrite = (text: string) => text.replace(/\/\*.*?\*\//g, '')
    const db = await openDatabase(t, 'mysql', { rewrite })
    const session = sessionOf(db, { timeLeft: () => 700, over: AbortSignal.abort() })
    const statement = session.compile(sql`select sleep(20) as slept`)
    const start = performance.now()
    await t.rejects(session.run(statement), ended)
    t.ok(performance.now() - start < 10_000)
  })
})
