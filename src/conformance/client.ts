/** The client of the conformance checks. Its messages hold no token. */

/** A Fastify server, or any object with its `inject`. */
export interface ConformanceServer {
  /** Answers a request without a network, as `app.inject` does. */
  inject(request: {
    /** Always `GET`. */
    method: 'GET'
    /** Path and query string. */
    url: string
    /** The headers of the caller. */
    headers: Record<string, string>
  }): PromiseLike<{
    /** The HTTP status. */
    statusCode: number
    /** The headers of the answer, with names in lower case. */
    headers: Readonly<Record<string, unknown>>
    /** The body of the answer as text. */
    body: string
  }>
}

export interface Asker {
  /** Name of the caller in messages. */
  readonly name: string
  /** Headers of each request, such as `authorization` or `cookie`. No message shows their values. */
  readonly headers: Readonly<Record<string, string>>
}

export type Query = Readonly<Record<string, string | number>>

export interface Answer {
  /** For example, `GET /payment/list?page=2 as Ben`. */
  readonly request: string
  readonly asker: Asker
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Empty if the body is not JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

export async function ask(server: ConformanceServer, asker: Asker, path: string, query: Query): Promise<Answer> {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const url = `${path}?${new URLSearchParams(parameters)}`
  const { statusCode, headers, body } = await server.inject({ method: 'GET', url, headers: { ...asker.headers } })
  return { request: `GET ${url} as ${asker.name}`, asker, status: statusCode, headers, body: objectOf(body) }
}

function objectOf(text: string): Answer['body'] {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

export function fail({ request, asker }: Answer, problem: string): never {
  const words = Object.values(asker.headers).flatMap((value) => [value, ...value.split(/[\s;=,]+/)])
  // Short words such as `Bearer` are not secret.
  const secrets = words.filter(({ length }) => length >= 8)
  const text = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), problem)
  throw new Error(`${request}: ${text}`)
}

export function requireHeader(answer: Answer, name: string, value: string): void {
  const got = answer.headers[name]
  if (got !== value) fail(answer, `expected the header ${name}: ${value}, got ${got}.`)
}
