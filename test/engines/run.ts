/**
 * Compares engines of more than one server with one plain server: `npm run test:engines`, or some rows,
 * `npm run test:engines -- pglite libsql`. `-- --size short` takes less data, and `-- --quick` the rows that every change
 * must pass. The whole long run writes the table to test/ENGINES.md. The run fails if a row is not as it must be.
 */
import { writeFileSync } from 'node:fs'
import { difference, failure } from '../matrix/report.mjs'
import { nameOf } from '../matrix/requests.js'
import { originOf } from '../support/running/report.mjs'
import { chosen, command, stopAtEnd } from '../support/running/steps.mjs'
import type { Scope } from '../support/servers/pools.js'
import { makeData, type Size } from './data.js'
import { libsql, pglite } from './embedded.js'
import { documentOf, type Engine, type Row, type Started, type Time, tableOf } from './engine.js'
import { tryDeadline, tryDeath, tryLeaving } from './incidents.js'
import { type Lists, openLists } from './lists.js'
import { galera, partitions, replica } from './mysql.js'
import { openPlain, type Plain } from './plain.js'
import { pgbouncerDirect, pgbouncerStatement, pgbouncerTransaction, pgpool } from './poolers.js'
import { postgresShards } from './postgres-shards.js'
import { requestsOf } from './requests.js'

/** What a part of the run has started, and stops at its end, the last one first. */
class Part implements Scope {
  readonly #stops: (() => unknown)[] = []
  #isOver = false

  /** @throws Error after the end, which an interruption can bring while something starts. */
  teardown(stop: () => unknown): void {
    if (this.#isOver) throw new Error('The run is over.')
    this.#stops.push(stop)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    for (const stop of this.#stops.splice(0).reverse()) await stop()
  }
}

const engines: readonly Engine[] = [
  postgresShards,
  pgbouncerTransaction,
  pgbouncerDirect,
  pgbouncerStatement,
  pglite,
  libsql,
  partitions,
  replica,
  galera,
  pgpool
]

async function rowOf(engine: Engine, scope: Scope, plain: Plain): Promise<Row> {
  const row: Row = {
    ...{ name: engine.name, title: engine.name, boot: '', tried: 0, identical: 0 },
    ...{ deadline: '', leaving: '', node: '', times: {}, slowest: { milliseconds: 0, ratio: 1 }, wrong: [] }
  }
  const problem = await failure(async () => {
    const started = await engine.start(scope, plain)
    row.title = started.title
    await tryOut(engine, started, row, scope, plain)
  })
  if (problem) row.wrong.push(problem)
  return row
}

async function tryOut(engine: Engine, started: Started, row: Row, scope: Scope, plain: Plain): Promise<void> {
  const expected = await openLists(scope, started.plain)
  const lists = await openLists(scope, started.db).catch((refusal: Error) => refusal)
  if (lists instanceof Error) {
    row.boot = `refused: ${firstFinding(lists.message)}`
    if (!engine.refused?.test(row.boot)) row.wrong.push(row.boot)
    return
  }
  row.boot = lists.warnings === 0 ? 'passes' : `${lists.warnings} ${lists.warnings === 1 ? 'warning' : 'warnings'}`
  // The answers of an engine that must be refused are wrong anyway.
  if (engine.refused) return void row.wrong.push('The boot must be refused.')
  await compare(plain, expected, lists, row)
  await tryDeadline(engine, lists, row)
  await tryLeaving(engine, started, lists, row)
  if (started.node) await tryDeath(started.node, requestsOf(plain.data), expected, lists, row)
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

await command(async () => {
  const names = engines.map(({ name }) => name)
  const { size, quick, isAll, parts } = chosen('engine', names, ['long', 'short'])

  const start = performance.now()
  const data = makeData(size as Size)
  const all = new Part()
  stopAtEnd(all)
  const plain = openPlain(all, data)
  const rows: Row[] = []
  for (const engine of engines) {
    if (!parts.includes(engine.name) || (isAll && quick && !engine.isQuick)) continue
    console.log(`\n# ${engine.name}`)
    const began = performance.now()
    const own = new Part()
    all.teardown(() => own.stop())
    const row = await rowOf(engine, own, plain)
    await own.stop()
    rows.push(row)
    const seconds = Math.round((performance.now() - began) / 1000)
    console.log(`${engine.name}, ${seconds} s: ${row.identical} of ${row.tried} identical; ${row.boot}`)
    for (const problem of row.wrong.slice(0, 5)) console.log(`  wrong: ${problem}`)
    if (row.wrong.length > 5) console.log(`  … and ${row.wrong.length - 5} more`)
  }

  console.log(`\n${tableOf(rows)}\n`)
  const wrong = rows.filter((row) => row.wrong.length > 0)
  if (wrong.length > 0) throw new Error(`Not as it must be: ${wrong.map(({ name }) => name).join(', ')}.`)
  if (rows.length === engines.length && size === 'long') {
    writeFileSync('test/ENGINES.md', documentOf(rows, data, originOf('test:engines', start)))
  }
})
