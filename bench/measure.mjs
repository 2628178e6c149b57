/**
 * Asks the servers every scenario: first once, to see that all answer the same, then in interleaved
 * rounds. Within a round each server has its turn on the same machine in the same minute, so that ratios
 * are taken within rounds.
 */
import { quantile, rounded } from './figures.mjs'
import { askOnce, load } from './load.mjs'
import { answerOf, ours } from './servers.mjs'
import { tokenOf } from './tokens.mjs'

/**
 * @typedef {object} Result of a server in a scenario
 * @property {number} [single] milliseconds of one request, when nothing else ran
 * @property {string} [problem] why it was not timed
 * @property {Record<string, Samples>} [at] by the number of connections
 */

/**
 * @typedef {object} Samples one value a round
 * @property {number[]} rate requests a second
 * @property {number[]} p50 milliseconds
 * @property {number[]} p99
 * @property {number[]} rows read by the database for a request
 * @property {number[]} nodeCpu milliseconds for a request
 * @property {number[]} databaseCpu
 * @property {number[]} memory megabytes of the server afterwards
 */

/** @typedef {{ name: string, date: string, results: Record<string, Result> }} Measured `date` in UTC */
/** @typedef {import('./servers.mjs').Server & { process: import('./processes.mjs').ServerProcess }} Running */

/** A request that keeps a core busy for longer only queues at 32 connections; that would say nothing new. */
const longestAtMany = 40

const many = 32

/**
 * @param {import('./scenarios.mjs').Scenario} scenario
 * @param {Running[]} servers ours first
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {import('./options.mjs').Options} options
 * @returns {Promise<Measured>}
 */
export async function measure({ name, questions, kind }, servers, database, options) {
  const asked = servers.filter(({ name, only }) => (only ? only === kind : kind !== 'plugins' || name === ours))
  /** @type {Record<string, Result>} */
  const results = {}
  /** @type {string | undefined} */
  let expected
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
    // a count that is shared must have begun first: a short turn would be little more than its beginning
    const limits = { ...options, connections, seconds: kind ? Math.max(options.seconds, 2) : options.seconds }
    const measured = new Set(fit)
    for (let round = -1; round < options.rounds; round++) {
      for (const server of rotated([...measured], round)) {
        const result = /** @type {Result} */ (results[server.name])
        try {
          // the one before the first is for warming up
          if (round < 0) await turn(server, questions, database, { ...limits, seconds: limits.seconds / 2 })
          else add(result, connections, await turn(server, questions, database, limits))
        } catch (error) {
          measured.delete(server)
          if (result.at) delete result.at[connections]
          result.problem = `at ${connections} connections: ${/** @type {Error} */ (error).message}`
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
 *
 * @template Item
 * @param {Item[]} items
 * @param {number} round
 */
function rotated(items, round) {
  const order = [...items.slice(round % items.length), ...items.slice(0, round % items.length)]
  return round % 2 ? order.reverse() : order
}

/** @param {Result} result @param {number} connections @param {Record<keyof Samples, number>} sample */
function add(result, connections, sample) {
  result.at ??= {}
  result.at[connections] ??= { rate: [], p50: [], p99: [], rows: [], nodeCpu: [], databaseCpu: [], memory: [] }
  for (const [key, values] of Object.entries(result.at[connections])) {
    values.push(rounded(sample[/** @type {keyof Samples} */ (key)]))
  }
}

/** Questions that are compared where there are many. */
const compared = 5

/**
 * Asks what every server must answer alike.
 *
 * @param {Running} server
 * @param {import('./servers.mjs').Question[]} questions
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {import('./options.mjs').Options} options
 * @returns {Promise<{ answers?: string, result: Result }>}
 */
async function tryOut(server, questions, database, { slow, patience }) {
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
    if (/** @type {Error} */ (error).name === 'TimeoutError')
      return { result: { problem: `no answer in ${patience} s` } }
    return { result: { problem: /** @type {Error} */ (error).message } }
  }
  const result = {
    single: rounded(single),
    ...(single > slow * 1000 && { problem: `one request takes over ${slow} s` })
  }
  return { answers: answers.slice(0, questions.length).slice(0, compared).join('; '), result }
}

/** @param {Running} server @param {import('./servers.mjs').Question} question */
const requestOf = (server, question) => ({ path: server.path(question), token: tokenOf(question.caller) })

/**
 * A server's turn.
 *
 * @param {Running} server
 * @param {import('./servers.mjs').Question[]} questions
 * @param {import('./database.mjs').BenchDatabase} database
 * @param {Parameters<typeof load>[2]} limits
 */
async function turn(server, questions, database, limits) {
  const requests = questions.map((question) => requestOf(server, question))
  const [usage, rows, cpu] = [await server.process.usage(), await database.rowsRead(), database.cpu()]
  const { latencies, rate } = await load(server.process.origin, requests, limits)
  const [cpuAfter, usageAfter, rowsAfter] = [database.cpu(), await server.process.usage(), await database.rowsRead()]
  const count = latencies.length
  return {
    rate,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    rows: (rowsAfter - rows) / count,
    nodeCpu: (usageAfter.cpu - usage.cpu) / count,
    databaseCpu: (cpuAfter - cpu) / count,
    memory: usageAfter.memory / 2 ** 20
  }
}

/** @param {string | undefined} text */
const excerpt = (text = 'nothing') => (text.length > 160 ? `${text.slice(0, 160)}…` : text)
