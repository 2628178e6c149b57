/** Classifies the errors of drivers, pools and @fastify/jwt by their codes. */
import { type Reported, reportOf } from './error-details.js'

const anyOf = (...messages: string[]) => new RegExp(`^(${messages.join('|')})$`)

/** The server is down, full or shutting down, or ended a conflict. A retry may succeed. */
const unreachable = {
  codes: new Set(
    (
      'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN ' +
      'PROTOCOL_CONNECTION_LOST PROTOCOL_SEQUENCE_TIMEOUT POOL_CLOSED POOL_NOCONN POOL_NONEONLINE ' +
      'SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_LOCKED SQLITE_LOCKED_SHAREDCACHE ' +
      'EMFILE ENFILE EADDRNOTAVAIL ENOBUFS ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END ' +
      'UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET'
    ).split(' ')
  ),
  // MySQL and MariaDB: limits, shutdown, blocked host, network, killed session, client errors, offline, idle.
  errnos: new Set([
    1040, 1041, 1053, 1129, 1135, 1158, 1159, 1160, 1161, 1203, 1226, 1927, 2002, 2003, 2006, 2013, 3032, 3169, 4031
  ]),
  // PostgreSQL: connection exceptions, limits, conflict on a replica, deadlock, idle, shutdown, start-up.
  sqlStates: /^((08|53)[0-9A-Z]{3}|40001|40P01|25P0[34]|57P0[1-5])$/,
  // Errors without a code, or with a misleading code.
  messages: anyOf(
    // mysql2.
    'No connections available\\.',
    'Queue limit reached\\.',
    'Pool is closed\\.',
    "Can't add new command when connection is in closed state",
    '(read|write) E[A-Z]+',
    'Client network socket disconnected before secure TLS .*',
    // pg and pg-pool.
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Connection terminated.*',
    'Client was closed and is not queryable',
    'Client has encountered a connection error and is not queryable',
    'Cannot use a pool after calling end on the pool',
    // pgpool-II, which has not left out a dead server yet.
    'failed to create a backend connection',
    // A missing socket file, and a full backlog.
    'connect (ENOENT|EAGAIN) .*',
    'driver has already been destroyed',
    '(SQLite3Error: )?database is locked'
  )
}

const timedOut = {
  codes: new Set(['FST_ERR_HANDLER_TIMEOUT']),
  // MySQL and MariaDB: lock wait, killed query, time limits.
  errnos: new Set([1205, 1317, 1969, 3024]),
  // PostgreSQL: canceled statement, lock not available.
  sqlStates: /^(57014|55P03)$/,
  messages: /^Query read timeout$/
}

const matches = ({ codes, errnos, sqlStates, messages }: typeof timedOut, reported: Reported): boolean => {
  // pg gives the SQLSTATE as `code`.
  const { code = '', errno = 0, sqlState = code, message = '' } = reported
  return codes.has(code) || errnos.has(errno) || sqlStates.test(sqlState) || messages.test(message)
}

export const isUnreachable = (reported: Reported): boolean =>
  (matches(unreachable, reported) && !isRefused(reported) && poolerAdvice(reported) === undefined) ||
  reported.name === 'TimeoutError'

export const isTimedOut = (reported: Reported): boolean => matches(timedOut, reported)

/** The database refuses the pool's user, or does not exist. */
export const isRefused = ({ errno = 0, code = '', message = '' }: Reported): boolean =>
  refusedErrnos.has(errno) ||
  refusedStates.has(code) ||
  /^SASL: /.test(message) ||
  (code === poolerCode && poolerRefusals.test(message))

// MySQL and MariaDB: access denied, unknown database.
const refusedErrnos = new Set([1044, 1045, 1049, 1698])

// PostgreSQL: invalid authorization, invalid password, unknown database.
const refusedStates = new Set(['28000', '28P01', '3D000'])

/** PgBouncer has one code for all of its errors. Most of them say that the server is down or full. */
const poolerCode = '08P01'

const poolerRefusals =
  /^((SASL|password) authentication failed.*|no such (user|database).*|(user|database) ".*" does not exist)$/

/** @returns what to change where PgBouncer always refuses what the pool or the lists send */
export const poolerAdvice = ({ code, message = '' }: Reported): string | undefined =>
  code === poolerCode ? advices.find(([refusal]) => message.startsWith(refusal))?.[1] : undefined

const advices = [
  [
    'transaction blocks not allowed in statement pooling mode',
    'PgBouncer pools single statements, and the lists need transactions: set pool_mode = transaction.'
  ],
  [
    'unsupported startup parameter',
    "PgBouncer refuses a setting of the pool, such as statement_timeout or options: remove the setting, or name it in PgBouncer's ignore_startup_parameters."
  ]
] as const

/** A column cannot hold the client's text, such as `abc` for a bigint column. */
export const isTextError = (error: unknown): boolean => {
  const { errno = 0, code = '' } = reportOf(error)
  return textErrnos.has(errno) || textStates.has(code)
}

// MySQL and MariaDB: illegal mix of collations, failed conversion.
const textErrnos = new Set([1267, 1270, 1271, 3854, 3988])

// PostgreSQL: invalid text for a type, value out of range.
const textStates = new Set(['22P02', '22003', '22007', '22008'])

/**
 * The name of the table or the column that the database lacks. `table or column` where the message has another language
 * or an odd name. Undefined for other errors.
 */
export const missingIn = ({ errno = 0, code = '', message = '' }: Reported): string | undefined => {
  if (!missingErrnos.has(errno) && !missingStates.has(code) && !missingInSqlite.test(message)) return undefined
  const [name = 'table or column'] = missingNames.flatMap((pattern) => pattern.exec(message)?.[1] ?? [])
  return name
}

// MySQL and MariaDB: unknown column, unknown table, invalid view.
const missingErrnos = new Set([1054, 1146, 1356])

// PostgreSQL: undefined column, undefined table.
const missingStates = new Set(['42703', '42P01'])

const missingInSqlite = /^(SqliteError: |SQLite3Error: )?no such (table|column)/

// MySQL and MariaDB, PostgreSQL, SQLite. A name has no space and no quote, so it cannot be a part of a statement.
const missingNames = [
  /^Unknown column '([\p{L}\p{N}_$.-]+)' in '[\w ]+'$/u,
  /^Table '([\p{L}\p{N}_$.-]+)' doesn't exist$/u,
  /^View '([\p{L}\p{N}_$.-]+)' references invalid /u,
  /^(?:column|relation) "?([\p{L}\p{N}_$.-]+)"? does not exist$/u,
  /^(?:SqliteError: |SQLite3Error: )?no such (?:table|column): ([\p{L}\p{N}_$.-]+)$/u
]

// Errors for refused tokens have no status or a 400. A failed key fetch refuses no token.
export const isTokenError = ({ code = '' }: Reported): boolean =>
  /^(FST|FAST)_JWT_/.test(code) && code !== 'FAST_JWT_KEY_FETCHING_ERROR'
