/**
 * What can go wrong with a request, as the client sees it: one kind a line. Everything that is
 * thrown, by us, by the host's callbacks or by a driver, becomes one of these in `failureOf`, and
 * from there on neither the client nor the log sees anything else of it.
 */

/** Kind of failure → HTTP status (contract A "Errors" and B5). */
const statuses = {
  parameter: 400,
  unauthorized: 401,
  forbidden: 403,
  internal: 500,
  unavailable: 503,
  timeout: 504
} as const

export type FailureKind = keyof typeof statuses | 'host'

/** The kind of a status that the host's own error has; any other one, and a 400, is only the `host`'s. */
const kindOf = new Map<number, FailureKind>([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [500, 'internal'],
  [503, 'unavailable'],
  [504, 'timeout']
])

/** What the operator's log line says beside the kind: names and codes, never values or SQL. */
export type FailureFacts = Readonly<Record<string, string | number>>

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly statusCode: number

  /** `message` is for the operator; only that of a `parameter` failure is also for the client. */
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly facts: FailureFacts = {},
    statusCode?: number
  ) {
    super(message)
    this.statusCode = statusCode ?? (kind === 'host' ? 500 : statuses[kind])
  }
}

/** The fields by which drivers and Fastify plugins tell what happened; any of them may be missing. */
interface Reported {
  code?: unknown
  errno?: unknown
  sqlState?: unknown
  statusCode?: unknown
  message?: unknown
  stack?: unknown
  cause?: unknown
  originalError?: unknown
}

/** Could not ask: the server is away, full or going down. A client may try again. */
const unreachable = {
  codes: new Set(
    (
      'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN ' +
      'PROTOCOL_CONNECTION_LOST PROTOCOL_SEQUENCE_TIMEOUT POOL_CLOSED POOL_NOCONN SQLITE_BUSY SQLITE_LOCKED ' +
      'UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET'
    ).split(' ')
  ),
  // MySQL and MariaDB: too many connections, shutdown, network, user limits, client side 2xxx
  errnos: new Set([1040, 1053, 1158, 1159, 1160, 1161, 1203, 1226, 2002, 2003, 2006, 2013]),
  // PostgreSQL: connection exceptions, no resources, shutdown and start-up
  sqlStates: /^(08|53)|^57P0[1-3]$/,
  // pool errors of mysql2, pg and kysely come without any code
  messages:
    /^(No connections available\.|Queue limit reached\.|Pool is closed\.|driver has already been destroyed|timeout exceeded when trying to connect|Connection terminated.*|Can't add new command when connection is in closed state)$/
}

/** Asked, and no answer in time. */
const timedOut = {
  codes: new Set(['FST_ERR_HANDLER_TIMEOUT']),
  // lock wait, killed query, MariaDB's max_statement_time, MySQL's MAX_EXECUTION_TIME
  errnos: new Set([1205, 1317, 1969, 3024]),
  // PostgreSQL: statement canceled, lock not available
  sqlStates: /^(57014|55P03)$/,
  messages: /^Query read timeout$/
}

/** The text of an error that one character set cannot hold what the other one says (MySQL and MariaDB). */
const charsetErrnos = new Set([1267, 1270, 1271, 3854, 3988])

const matches = (signs: typeof timedOut, { code, errno, sqlState, message }: Reported): boolean =>
  signs.codes.has(String(code)) ||
  signs.errnos.has(Number(errno)) ||
  signs.sqlStates.test(String(sqlState ?? code)) ||
  signs.messages.test(String(message))

/** The error and what it was caused by: `fetch` and fast-jwt wrap the socket's error. */
function* causes(error: unknown): Generator<Reported> {
  for (let depth = 0; typeof error === 'object' && error !== null && depth < 5; depth++) {
    const reported: Reported = error
    yield reported
    error = reported.cause ?? reported.originalError
  }
}

/** `true` when a column's character set could not take part in a comparison with the client's text. */
export const isCharsetError = (error: unknown): boolean => charsetErrnos.has(Number((error as Reported | null)?.errno))

/** @fastify/jwt and fast-jwt say with these codes that the token is not good; some carry no status, some a 400. */
const isTokenError = ({ code }: Reported): boolean =>
  /^(FST|FAST)_JWT_/.test(String(code)) && code !== 'FAST_JWT_KEY_FETCHING_ERROR'

/**
 * Turns anything thrown into a `Failure`.
 *
 * A token error is a 401, an own `statusCode` of 4xx or 5xx is kept, a server that cannot be reached
 * is a 503, a passed deadline a 504, the rest a 500. The facts hold codes and the places in the code,
 * never the message: drivers write SQL and values into it.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  const reported: Reported = typeof error === 'object' && error !== null ? error : {}
  const facts = factsOf(reported)
  if (isTokenError(reported)) return new Failure('unauthorized', 'The token was refused.', facts)
  if (matches(timedOut, reported)) return new Failure('timeout', 'The deadline passed.', facts)
  const status = Number(reported.statusCode)
  if (status >= 400 && status <= 599) {
    return new Failure(kindOf.get(status) ?? 'host', 'The host refused with an error.', facts, status)
  }
  for (const cause of causes(error)) {
    if (matches(unreachable, cause)) {
      return new Failure('unavailable', 'A server that this request needs cannot be reached.', factsOf(cause))
    }
  }
  return new Failure('internal', 'An unexpected error was thrown.', facts)
}

function factsOf({ code, errno, sqlState, stack }: Reported): FailureFacts {
  const facts: Record<string, string | number> = {}
  if (typeof code === 'string' && /^\w{1,64}$/.test(code)) facts.code = code
  if (typeof errno === 'number') facts.errno = errno
  if (typeof sqlState === 'string' && /^\w{5}$/.test(sqlState)) facts.sqlState = sqlState
  const places = String(stack ?? '').match(/^ {4}at .+$/gm)
  if (places) facts.at = places.slice(0, 8).join('\n')
  return facts
}
