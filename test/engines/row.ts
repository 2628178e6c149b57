/** A row of the table: the answers of an engine, its deadline, a client that leaves, and a node that dies. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { askerOf } from '../matrix/askers.js'
import { difference, failure } from '../matrix/report.mjs'
import { nameOf } from '../matrix/requests.js'
import type { Db } from '../support/databases.js'
import { until } from '../support/until.js'
import { slowPayments } from './data.js'
import type { Engine, Node, Started } from './engine.js'
import { type Lists, openLists, slow } from './lists.js'
import type { Plain } from './plain.js'
import { type EngineRequest, requestsOf } from './requests.js'
import type { Scope } from './scope.js'

export interface Row {
  name: string
  title: string
  /** What the start-up check says. */
  boot: string
  tried: number
  identical: number
  deadline: string
  leaving: string
  node: string
  /** Median milliseconds of a request, and how many times those of the plain server, by reach. */
  times: Record<string, Time>
  slowest: Time
  /** What is not as it must be. */
  wrong: string[]
}

export interface Time {
  milliseconds: number
  ratio: number
}

type Say = (text: string) => void

export async function rowOf(engine: Engine, scope: Scope, plain: Plain, say: Say): Promise<Row> {
  const row: Row = {
    ...{ name: engine.name, title: engine.name, boot: '', tried: 0, identical: 0 },
    ...{ deadline: '', leaving: '', node: '', times: {}, slowest: { milliseconds: 0, ratio: 1 }, wrong: [] }
  }
  const problem = await failure(async () => {
    const started = await engine.start(scope, plain)
    row.title = started.title
    say(`${started.title} runs`)
    await tryOut(engine, started, row, scope, plain, say)
  })
  if (problem) row.wrong.push(problem)
  return row
}

async function tryOut(engine: Engine, started: Started, row: Row, scope: Scope, plain: Plain, say: Say): Promise<void> {
  const expected = await openLists(scope, started.plain)
  let lists: Lists | undefined
  const refusal = await failure(async () => {
    lists = await openLists(scope, started.db)
  })
  if (refusal || !lists) {
    row.boot = `refused: ${firstFinding(String(refusal))}`
    if (!engine.refused?.test(row.boot)) row.wrong.push(row.boot)
    return
  }
  row.boot = lists.warnings === 0 ? 'passes' : `${lists.warnings} ${lists.warnings === 1 ? 'warning' : 'warnings'}`
  if (engine.refused) row.wrong.push('The boot must be refused.')

  say('the requests')
  await compare(plain, expected, lists, row)
  // The answers of an engine that must be refused are wrong anyway.
  if (engine.refused) return
  say('the deadline')
  await tryDeadline(engine, lists, row)
  say('a client that leaves')
  await tryLeaving(engine, started, lists, row)
  if (started.node) {
    say(`without ${started.node.name}`)
    await tryDeath(started.node, requestsOf(plain.data), expected, lists, row)
  }
}

/** The first problem of an error of the start-up check. */
const firstFinding = (message: string): string =>
  (/^- (.*)$/m.exec(message)?.[1] ?? message.split('\n')[0] ?? '').slice(0, 300)

