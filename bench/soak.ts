/** Memory of a server that is kept busy: it must not grow. */
import { rounded } from './figures.ts'
import { load } from './load.ts'
import type { Running } from './measure.ts'
import type { Soak } from './results.ts'
import type { Question } from './servers.ts'
import { tokenOf } from './tokens.ts'

export async function soak(server: Running, questions: Question[], seconds: number): Promise<Soak> {
  const requests = questions.map((question) => ({ path: server.path(question), token: tokenOf(question.caller) }))
  const every = Math.min(5, seconds / 10)
  const found: Soak = { second: [], memory: [], requests: 0 }
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
