/** Long mixed traffic with clients that leave, and servers that are built and closed, leak nothing. */
import type { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { createPool } from 'mysql2'
import t from 'tap'
import listing from '../../src/index.js'
import { callers, individual } from '../support/fixtures/world.js'
import { listen } from '../support/hosts/listening.js'
import { ask, resolveRole, secret } from '../support/hosts/server.js'
import { token } from '../support/hosts/tokens.js'
import { until } from '../support/running/until.js'
import type { Db } from '../support/servers/databases.js'
import { mysqlOf } from '../support/servers/pools.js'
import { freePort } from '../support/servers/private-server.mjs'
import { startMysqlLists } from '../support/servers/servers.js'
import { growth, heapUsed } from './heap.js'
import { meanwhile, told } from './load-on.js'
import { startNode } from './node.js'
import { tell, tellOfLog, times } from './sizes.js'

const seconds = times(20, 60, 600)
const turns = 20
/** Megabytes per 100,000 requests. V8 compiles during the first ten thousand. A leak has kilobytes per request. */
const tolerated = times(60, 10, 1)
/** Kilobytes per server. V8 compiles during the first hundred servers. A leaked server has two hundred kilobytes. */
const toleratedByServer = times(100, 20, 10)
const builds = times(150, 300, 500)
t.setTimeout((seconds * 3 + builds * 2 + 300) * 1000)

const { control, address } = await startMysqlLists(t)
const poolOptions = { ...address, user: 'root', database: 'lists', connectionLimit: 8 }

/** The number of the server's connections to the database of the lists. */
async function sessions(): Promise<number> {
  const { rows } = await sql`select id from information_schema.processlist where db = 'lists'`.execute(control)
  return rows.length
}

/** Requests with every caller, list, search, filter and page, and refused requests. */
const asks = callers.flatMap(({ userId, role }) => {
  const good = token({ sub: String(userId), role })
  const paths = [
    '/assessment/list?search=',
    '/assessment/list?search=an&status=completed',
    '/assessment/list?search=a&limit=2&page=2',
    '/assessment/list',
    '/payment/list',
    '/payment/list?search=pi_1&processor_status=succeeded',
    '/payment/list?limit=3&page=3',
    '/payment/list?staus=x'
  ].map((path) => ({ path, method: 'GET', token: good }))
  return [
    ...paths,
    { path: '/payment/list', method: 'GET', token: 'x.y.z' },
    { path: '/payment/list', method: 'HEAD', token: good }
  ]
})

const [connections, perSecond] = [16, 250]

/** Clients at a fixed rate. Every ninth request is left before its answer, after up to 40 milliseconds. */
function clients(origin: string) {
  const seen = { sent: 0, left: 0, statuses: new Map<number, number>(), wrong: [] as string[] }
  async function send() {
    const number = seen.sent++
    const { path, method, token } = asks[number % asks.length] as (typeof asks)[number]
    const signal = number % 9 === 0 ? AbortSignal.timeout((number / 9) % 40) : null
    try {
      const answer = await fetch(origin + path, { method, signal, headers: { authorization: `Bearer ${token}` } })
      const [{ status }, text] = [answer, await answer.text()]
      seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1)
      if (![200, 400, 401, 403].includes(status)) seen.wrong.push(`${status} ${text}`)
    } catch (error) {
      if (signal?.aborted) seen.left++
      else seen.wrong.push(String(error))
    }
  }
  /** Puts the load on the node for some milliseconds. */
  async function load(duration: number) {
    let due = performance.now()
    const work = async () => {
      due += 1000 / perSecond
      await sleep(Math.max(0, due - performance.now()))
      await send()
    }
    await meanwhile(() => sleep(duration), ...Array(connections).fill(work))
  }
  return { seen, load }
}