/** Sends each request to both servers in turn. The last answers are timed. */
async function compare({ data }: Plain, plain: Lists, lists: Lists, row: Row): Promise<void> {
  const times = new Map<string, Time[]>()
  for (const request of requestsOf(data)) {
    let problem: string | undefined
    let [expected, answer] = [await plain.ask(request), await lists.ask(request)]
    for (let round = 1; round < data.rounds; round++) {
      problem ??= difference(answer.text, expected.text)
      ;[expected, answer] = [await plain.ask(request), await lists.ask(request)]
    }
    problem ??= difference(answer.text, expected.text)
    if (expected.status !== request.status) problem ??= `the plain server answers ${expected.status}`
    row.tried++
    if (problem) row.wrong.push(`${nameOf(request)}: ${problem}`)
    else row.identical++
    const { reach, status } = request
    if (status !== 200) continue
    const { milliseconds } = answer
    const time = { milliseconds, ratio: milliseconds / expected.milliseconds }
    if (milliseconds > row.slowest.milliseconds) row.slowest = time
    times.set(reach, [...(times.get(reach) ?? []), time])
  }
  for (const [reach, each] of times) {
    row.times[reach] = {
      milliseconds: median(each.map(({ milliseconds }) => milliseconds)),
      ratio: median(each.map(({ ratio }) => ratio))
    }
  }
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Milliseconds that an answer may exceed its deadline, because the machine also does other work. */
const allowance = 400

const slowRequest = (path: string) => ({
  method: 'GET' as const,
  path: `${path}/payment/list`,
  asker: askerOf('Admin'),
  status: 504
})

async function tryDeadline({ leaving }: Engine, lists: Lists, row: Row): Promise<void> {
  const { status, milliseconds } = await lists.ask(slowRequest('/slow'))
  const seconds = (milliseconds / 1000).toFixed(1)
  if (leaving === 'runs to its end') {
    // The statement blocks the process. An answer that is ready then is sent.
    row.deadline = `${status} after the statement, ${seconds} s`
    if (![200, 504].includes(status)) row.wrong.push(`The deadline: ${row.deadline}.`)
    return
  }
  row.deadline = `${status} after ${seconds} s`
  if (status !== 504 || milliseconds > slow['/slow'] + allowance) row.wrong.push(`The deadline: ${row.deadline}.`)
}

/** The number of statements on the slow payments, on all of the servers. */
async function running(servers: readonly Db[]): Promise<number> {
  const counts = await Promise.all(
    servers.map(async (db) => {
      const isPostgres = db.selectFrom('t').compile().sql.includes('"')
      // The first server of shards waits for an extension, and the text of a shard's statement names no table.
      const { rows } = isPostgres
        ? await sql`select pid from pg_stat_activity
            where state = 'active' and wait_event in ('PgSleep', 'Extension')`.execute(db)
        : await sql`select id from information_schema.processlist
            where info like ${`%${slowPayments}%`} and id <> connection_id()`.execute(db)
      return rows.length
    })
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

async function tryLeaving(engine: Engine, { servers }: Started, lists: Lists, row: Row): Promise<void> {
  if (!servers) {
    row.leaving = 'runs to its end'
    return
  }
  const isQuiet = async () => (await running(servers)) === 0
  if (!(await until(isQuiet, 10_000))) row.wrong.push('The deadline: the statement still runs.')
  const leave = await lists.askSlowly('/slower')
  const start = performance.now()
  if (!(await until(async () => !(await isQuiet())))) row.wrong.push('A client that leaves: no statement was seen.')
  leave()
  const left = performance.now()
  const ended = await until(isQuiet, 20_000)
  const [now, deadline] = [performance.now(), start + slow['/slower']]
  const how = now < deadline - 500 ? 'stops' : now < deadline + 2_000 ? 'stops at the deadline' : 'runs to its end'
  row.leaving = how === 'stops' ? `stops after ${((now - left) / 1000).toFixed(1)} s` : how
  if (!ended || how !== engine.leaving) row.wrong.push(`A client that leaves: the statement ${how}.`)
}

/** Milliseconds after a refusal. */
const pause = 50

/** Milliseconds in which every answer must be right again. */
const patience = 90_000

async function tryDeath(
  node: Node,
  requests: readonly EngineRequest[],
  plain: Lists,
  lists: Lists,
  row: Row
): Promise<void> {
  const chosen = requests.filter(({ status }, index) => status === 200 && index % 11 === 0)
  const expected = new Map<EngineRequest, string>()
  for (const request of chosen) expected.set(request, (await plain.ask(request)).text)
  let [refused, right, lastRefusal] = [0, 0, 0]
  /** Whether no answer is a refusal. */
  const askAll = async () => {
    const before = refused
    for (const request of chosen) {
      const { status, text } = await lists.ask(request)
      if (status === 503 || status === 504) {
        refused++
        lastRefusal = performance.now()
        await sleep(pause)
        continue
      }
      right++
      const problem = difference(text, String(expected.get(request)))
      const log = status === 500 ? `, ${lists.lastFailure()}` : ''
      if (problem) row.wrong.push(`Without ${node.name}: ${nameOf(request)}: ${problem}${log}`)
    }
    return refused === before
  }
  /** The refusals since an earlier count, and when the last one was. */
  const refusalsFrom = (count: number, start: number, what: string) => {
    const seconds = (Math.max(0, lastRefusal - start) / 1000).toFixed(1)
    return refused > count ? `${refused - count} × 503, the last one ${seconds} s after its ${what}` : undefined
  }

  const death = performance.now()
  // Some requests are under way.
  await Promise.all([askAll(), askAll(), askAll(), node.die()])
  const others = node.othersAnswer ? await until(askAll, patience) : await askAll()
  if (others !== node.othersAnswer) row.wrong.push(`Without ${node.name}: ${refused} refused, ${right} right.`)
  const dead = node.othersAnswer ? refusalsFrom(0, death, 'death') : undefined

  const count = node.othersAnswer ? refused : 0
  let back = Number.POSITIVE_INFINITY
  const comingBack = node.comeBack().then(() => {
    back = performance.now()
  })
  const isBack = await until(async () => (await askAll()) && back < performance.now(), patience)
  await comingBack
  if (!isBack) row.wrong.push(`After ${node.name} is back: answers are still refused.`)
  row.node = [dead, refusalsFrom(count, back, 'return')].filter(Boolean).join('; ') || 'no 503'
}
