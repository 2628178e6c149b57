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

export interface Load {
  origin: string
  /** The requests, which are sent in turn. */
  asks: readonly Ask[]
  connections: number
  /** Requests per second of all connections together. */
  rate: number
  /** The load ends when this promise settles. */
  until: Promise<unknown>
  /** The reason why an answer is wrong. */
  problemOf(answer: HttpAnswer): string | undefined
  /** The client leaves each request whose number is a multiple of this. */
  leaving: number
}

export interface Outcome {
  sent: number
  left: number
  statuses: Map<number, number>
  /** The number of unanswered requests by error code. */
  unanswered: Map<string, number>
  wrong: string[]
}

/** Adds to the outcome. */
export async function put(load: Load, outcome: Outcome): Promise<void> {
  const { origin, asks, connections, rate, until, problemOf, leaving } = load
  const count = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const start = performance.now()
  let over = false
  const end = until.finally(() => {
    over = true
  })

  const work = async (worker: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let turn = 0; ; turn++) {
      const due = start + ((turn * connections + worker) * 1000) / rate
      await sleep(Math.max(0, due - performance.now()))
      if (over) break
      const number = outcome.sent++
      const ask = asks[number % asks.length] as Ask
      const patience = number % leaving === 0 ? (number / leaving) % 40 : undefined
      try {
        const answer = await send(agent, origin, ask, patience)
        if (!answer) {
          outcome.left++
          continue
        }
        count(outcome.statuses, answer.status)
        const problem = problemOf(answer)
        if (problem && outcome.wrong.length < 10) outcome.wrong.push(problem)
      } catch (error) {
        count(outcome.unanswered, String((error as NodeJS.ErrnoException).code))
      }
    }
    agent.destroy()
  }

  await Promise.all([end, ...Array.from({ length: connections }, (_each, worker) => work(worker))])
}

export const emptyOutcome = (): Outcome => ({
  sent: 0,
  left: 0,
  statuses: new Map(),
  unanswered: new Map(),
  wrong: []
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

export const told = (counts: Map<unknown, number>): string =>
  [...counts].map(([what, number]) => `${number} × ${what}`).join(', ') || 'none'
