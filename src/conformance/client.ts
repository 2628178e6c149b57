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
export type Query = readonly (readonly [name: string, value: string | number])[]

export interface Answer {
  /** For example, `GET /payment/list?page=2 as Ben`. */
  readonly request: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Empty if the body is not JSON. */
  readonly body: Readonly<Record<string, unknown>>
  readonly secrets: readonly string[]
  /** Why the server answered with a 500. Empty for another status, and if the server has a logger, which shows the reason. */
  readonly reason: string
}

export async function ask(server: ConformanceServer, asker: Asker, path: string, query: Query): Promise<Answer> {
  const parameters = query.map(([name, value]): [string, string] => [name, String(value)])
  const url = `${path}?${new URLSearchParams(parameters)}`
  const request = { method: 'GET', url, headers: { ...asker.headers } } as const
  const { statusCode, headers, body } = await server.inject(request)
  return {
    request: `GET ${url} as ${asker.name}`,
    status: statusCode,
    headers,
    body: objectOf(body),
    secrets: Object.values(asker.headers).flatMap((value) => [value, ...value.split(/[\s;=,]+/)].filter(isSecret)),
    reason: statusCode === 500 ? await reasonOf(() => server.inject(request), Object(server).log) : ''
  }
}

/** Only one request at a time listens to the log. */
let listening: Promise<unknown> = Promise.resolve()

/** Asks again, and listens to the log. Without a logger, all requests have the log of the server, which writes nothing. */
function reasonOf(askAgain: () => PromiseLike<unknown>, log: unknown): Promise<string> {
  const reason = listening.then(async () => {
    const { error } = Object(log)
    if (typeof error !== 'function') return ''
    const reasons: string[] = []
    const listener = (facts: unknown, text: unknown) => {
      const { list, reach: _reach, ...details } = Object(facts)
      // A hook of the host can log anything.
      if (list)
        reasons.push([` The reason: ${text}`, ...Object.entries(details).map((each) => each.join(': '))].join(' '))
    }
    Object.assign(Object(log), { error: listener })
    try {
      await askAgain()
    } finally {
      Object.assign(Object(log), { error })
    }
    return reasons.join('')
  })
  listening = reason.catch(() => undefined)
  return reason
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

export function fail({ request, secrets, reason }: Answer, problem: string): never {
  const text = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), `${problem}${reason}`)
  throw new Error(`${request}: ${text}`)
}

export function requireHeader(answer: Answer, name: string, value: string): void {
  const got = answer.headers[name]
  if (got !== value) fail(answer, `expected the header ${name}: ${value}, got ${got}.`)
}
