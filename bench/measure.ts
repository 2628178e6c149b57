/**
 * Asks the servers every scenario: first once, to see that all answer the same, then in interleaved
 * rounds. Within a round each server has its turn on the same machine in the same minute, so that a quiet minute is
 * there for every server.
 */

import type { BenchDatabase } from './database.ts'
import { quantile, rounded } from './figures.ts'
import { askOnce, load } from './load.ts'
import type { Options } from './options.ts'
import { type ServerProcess, tokenOf } from './processes.ts'
import type { Measured, Result, Samples } from './results.ts'
import type { Scenario } from './scenarios.ts'
import { answerOf, ours, oursInTarball, type Question, type Server } from './servers.ts'

export type Running = Server & { process: ServerProcess }

/** A request that keeps a core busy for longer only queues at 32 connections; that would say nothing new. */
const longestAtMany = 40

const many = 32

export async function measure(
  { name, questions, kind }: Scenario,
  servers: Running[],
  database: BenchDatabase,
  options: Options
): Promise<Measured> {
  const asked = servers.filter(({ name, only }) =>
    only ? only === kind : !kind || name === ours || name === oursInTarball
  )
  const results: Record<string, Result> = {}
  let expected: string | undefined
  for (const server of asked) {
    const { answers, result } = await tryOut(server, questions, database, options)
    expected ??= answers
    results[server.name] =
      answers && answers !== expected
        ? { problem: `answers differ from ${ours}: ${excerpt(answers)}, not ${excerpt(expected)}` }
        : result
  }
  const timed = asked.filter(({ name }) => !results[name]?.problem)
  for (const connections of kind ? [many] : [1, many]) {
    const fit = timed.filter(({ name }) => connections === 1 || kind || Number(results[name]?.single) <= longestAtMany)
    const limits = { ...options, connections, seconds: kind ? Math.max(options.seconds, 2) : options.seconds }
    const measured = new Set(fit)
    for (let round = -1; round < options.rounds; round++) {
      for (const server of rotated([...measured], round)) {
        const result = results[server.name] as Result
        try {
          // the one before the first is for warming up
          if (round < 0) await turn(server, questions, database, { ...limits, seconds: limits.seconds / 2 })
          else add(result, connections, await turn(server, questions, database, limits))
        } catch (error) {
          measured.delete(server)
          if (result.at) delete result.at[connections]
          result.problem = `at ${connections} connections: ${(error as Error).message}`
          await database.quiet()
        }
      }
    }
  }
  return { name, date: new Date().toISOString().slice(0, 16).replace('T', ' '), results }
}

/**
 * Another one begins each round, and every other round has the reverse order, so that none has its turn always behind the
 * same one.
 */
function rotated<Item>(items: Item[], round: number) {
  const order = [...items.slice(round % items.length), ...items.slice(0, round % items.length)]
  return round % 2 ? order.reverse() : order
}

function add(result: Result, connections: number, sample: Record<keyof Samples, number>) {
  result.at ??= {}
  result.at[connections] ??= { rate: [], p50: [], p99: [], rows: [], nodeCpu: [], databaseCpu: [] }
  for (const [key, values] of Object.entries(result.at[connections])) {
    values.push(rounded(sample[key as keyof Samples]))
  }
}

/** Questions that are compared where there are many. */
const compared = 5

/** Asks what every server must answer alike. */
async function tryOut(
  server: Running,
  questions: Question[],
  database: BenchDatabase,
  { slow, patience }: Options
): Promise<{ answers?: string; result: Result }> {
  const answers = []
  let single = Infinity
  try {
    const some = questions.slice(0, compared)
    for (const question of [...some, ...some, ...some].slice(0, Math.max(some.length, 3))) {
      const { body, milliseconds } = await askOnce(server.process.origin, requestOf(server, question), patience)
      const { ids, total } = answerOf(body)
      answers.push(`${total}: ${ids.join(' ')}`)
      // the first one of all had much to do for the first time
      single = Math.min(single, milliseconds)
      // where it takes seconds, a second try would not say more
      if (milliseconds > Math.min(500, slow * 1000)) break
    }
  } catch (error) {
    await database.quiet()
    if ((error as Error).name === 'TimeoutError') return { result: { problem: `no answer in ${patience} s` } }
    return { result: { problem: (error as Error).message } }
  }
  const result = {
    single: rounded(single),
    ...(single > slow * 1000 && { problem: `one request takes over ${slow} s` })
  }
  return { answers: answers.slice(0, questions.length).slice(0, compared).join('; '), result }
}

const requestOf = (server: Running, question: Question) => ({
  path: server.path(question),
  token: tokenOf(question.caller)
})

/** A server's turn. */
async function turn(
  server: Running,
  questions: Question[],
  database: BenchDatabase,
  limits: Parameters<typeof load>[2]
) {
  const requests = questions.map((question) => requestOf(server, question))
  const [nodeCpu, rows, cpu] = [await server.process.cpu(), await database.rowsRead(), database.cpu()]
  const { latencies, rate } = await load(server.process.origin, requests, limits)
  const [cpuAfter, nodeCpuAfter, rowsAfter] = [database.cpu(), await server.process.cpu(), await database.rowsRead()]
  const count = latencies.length
  return {
    rate,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    rows: (rowsAfter - rows) / count,
    nodeCpu: (nodeCpuAfter - nodeCpu) / count,
    databaseCpu: (cpuAfter - cpu) / count
  }
}

const excerpt = (text: string | undefined = 'nothing') => (text.length > 160 ? `${text.slice(0, 160)}…` : text)

/** So that no server is measured before V8 has compiled its code. A server that fails says so in its scenarios. */
export const warmUp = (server: Running, questions: Question[]) =>
  load(
    server.process.origin,
    questions.map((question) => requestOf(server, question)),
    { connections: many, seconds: 5, requests: Infinity, patience: 60 }
  ).catch(() => {})
