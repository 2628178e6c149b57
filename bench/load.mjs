/** Puts load on a server: so many connections, kept alive, each with one request at a time. */
import { Client } from 'undici'

/** @typedef {{ path: string, token: string }} Request */

/**
 * Sends the requests in turn, over and over, until time or number is over; each connection sends at least one.
 *
 * @param {string} origin
 * @param {Request[]} requests
 * @param {{ connections: number, seconds: number, requests: number, patience: number }} limits
 */
export async function load(origin, requests, limits) {
  const clients = Array.from(
    { length: limits.connections },
    () => new Client(origin, { headersTimeout: 0, bodyTimeout: 0 })
  )
  /** @type {number[]} */
  const latencies = []
  let sent = 0
  const start = performance.now()
  const end = start + limits.seconds * 1000

  try {
    await Promise.all(
      clients.map(async (client) => {
        do {
          const request = /** @type {Request} */ (requests[sent++ % requests.length])
          const before = performance.now()
          await send(client, request, limits.patience)
          latencies.push(performance.now() - before)
        } while (performance.now() < end && sent < limits.requests)
      })
    )
    const seconds = (performance.now() - start) / 1000
    return { latencies, seconds, rate: latencies.length / seconds }
  } finally {
    await Promise.all(clients.map((client) => client.destroy()))
  }
}

/**
 * One request of its own connection; its JSON.
 *
 * @param {string} origin
 * @param {Request} request
 * @param {number} patience seconds
 */
export async function askOnce(origin, request, patience) {
  const client = new Client(origin, { headersTimeout: 0, bodyTimeout: 0 })
  try {
    const before = performance.now()
    const text = await send(client, request, patience)
    return { body: JSON.parse(text), milliseconds: performance.now() - before }
  } finally {
    await client.destroy()
  }
}

/** @param {Client} client @param {Request} request @param {number} patience */
async function send(client, { path, token }, patience) {
  const signal = AbortSignal.timeout(patience * 1000)
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const response = await client.request({ method: 'GET', path, headers, signal })
  const text = await response.body.text()
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text.slice(-300)}`)
  return text
}