t.test('mixed traffic and clients that leave do not make the heap grow', async (t) => {
  const node = await startNode(t, poolOptions)
  const { seen, load } = clients(node.origin)
  // The warm-up lasts until V8 has compiled the code and every statement is cached.
  await load(seconds * 250)
  const samples: { x: number; bytes: number }[] = []
  for (let turn = 0; turn < turns; turn++) {
    await load((seconds * 1000) / turns)
    samples.push({ x: seen.sent, bytes: (await node.look()).heap })
  }
  const { rate, grown } = growth(samples, 'MB per 100,000 requests', 2 ** 20 / 100_000)
  t.comment(`${seen.sent} requests, ${seen.left} of them left: ${told(seen.statuses)}; the heap grows ${grown}`)
  t.strictSame(seen.wrong.slice(0, 10), [])
  t.ok(seen.left > 0)
  const steady = t.ok(rate < tolerated, `the heap grows ${grown}, less than ${tolerated}`)

  const isFree = async () => {
    const { connections, free } = await node.look()
    return connections === free
  }
  t.ok(await until(isFree), 'every connection of the pool is free')
  const { look, ended } = await node.close()
  t.strictSame(look.resources, [], 'no resource is active')
  t.strictSame(look.log.leaks, [], 'the log contains no secret')
  tellOfLog('mixed traffic', look.log)
  t.ok(ended, 'the process ends by itself')
  await until(async () => (await sessions()) === 0)
  const left = await sessions()
  t.equal(left, 0, 'the server has no connection of the lists')
  const broken = seen.wrong.length + left + (steady ? 0 : 1) + (ended ? 0 : 1)
  tell({ what: 'soak: wrong answers, growth, or what is left behind', tried: seen.sent, broken, worst: grown })
})

t.test('servers that are built and closed on one pool do not make the heap grow', async (t) => {
  // The first server opens the only connection.
  const pool = createPool({ ...poolOptions, connectionLimit: 1 })
  const away = createPool({ ...poolOptions, port: await freePort() })
  const [db, unreachable] = [mysqlOf(pool), mysqlOf(away)]
  t.teardown(() => Promise.all([db.destroy(), unreachable.destroy()]))
  const listeners = () =>
    [process, pool, away].map((emitter: EventEmitter) =>
      emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
    )
  await build(db)
  await build(unreachable)
  const before = { listeners: listeners(), resources: await resources() }
  const samples: { x: number; bytes: number }[] = []
  for (let number = 1; number <= builds; number++) {
    // Every fifth server starts without its database, which postpones the start-up check.
    const status = await build(number % 5 === 0 ? unreachable : db)
    if (status !== (number % 5 === 0 ? 503 : 200)) t.fail(`server ${number} answered ${status}`)
    if (number <= builds / 5 || number % 2) continue
    // V8 releases awaited values in the next turn of the event loop.
    await sleep(20)
    samples.push({ x: number, bytes: heapUsed() })
  }
  t.strictSame(listeners(), before.listeners, 'the process and the pools have no additional listeners')
  t.strictSame(await resources(), before.resources, 'the active resources are the same')
  const { rate, grown } = growth(samples, 'KB per server', 1024)
  const steady = t.ok(rate < toleratedByServer, `the heap grows ${grown}, less than ${toleratedByServer}`)
  tell({ what: 'servers built and closed: growth', tried: builds, broken: steady ? 0 : 1, worst: grown })
})

/** Builds a server, asks it once and closes it. */
async function build(db: Db): Promise<number> {
  const app = Fastify()
  app.register(jwt, { secret })
  app.register(listing, { db, resolveRole })
  await listen(app)
  const { status } = await ask(app, '/payment/list', individual)
  await app.close()
  return status
}

/** The active resources, after those of the last server have closed. */
async function resources(): Promise<string[]> {
  await sleep(200)
  // Pipes belong to the test reporter.
  return process
    .getActiveResourcesInfo()
    .filter((name) => !/Pipe|TTY|Immediate|Timeout/.test(name))
    .sort()
}
