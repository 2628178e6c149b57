/** Clients with open connections and a fixed request rate. Some clients leave before the answer. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Ask {
  path: string
  token: string
  method?: string
}

export interface Outcome {
  sent: number
  left: number
  wrong: string[]
}

const connections = 16

/** Requests per second of all connections together. */
const rate = 250

/** The client leaves each request whose number is a multiple of this. */
const leaving = 9

const allowed = new Set([200, 400, 401, 403])

/** Sends the requests in turn for these milliseconds, and adds to the outcome. */
export async function put(origin: string, asks: readonly Ask[], duration: number, outcome: Outcome): Promise<void> {
  const start = performance.now()
  const work = async (worker: number) => {
    for (let due = (worker * 1000) / rate; due < duration; due += (connections * 1000) / rate) {
      await sleep(Math.max(0, start + due - performance.now()))
      const number = outcome.sent++
      const leaves = number % leaving === 0
      const { path, token, method = 'GET' } = asks[number % asks.length] as Ask
      const signal = AbortSignal.timeout(leaves ? (number / leaving) % 40 : 20_000)
      try {
        const answer = await fetch(origin + path, { method, headers: { authorization: `Bearer ${token}` }, signal })
        const text = await answer.text()
        if (!allowed.has(answer.status)) outcome.wrong.push(`${answer.status} ${text}`)
      } catch (error) {
        if (leaves && signal.aborted) outcome.left++
        else outcome.wrong.push(String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, (_each, worker) => work(worker)))
}

/** Sends the bytes of a request with `connection: close`, and returns all bytes that come back. */
export async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  // An `end` would half-close the connection, as a client does that leaves.
  socket.write(bytes)
  return Buffer.concat(await socket.toArray()).toString()
}
