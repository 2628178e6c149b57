/** Clients with open connections and a fixed request rate. Some clients leave before the answer. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Ask {
  path: string
  token: string
  method?: string
}

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface Load<Asked extends Ask = Ask> {
  /** The nodes. A client whose node does not answer uses the next node. */
  origins: readonly string[]
  /** The requests, which are sent in turn. */
  asks: readonly Asked[]
  connections: number
  /** Requests per second of all connections together. */
  rate: number
  /** The load ends when this promise settles. */
  until: Promise<unknown>
  /** The reason why an answer is wrong. */
  problemOf(answer: HttpAnswer, ask: Asked): string | undefined
  /** The client leaves each request whose number is a multiple of this. */
  leaving?: number
}

export interface Outcome {
  sent: number
  left: number
  statuses: Map<number, number>
  /** The number of unanswered requests by error code. */
  unanswered: Map<string, number>
  wrong: string[]
  /** Milliseconds since each request was due, so that a request that waits behind a slow one also counts as slow. */
  latencies: number[]
  /** Milliseconds since the request was sent. */
  slowest: number
}

export async function put<Asked extends Ask>(load: Load<Asked>, outcome = emptyOutcome()): Promise<Outcome> {
  const { origins, asks, connections, rate, until, problemOf, leaving } = load
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const start = performance.now()
  let over = false
  const end = until.finally(() => {
    over = true
  })

  const work = async (worker: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let origin = worker
    for (let turn = 0; ; turn++) {
      const due = start + ((turn * connections + worker) * 1000) / rate
      await sleep(Math.max(0, due - performance.now()))
      if (over) break
      const number = outcome.sent++
      const ask = asks[number % asks.length] as Asked
      const patience = leaving && number % leaving === 0 ? (number / leaving) % 40 : undefined
      const sent = performance.now()
      try {
        const answer = await send(agent, String(origins[origin % origins.length]), ask, patience)
        if (!answer) {
          outcome.left++
          continue
        }
        outcome.latencies.push(performance.now() - due)
        outcome.slowest = Math.max(outcome.slowest, performance.now() - sent)
        count(outcome.statuses, answer.status)
        const problem = problemOf(answer, ask)
        if (problem && outcome.wrong.length < 10) outcome.wrong.push(problem)
      } catch (error) {
        count(outcome.unanswered, String((error as NodeJS.ErrnoException).code))
        origin++
      }
    }
    agent.destroy()
  }

  await Promise.all([end, ...Array.from({ length: connections }, (_each, worker) => work(worker))])
  return outcome
}

export const emptyOutcome = (): Outcome => ({
  ...{ sent: 0, left: 0, slowest: 0, statuses: new Map(), unanswered: new Map() },
  ...{ wrong: [], latencies: [] }
})

/** @returns undefined if the client left before the answer */
const send = (agent: Agent, origin: string, { path, token, method = 'GET' }: Ask, patience: number | undefined) =>
  new Promise<HttpAnswer | undefined>((resolve, reject) => {
    const asked = request(origin + path, { agent, method, headers: { authorization: `Bearer ${token}` } })
    const timer = patience === undefined ? undefined : setTimeout(() => leave(), patience)
    const leave = () => {
      asked.destroy()
      resolve(undefined)
    }
    asked.on('error', reject)
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: Number(response.statusCode), headers: response.headers, text })
      })
    })
    asked.end()
  })

/** Sends the bytes of a request with `connection: close`, and returns all bytes that come back. */
export async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  // An `end` would half-close the connection, as a client does that leaves.
  socket.write(bytes)
  return Buffer.concat(await socket.toArray()).toString()
}

/** The percentile in milliseconds. */
export function percentile(latencies: readonly number[], share: number): number {
  const sorted = [...latencies].sort((a, b) => a - b)
  return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
}

export const told = (counts: Map<unknown, number>): string =>
  [...counts].map(([what, number]) => `${number} × ${what}`).join(', ') || 'none'
