/** A client that leaves ends the work on its requests. */
import { EventEmitter, once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import http2 from 'node:http2'
import { connect, type Socket } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { onClose } from '../../src/http/connection.js'
import { columnsOf } from '../support/columns.js'
import { type Db, postgresPool } from '../support/databases.js'
import { listening, send } from '../support/listening.js'
import { failuresIn } from '../support/log.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { until } from '../support/until.js'
import { admin, fill } from '../support/world.js'

const { authorization } = headersOf(admin)

t.test('every pipelined request of a client that leaves is stopped', async (t) => {
  const pool = new pg.Pool(await postgresPool(t, { max: 10 }))
  // The drop of the database ends its idle connections.
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
  const head = `GET /payment/list?search=pi_guest HTTP/1.1\r\nhost: lists\r\nauthorization: ${authorization}\r\n\r\n`
  socket.write(head.repeat(8))
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
    resume: (raw) => raw.resume() && sleep(20),
    pipeline: (raw) => pipeline(raw, new PassThrough().resume())
  }
  for (const [how, read] of Object.entries(readers)) {
    const before = (app: FastifyInstance) => app.addHook('onRequest', async ({ raw }) => void (await read(raw)))
    const { port } = await listening(t, { db, resolveRole: () => sleep(20, admin) }, { before })
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

t.test('over HTTP/2, the connection of a request is its stream, and not the socket of all streams', (t) => {
  const [stream, socket] = [new EventEmitter(), new EventEmitter()]
  let closed = 0
  const forget = onClose({ stream, socket } as never, () => closed++)
  socket.emit('close')
  t.equal(closed, 0)
  stream.emit('close')
  t.equal(closed, 1)
  t.doesNotThrow(() => forget?.())
  t.equal(
    onClose({ stream: { destroyed: true }, socket } as never, () => undefined),
    undefined
  )
  t.end()
})

t.test('a request on a kept-alive connection removes its listener', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const counts = new Map<Socket, number[]>()
  const before = (app: FastifyInstance) =>
    app.addHook('preHandler', async ({ raw: { socket } }) => {
      counts.set(socket, [...(counts.get(socket) ?? []), socket.listenerCount('close')])
    })
  const { port } = await listening(t, { db }, { before })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  for (let asked = 0; asked < 20; asked++) {
    const sent = request({ port, host: '127.0.0.1', path: '/payment/list', headers: { authorization }, agent }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    await answer.resume().toArray()
  }
  const [all = [], ...others] = counts.values()
  t.equal(others.length, 0)
  t.strictSame(
    all,
    Array.from({ length: 20 }, () => all[0])
  )
})

/** Clients that ask, and then leave. */
const clients: Record<string, (port: number) => Promise<() => void>> = {
  'HTTP/1.1': async (port) => {
    const socket = await send(port, '/payment/list')
    return () => socket.destroy()
  },
  'HTTP/2, one stream': async (port) => {
    const { session, stream } = streamOf(port)
    stream.once('close', () => session.destroy())
    return () => stream.close(http2.constants.NGHTTP2_CANCEL)
  },
  'HTTP/2, the whole session': async (port) => {
    const { session } = streamOf(port)
    return () => session.destroy()
  }
}

function streamOf(port: number) {
  const session = http2.connect(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':path': '/payment/list', authorization }).on('error', () => undefined)
  return { session, stream }
}

for (const [protocol, ask] of Object.entries(clients)) {
  for (const step of ['a hook', 'authenticate', 'resolveRole'] as const) {
    t.test(`a client that leaves over ${protocol} during ${step} asks nothing further`, async (t) => {
      const statements: string[] = []
      const db = await openWorld(t, 'sqlite', { onQuery: ({ sql }) => void statements.push(sql) })
      const steps: string[] = []
      let [left, leave] = [(): void => undefined, (): void => undefined]
      const asked = new Promise<void>((resolve) => {
        left = resolve
      })
      const slow = async (now: string, { raw }: FastifyRequest) => {
        steps.push(now)
        if (now !== step) return
        await asked
        const closed = once((raw as { stream?: EventEmitter }).stream ?? raw.socket, 'close')
        leave()
        await closed
      }
      const options = {
        db,
        authenticate: (request: FastifyRequest) => slow('authenticate', request),
        resolveRole: (request: FastifyRequest) => slow('resolveRole', request).then(() => admin)
      }
      const before = (app: FastifyInstance) => app.addHook('onRequest', (request) => slow('a hook', request))
      const server = (protocol === 'HTTP/1.1' ? {} : { http2: true }) as FastifyServerOptions
      const { port, lines } = await listening(t, options, { server, before })
      statements.length = 0
      leave = await ask(port)
      left()
      t.ok(await until(() => failuresIn(lines).length > 0))
      t.match(failuresIn(lines), [{ level: 20, kind: 'host', msg: 'The client left before the answer.' }])
      t.strictSame(statements, [])
      t.equal(steps.at(-1), step)
    })
  }
}
