import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import http2 from 'node:http2'
import { connect } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { columnsOf } from '../../src/database/tables.js'
import { startDeadlines } from '../../src/http/deadline.js'
import { deadlineOf } from '../../src/http/request-state.js'
import { type Db, postgresPool } from '../support/databases.js'
import { listening, send } from '../support/listening.js'
import { failuresIn } from '../support/log.js'
import { serve } from '../support/server.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { until } from '../support/until.js'
import { admin, fill } from '../support/world.js'

const { authorization } = headersOf(admin)

t.test('every pipelined request of a client that leaves is stopped', async (t) => {
  const pool = new pg.Pool(await postgresPool(t, { max: 10 }))
  // its idle connections are ended with the database
  pool.on('error', () => undefined)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  t.teardown(() => db.destroy())
  await fill(db)
  const slow = sql<string>`payment_intent || case when payment_id = 99 then pg_sleep(20)::text else '' end`
  const columns = columnsOf.payments.filter((column) => column !== 'payment_intent')
  const payments = db.selectFrom('payments').select([...columns, slow.as('payment_intent')])
  const { port, lines } = await listening(t, { db, timeout: 20_000, tables: { payments: payments as never } })
  const running = async () => {
    const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
      and state = 'active' and query like '%record creation%' and pid <> pg_backend_pid()`.execute(db)
    return rows.length
  }
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const request = [
    'GET /payment/list?search=pi_guest HTTP/1.1',
    'host: lists',
    `authorization: ${authorization}`,
    '',
    ''
  ]
  socket.write(request.join('\r\n').repeat(8))
  t.ok(await until(async () => (await running()) === 8), 'eight statements run')
  socket.destroy()
  t.ok(await until(async () => (await running()) === 0), 'none runs any more')
  t.strictSame(
    failuresIn(lines).map(({ level, kind }) => ({ level, kind })),
    Array.from({ length: 8 }, () => ({ level: 20, kind: 'host' }))
  )
})

t.test('a hook that reads the request is not taken for a client that leaves', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const readers: Record<string, (raw: Readable) => unknown> = {
    resume: async (raw) => {
      raw.resume()
      await sleep(20)
    },
    'for await': async (raw) => {
      for await (const _ of raw);
    },
    pipeline: async (raw) => pipeline(raw, new PassThrough().resume())
  }
  for (const [how, read] of Object.entries(readers)) {
    const before = (app: FastifyInstance) => app.addHook('onRequest', async ({ raw }) => void (await read(raw)))
    const slow = async () => {
      await sleep(20)
      return admin
    }
    const { port } = await listening(t, { db, resolveRole: slow }, { before })
    for (const body of ['', '{}']) {
      const headers = { authorization, 'content-type': 'application/json', 'content-length': String(body.length) }
      const sent = request({ port, host: '127.0.0.1', path: '/payment/list', headers })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      t.equal(answer.statusCode, 200, `${how}, ${body.length} bytes`)
      answer.resume()
    }
  }
})

t.test('a hook that answers while a statement runs ends the work on the request', async (t) => {
  let isRead = false
  const db = await openWorld(t, 'sqlite', {
    before: async ({ sql }) => {
      if (!sql.includes('record creation')) return
      await sleep(100)
      isRead = true
    }
  })
  const before = (app: FastifyInstance) =>
    app.addHook('onRequest', (_request, reply, done) => {
      setTimeout(() => reply.code(202).send('early'), 50)
      done()
    })
  const { app, lines } = await serve(t, { db, checkOnReady: 'off' }, { before, log: 'info' })
  const answer = await app.inject({ url: '/payment/list', headers: { authorization } })
  t.match(answer, { statusCode: 202, body: 'early' })
  t.ok(await until(() => isRead))
  t.strictSame(
    lines.filter(({ level }) => level > 30),
    []
  )
})

/** Clients that ask and leave, by protocol. */
const clients: Record<string, (t: Test, port: number) => Promise<() => void>> = {
  'HTTP/1.1': async (_t, port) => {
    const socket = await send(port, '/payment/list')
    return () => socket.destroy()
  },
  'HTTP/2, one stream': async (t, port) => {
    const session = http2.connect(`http://127.0.0.1:${port}`)
    t.teardown(() => session.destroy())
    const stream = session.request({ ':path': '/payment/list', authorization })
    stream.on('error', () => undefined)
    return () => stream.close(http2.constants.NGHTTP2_CANCEL)
  },
  'HTTP/2, the whole session': async (_t, port) => {
    const session = http2.connect(`http://127.0.0.1:${port}`)
    const stream = session.request({ ':path': '/payment/list', authorization })
    stream.on('error', () => undefined)
    return () => session.destroy()
  }
}

for (const [protocol, ask] of Object.entries(clients)) {
  for (const step of ['a hook', 'authenticate', 'resolveRole'] as const) {
    t.test(`a client that leaves over ${protocol} during ${step} asks nothing further`, async (t) => {
      const statements: string[] = []
      const db = await openWorld(t, 'sqlite', { onQuery: ({ sql }) => void statements.push(sql) })
      const steps: string[] = []
      let left = (_leave: () => void) => {}
      const client = new Promise<() => void>((resolve) => {
        left = resolve
      })
      const slow = async (now: string) => {
        steps.push(now)
        if (now !== step) return
        const leave = await client
        leave()
        await sleep(100)
      }
      const options = {
        db,
        authenticate: () => slow('authenticate'),
        resolveRole: async () => {
          await slow('resolveRole')
          return admin
        }
      }
      const before = (app: FastifyInstance) => app.addHook('onRequest', () => slow('a hook'))
      const server = (protocol === 'HTTP/1.1' ? {} : { http2: true }) as FastifyServerOptions
      const { port, lines } = await listening(t, options, { server, before })
      statements.length = 0
      left(await ask(t, port))
      t.ok(await until(() => failuresIn(lines).length > 0))
      t.match(failuresIn(lines), [{ level: 20, kind: 'host', msg: 'The client left before the answer.' }])
      t.strictSame(statements, [])
      t.equal(steps.at(-1), step)
    })
  }
}

t.test('a deadline as long as a timer can be does not pass at once', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const { get } = await serve(t, { db, timeout: 2 ** 31 - 1 })
  t.equal((await get('/payment/list', admin)).status, 200)
})

