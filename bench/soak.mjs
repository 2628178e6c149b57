/** Memory of a server that is kept busy: it must not grow. */
import { rounded } from './figures.mjs'
import { load } from './load.mjs'
import { tokenOf } from './tokens.mjs'

/**
 * @param {import('./measure.mjs').Running} server
 * @param {import('./servers.mjs').Question[]} questions
 * @param {number} seconds
 * @returns {Promise<import('./results.mjs').Soak>}
 */
export async function soak(server, questions, seconds) {
  const requests = questions.map((question) => ({ path: server.path(question), token: tokenOf(question.caller) }))
  const every = Math.min(5, seconds / 10)
  /** @type {import('./results.mjs').Soak} */
  const found = { second: [], memory: [], requests: 0 }
  const start = performance.now()
  for (let second = 0; second < seconds; second = (performance.now() - start) / 1000) {
    const limits = { connections: 32, seconds: every, requests: Infinity, patience: 60 }
    const { latencies } = await load(server.process.origin, requests, limits)
    found.requests += latencies.length
    found.second.push(rounded((performance.now() - start) / 1000))
    found.memory.push(rounded((await server.process.usage()).memory / 2 ** 20))
  }
  return found
}
