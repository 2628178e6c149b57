/** Puts load on a server: so many connections, kept alive, each with one request at a time. */
import { Client } from 'undici'

export type Request = { path: string; token: string }

/** Sends the requests in turn, over and over, until time or number is over; each connection sends at least one. */
export async function load(
  origin: string,
  requests: Request[],
  limits: { connections: number; seconds: number; requests: number; patience: number }
) {
  const clients = Array.from(
    { length: limits.connections },
    () => new Client(origin, { headersTimeout: 0, bodyTimeout: 0 })
  )
  const latencies: number[] = []
  let sent = 0
  const start = performance.now()
  const end = start + limits.seconds * 1000

  try {
    await Promise.all(
      clients.map(async (client) => {
        do {
          const request = requests[sent++ % requests.length] as Request
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

/** One request of its own connection; its JSON. */
export async function askOnce(origin: string, request: Request, patience: number) {
  const client = new Client(origin, { headersTimeout: 0, bodyTimeout: 0 })
  try {
    const before = performance.now()
    const text = await send(client, request, patience)
    return { body: JSON.parse(text), milliseconds: performance.now() - before }
  } finally {
    await client.destroy()
  }
}

async function send(client: Client, { path, token }: Request, patience: number) {
  const signal = AbortSignal.timeout(patience * 1000)
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const response = await client.request({ method: 'GET', path, headers, signal })
  const text = await response.body.text()
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text.slice(-300)}`)
  return text
}
