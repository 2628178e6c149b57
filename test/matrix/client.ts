/** Asks a server over a connection of its own, and gives the answer as it came over the wire. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:http2'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface Question {
  method: string
  path: string
  headers: Record<string, string>
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

export type Client = ReturnType<typeof openClient>

type RawHeaders = Record<string, string | string[] | number | undefined>

/** A client of HTTP/1.1, which keeps a few connections open. */
export function openClient(address: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  return {
    ask: async ({ method, path, headers }: Question): Promise<Answer> => {
      const sent = request(address, { method, path, headers, agent }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return answerOf(Number(response.statusCode), response.headers, await response.toArray())
    },
    close: () => agent.destroy()
  }
}

/** A client of HTTP/2 without TLS. */
export function openHttp2Client(address: string): Client {
  const session = connect(address)
  return {
    ask: async ({ method, path, headers }) => {
      const stream = session.request({ ':method': method, ':path': path, ...headers })
      const [{ ':status': status, ...received }] = (await once(stream, 'response')) as [RawHeaders]
      return answerOf(Number(status), received, await stream.toArray())
    },
    close: () => session.close()
  }
}

const decoders: Record<string, (body: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync }

function answerOf(status: number, received: RawHeaders, chunks: Buffer[]): Answer {
  const headers = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value)]))
  const body = Buffer.concat(chunks)
  const decode = body.length > 0 ? decoders[headers['content-encoding'] ?? ''] : undefined
  return { status, headers, body: decode ? decode(body) : body }
}

/** All of an answer but what the clock decides, and the headers that are the host's own. */
export function textOf({ status, headers, body }: Answer, own: readonly string[] = []): string {
  const compared = Object.entries(headers).filter(([name]) => name !== 'date' && !own.includes(name))
  return `${status} ${JSON.stringify(compared.sort())} ${body.toString('latin1')}`
}
