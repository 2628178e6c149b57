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

/** Pairs, because a check can repeat a parameter. */
export type QueryPairs = readonly (readonly [name: string, value: string | number])[]

export interface Answer {
  /** For example, `GET /payment/list?page=2 as Ben`. */
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Empty if the body is not JSON. */
  readonly body: Readonly<Record<string, unknown>>
  readonly secrets: readonly string[]
}

export async function ask(server: ConformanceServer, asker: Asker, path: string, query: QueryPairs): Promise<Answer> {
  const parameters = query.map(([name, value]): [string, string] => [name, String(value)])
  const url = `${path}?${new URLSearchParams(parameters)}`
  const { statusCode, headers, body } = await server.inject({ method: 'GET', url, headers: { ...asker.headers } })
  return {
    request: `GET ${url} as ${asker.name}`,
    status: statusCode,
    headers,
    body: objectOf(body),
    secrets: Object.values(asker.headers).flatMap((value) => [value, ...value.split(/[\s;=,]+/)].filter(isSecret))
  }
}

function objectOf(text: string): Answer['body'] {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Short words such as `Bearer` are not secret. */
const isSecret = (text: string) => text.length >= 8

export function fail({ request, secrets }: Answer, problem: string): never {
  const text = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), problem)
  throw new Error(`${request}: ${text}`)
}

export function requireHeader(answer: Answer, name: string, value: string): void {
  const got = answer.headers[name]
  if (got !== value) fail(answer, `expected the header ${name}: ${value}, got ${got}.`)
}