t.test('a shorter limit that the server has for all routes does not answer before the deadline', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const resolveRole = async () => {
    await sleep(50)
    return admin
  }
  const { get } = await serve(t, { db, resolveRole }, { server: { handlerTimeout: 10 } })
  t.equal((await get('/payment/list', admin)).status, 200)
})

t.test('the time of a request counts from its start, the hooks of the host included', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  const timeout = 1_000
  app.addHook('onRequest', () => sleep(100))
  startDeadlines(app, timeout, () => t.fail('the deadline passes'))
  app.get('/', async (request) => {
    const { timeLeft } = deadlineOf(request)
    const first = timeLeft()
    await sleep(100)
    return [first, timeLeft()]
  })
  const [first, second] = (await app.inject('/')).json()
  t.ok(first > 0 && first < timeout - 90, `${first} ms after 100`)
  t.ok(second > 0 && second < first - 90, `${second} ms after 100 more`)
})

t.test('the line of a 504 says what the request waited for', async (t) => {
  const never = () => new Promise<never>(() => undefined)
  const mysql = await openWorld(t, 'mysql', { pool: { connectionLimit: 1 } })
  const slow = sql<string>`payment_intent || case when payment_id > 0 then pg_sleep(20)::text else '' end`
  const postgres = await openWorld(t, 'postgres')
  const columns = columnsOf.payments.filter((column) => column !== 'payment_intent')
  const payments = postgres.selectFrom('payments').select([...columns, slow.as('payment_intent')]) as never
  const waits: [
    waitingFor: string,
    options: Parameters<typeof serve>[1],
    before?: (app: FastifyInstance) => unknown
  ][] = [
    ['authenticate', { db: mysql, authenticate: never }],
    ['resolveRole', { db: mysql, resolveRole: never }],
    ['statement', { db: postgres, tables: { payments } }],
    // The hook has used up the time before the plugin's first step.
    ['hook', { db: mysql, resolveRole: never }, (app) => app.addHook('onRequest', () => sleep(320))],
    ['hook', { db: mysql, authenticate: never }, (app) => app.addHook('onRequest', () => sleep(320))],
    ['hook', { db: mysql }, (app) => app.addHook('preHandler', never)],
    ['hook', { db: mysql }, (app) => app.addHook('onSend', never)],
    ['hook', { db: mysql, resolveRole: () => Promise.reject(new Error('x')) }, (app) => app.addHook('onSend', never)]
  ]
  const line = async ([waitingFor, options, before]: (typeof waits)[number]) => {
    const { get, lines } = await serve(
      t,
      { timeout: 300, checkOnReady: 'off', ...options },
      { log: 'warn', ...(before && { before }) }
    )
    t.equal((await get('/payment/list?search=pi', admin)).status, 504, waitingFor)
    t.match(
      failuresIn(lines).filter(({ kind }) => kind === 'timeout'),
      [{ waitingFor }]
    )
    t.equal(failuresIn(lines).filter(({ kind }) => kind === 'timeout').length, 1)
  }
  for (const wait of waits) await line(wait)
  await mysql.connection().execute(() => line(['connection', { db: mysql }]))
})
