/** Asks a server, and says what is wrong with an answer: with the request that shows it, never with its token. */

/** As much of a Fastify server as is needed. */
export interface ConformanceServer {
  inject(request: { method: 'GET'; url: string; headers: Record<string, string> }): PromiseLike<{
    statusCode: number
    headers: Readonly<Record<string, unknown>>
    body: string
  }>
}

/** Whoever asks. */
export interface Asker {
  /** What messages call the caller. */
  readonly name: string
  /** What each request of the caller carries: a token, a cookie. No message shows it. */
  readonly headers: Readonly<Record<string, string>>
}

/** The parameters of a request; pairs, so that one can be given twice. */
export type Query = readonly (readonly [name: string, value: string | number])[]

export interface Answer {
  /** As in `GET /payment/list?page=2 as Ben`. */
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Without properties where the body is no JSON. */
  readonly body: Readonly<Record<string, unknown>>
  /** What no message may show. */
  readonly secrets: readonly string[]
}

export async function ask(
  server: ConformanceServer,
  { name, headers }: Asker,
  path: string,
  query: Query
): Promise<Answer> {
  const parameters = new URLSearchParams()
  for (const [name, value] of query) parameters.append(name, String(value))
  const url = `${path}?${parameters}`
  const { statusCode, headers: received, body } = await server.inject({ method: 'GET', url, headers: { ...headers } })
  return {
    request: `GET ${url} as ${name}`,
    status: statusCode,
    headers: received,
    body: objectOf(body),
    secrets: Object.values(headers).flatMap((value) => [value, ...value.split(/[\s;=,]+/)].filter(isLong))
  }
}

function objectOf(text: string): Answer['body'] {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** A word like `Bearer` is no secret, and would leave gaps in a message. */
const isLong = (text: string) => text.length >= 8

export function fail({ request, secrets }: Answer, problem: string): never {
  throw new Error(`${request}: ${secrets.reduce((text, secret) => text.replaceAll(secret, '***'), problem)}`)
}
