/** A client that leaves ends the work on its requests. */
import { EventEmitter, once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import http2 from 'node:http2'
import { connect, type Socket } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify'
import t from 'tap'
import { onClose } from '../../src/http/exchange.js'
import { listening, send } from '../support/listening.js'
import { failuresIn } from '../support/log.js'
import { openWorld } from '../support/tables.js'
import { headersOf } from '../support/tokens.js'
import { until } from '../support/until.js'
import { admin } from '../support/world.js'

const { authorization } = headersOf(admin)
const statements: string[] = []
const db = await openWorld(t, 'sqlite', { onQuery: ({ sql }) => void statements.push(sql) })

t.test('every pipelined request of a client that leaves is stopped', async (t) => {
  let asked = 0
  const resolveRole = () => {
    asked++
    return new Promise<never>(() => undefined)
  }
  const { port, lines } = await listening(t, { db, resolveRole })
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET /payment/list HTTP/1.1\r\nhost: lists\r\nauthorization: ${authorization}\r\n\r\n`.repeat(8))
  t.ok(await until(() => asked === 8))
  socket.destroy()
  t.ok(await until(() => failuresIn(lines).length === 8))
  for (const line of failuresIn(lines)) t.match(line, { level: 20, kind: 'aborted' })
})

t.test('a hook that reads the request is not taken for a client that leaves', async (t) => {
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
  const counts = new Map<Socket, number[]>()
  const before = (app: FastifyInstance) =>
    app.addHook('preHandler', async ({ raw: { socket } }) => {
      counts.set(socket, [...(counts.get(socket) ?? []), socket.listenerCount('close')])
    })
  const { port } = await listening(t, { db }, { before })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  for (let asked = 0; asked < 5; asked++) {
    const sent = request({ port, host: '127.0.0.1', path: '/payment/list', headers: { authorization }, agent }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    await answer.resume().toArray()
  }
  const [all = [], ...others] = counts.values()
  t.equal(others.length, 0)
  t.strictSame(
    all,
    Array.from({ length: 5 }, () => all[0])
  )
})

/** Clients that ask, and then leave. */
const clients = {
  'HTTP/1.1': async (port: number) => {
    const socket = await send(port, '/payment/list')
    return () => socket.destroy()
  },
  'HTTP/2, one stream': async (port: number) => {
    const { session, stream } = streamOf(port)
    stream.once('close', () => session.destroy())
    return () => stream.close(http2.constants.NGHTTP2_CANCEL)
  },
  'HTTP/2, the whole session': async (port: number) => {
    const { session } = streamOf(port)
    return () => session.destroy()
  }
}

function streamOf(port: number) {
  const session = http2.connect(`http://127.0.0.1:${port}`)
  const stream = session.request({ ':path': '/payment/list', authorization }).on('error', () => undefined)
  return { session, stream }
}

for (const [protocol, step] of [
  ['HTTP/1.1', 'a hook'],
  ['HTTP/1.1', 'authenticate'],
  ['HTTP/1.1', 'a second hook of authenticate'],
  ['HTTP/1.1', 'resolveRole'],
  ['HTTP/2, one stream', 'a hook'],
  ['HTTP/2, one stream', 'authenticate'],
  ['HTTP/2, one stream', 'a second hook of authenticate'],
  ['HTTP/2, the whole session', 'resolveRole']
] as const) {
  t.test(`a client that leaves over ${protocol} during ${step} asks nothing further`, async (t) => {
    const taken: string[] = []
    let [left, leave] = [(): void => undefined, (): void => undefined]
    const asked = new Promise<void>((resolve) => {
      left = resolve
    })
    const slow = async (now: string, { raw }: FastifyRequest) => {
      taken.push(now)
      if (now !== step) return
      await asked
      const closed = once((raw as { stream?: EventEmitter }).stream ?? raw.socket, 'close')
      leave()
      await closed
    }
    const options = {
      db,
      authenticate: ['authenticate', 'a second hook of authenticate'].map(
        (name) => (request: FastifyRequest) => slow(name, request)
      ),
      resolveRole: (request: FastifyRequest) => slow('resolveRole', request).then(() => admin)
    }
    const before = (app: FastifyInstance) => app.addHook('onRequest', (request) => slow('a hook', request))
    const server = (protocol === 'HTTP/1.1' ? {} : { http2: true }) as FastifyServerOptions
    const { port, lines } = await listening(t, options, { server, before })
    statements.length = 0
    leave = await clients[protocol](port)
    left()
    t.ok(await until(() => failuresIn(lines).length > 0))
    t.match(failuresIn(lines), [{ level: 20, kind: 'aborted', msg: 'The client left before the answer.' }])
    t.strictSame(statements, [])
    t.equal(taken.at(-1), step)
  })
}
