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

/** What drivers and Fastify plugins tell of an error; undefined what is missing or of another kind. */
interface Reported {
  code: string | undefined
  errno: number | undefined
  sqlState: string | undefined
  statusCode: number | undefined
  name: string | undefined
  message: string | undefined
  stack: string | undefined
  /** What it was caused by: `fetch` and fast-jwt wrap a socket's error, a connect to several addresses many. */
  causes: unknown[]
}

/** Could not ask: the server is away, full or going down. A client may try again. */
const unreachable = {
  codes: new Set(
    (
      'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN ' +
      'PROTOCOL_CONNECTION_LOST PROTOCOL_SEQUENCE_TIMEOUT POOL_CLOSED POOL_NOCONN ' +
      'SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_LOCKED SQLITE_LOCKED_SHAREDCACHE ' +
      'UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET'
    ).split(' ')
  ),
  // MySQL and MariaDB: too many connections, shutdown, host blocked, network, user limits, session killed,
  // client side 2xxx
  errnos: new Set([1040, 1053, 1129, 1158, 1159, 1160, 1161, 1203, 1226, 1927, 2002, 2003, 2006, 2013, 3169, 4031]),
  // PostgreSQL: connection exceptions, no resources, shutdown and start-up
  sqlStates: /^((08|53)[0-9A-Z]{3}|57P0[1-3])$/,
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

const matches = ({ codes, errnos, sqlStates, messages }: typeof timedOut, reported: Reported): boolean => {
  const { code = '', errno = 0, sqlState = code, message = '' } = reported
  return codes.has(code) || errnos.has(errno) || sqlStates.test(sqlState) || messages.test(message)
}

/** `true` when a column cannot be compared with the client's text: it cannot hold such a text. */
export const isTextError = (error: unknown): boolean => {
  const { errno = 0, code = '' } = reportOf(error)
  return textErrnos.has(errno) || textStates.has(code)
}

/** MySQL and MariaDB: illegal mix of collations, a text that cannot be converted. */
const textErrnos = new Set([1267, 1270, 1271, 3854, 3988])

/** PostgreSQL: not a number (date, UUID, enum …) as the column's type writes it, or out of its range. */
const textStates = new Set(['22P02', '22003', '22007', '22008'])

/** `true` when the database does not have a table or a column that it is asked for. */
const isMissing = ({ errno = 0, code = '', message = '' }: Reported): boolean =>
  missingErrnos.has(errno) ||
  missingStates.has(code) ||
  /^(SqliteError: |SQLite3Error: )?no such (table|column)/.test(message)

/** MySQL and MariaDB: unknown column, table or view. */
const missingErrnos = new Set([1054, 1146, 1356])

/** PostgreSQL: undefined column, undefined table. */
const missingStates = new Set(['42703', '42P01'])

/** @fastify/jwt and fast-jwt say with these codes that the token is not good; some carry no status, some a 400. */
const isTokenError = ({ code = '' }: Reported): boolean =>
  /^(FST|FAST)_JWT_/.test(code) && code !== 'FAST_JWT_KEY_FETCHING_ERROR'

/**
 * Turns anything thrown into a `Failure`.
 *
 * A token error is a 401, an own `statusCode` of 4xx or 5xx is kept, a server that cannot be reached
 * is a 503, a passed deadline a 504, the rest a 500. The facts hold codes and the places in the code,
 * never the message: drivers write SQL and values into it.
 *
 * @param replyStatus the reply's, which the host may have set before it threw an error that has none
 */
export function failureOf(error: unknown, replyStatus?: number): Failure {
  if (error instanceof Failure) return error
  const reported = reportOf(error)
  const facts = factsOf(reported)
  if (isTokenError(reported)) return new Failure('unauthorized', 'The token was refused.', facts)
  if (matches(timedOut, reported)) return new Failure('timeout', 'The deadline passed.', facts)
  const refusal = (status: number) =>
    new Failure(kindOf.get(status) ?? 'host', 'The host refused with an error.', facts, status)
  if (isErrorStatus(reported.statusCode)) return refusal(reported.statusCode)
  const unreached = findCause(reported, (cause) => matches(unreachable, cause) || cause.name === 'TimeoutError')
  if (unreached) {
    return new Failure('unavailable', 'A server that this request needs cannot be reached.', factsOf(unreached))
  }
  if (isMissing(reported)) {
    const missing = 'table or column'
    return new Failure('internal', 'The database does not have what the relations promise.', { ...facts, missing })
  }
  if (isErrorStatus(replyStatus)) return refusal(replyStatus)
  return new Failure('internal', 'An unexpected error was thrown.', facts)
}

const isErrorStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599

/** Reads what was thrown. It may be no Error at all, or one that throws when it is looked at. */
function reportOf(error: unknown): Reported {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  const number = (value: unknown) => (typeof value === 'number' ? value : undefined)
  let fields: Record<string, unknown> = {}
  try {
    const { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors } = Object(error)
    fields = { code, errno, sqlState, statusCode, name, message, stack, cause, originalError, errors }
  } catch {
    // then there is nothing to tell
  }
  const { cause, originalError, errors } = fields
  return {
    code: text(fields.code),
    errno: number(fields.errno),
    sqlState: text(fields.sqlState),
    statusCode: number(fields.statusCode) ?? Number(text(fields.statusCode)),
    name: text(fields.name),
    message: text(fields.message),
    stack: text(fields.stack),
    causes: [cause, originalError, ...(Array.isArray(errors) ? errors : [])].filter(Boolean)
  }
}

/** The first one that holds of an error and its causes. */
function findCause(reported: Reported, holds: (cause: Reported) => boolean, depth = 0): Reported | undefined {
  if (holds(reported)) return reported
  if (depth === 5) return undefined
  for (const cause of reported.causes) {
    const found = findCause(reportOf(cause), holds, depth + 1)
    if (found) return found
  }
  return undefined
}

function factsOf({ code = '', errno, sqlState = '', message = '', stack = '' }: Reported): FailureFacts {
  const facts: Record<string, string | number> = {}
  if (/^\w{1,64}$/.test(code)) facts.code = code
  if (errno !== undefined) facts.errno = errno
  if (/^\w{5}$/.test(sqlState)) facts.sqlState = sqlState
  // a stack begins with the message, whose own lines may look like places
  const places = stack.slice(stack.indexOf(message) + message.length).match(/^ {4}at .+:\d+:\d+\)?$/gm)
  if (places) facts.at = places.slice(0, 8).join('\n')
  return facts
}
