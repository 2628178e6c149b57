/** Makes a row of the table: boots the lists on an engine, compares the answers, and tries the incidents. */
import { difference, failure } from '../matrix/report.mjs'
import { nameOf } from '../matrix/requests.js'
import type { Scope } from '../support/servers.js'
import type { Engine, Started } from './engine.js'
import { tryDeadline, tryDeath, tryLeaving } from './incidents.js'
import { type Lists, openLists } from './lists.js'
import type { Plain } from './plain.js'
import { requestsOf } from './requests.js'
import type { Row, Time } from './table.js'

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
  const lists = await openLists(scope, started.db).catch((refusal: Error) => refusal)
  if (lists instanceof Error) {
    row.boot = `refused: ${firstFinding(lists.message)}`
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
    let [milliseconds, plainly] = [0, 0]
    for (let round = 0; round < data.rounds; round++) {
      const [expected, answer] = [await plain.ask(request), await lists.ask(request)]
      problem ??= difference(answer.text, expected.text)
      if (expected.status !== request.status) problem ??= `the plain server answers ${expected.status}`
      ;[milliseconds, plainly] = [answer.milliseconds, expected.milliseconds]
    }
    row.tried++
    if (problem) row.wrong.push(`${nameOf(request)}: ${problem}`)
    else row.identical++
    const { reach, status } = request
    if (status !== 200) continue
    const time = { milliseconds, ratio: milliseconds / plainly }
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
