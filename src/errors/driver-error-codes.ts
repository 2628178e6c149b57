/** Classifies the errors of drivers, pools and @fastify/jwt by their codes. */
import { type Reported, reportOf, withCauses } from './error-details.js'

/** What tells an error of a kind: any of these. */
interface Signs {
  codes?: RegExp
  /** MySQL and MariaDB. */
  errnos?: readonly number[]
  /** pg gives the SQLSTATE as `code`. */
  sqlStates?: RegExp
  messages?: RegExp
  /** Codes of Prisma, which an application could have too. */
  prisma?: RegExp
}

const anyOf = (...texts: readonly string[]) => new RegExp(`^(${texts.join('|')})$`)

const signs = {
  /** The server is down, full or shutting down, or ended a conflict. A retry may succeed. */
  away: {
    codes: anyOf(
      'ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN',
      'PROTOCOL_CONNECTION_LOST|PROTOCOL_SEQUENCE_TIMEOUT|POOL_CLOSED|POOL_NOCONN|POOL_NONEONLINE',
      'SQLITE_BUSY|SQLITE_BUSY_SNAPSHOT|SQLITE_LOCKED|SQLITE_LOCKED_SHAREDCACHE',
      'EMFILE|ENFILE|EADDRNOTAVAIL|ENOBUFS|ERR_STREAM_DESTROYED|ERR_STREAM_WRITE_AFTER_END',
      'UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT|UND_ERR_SOCKET',
      // postgres.js.
      'CONNECT_TIMEOUT|CONNECTION_CLOSED|CONNECTION_DESTROYED|CONNECTION_ENDED'
    ),
    // Limits, shutdown, blocked host, network, killed session, client errors, offline, idle; ProxySQL, RDS Proxy.
    errnos: [
      1040, 1041, 1053, 1129, 1135, 1158, 1159, 1160, 1161, 1203, 1226, 1927, 2002, 2003, 2006, 2013, 3032, 3169, 4031,
      9001, 9002, 9501
    ],
    // Connection exceptions, limits, conflict on a replica, deadlock, idle, shutdown, start-up.
    sqlStates: /^((08|53)[0-9A-Z]{3}|40001|40P01|25P0[34]|57P0[1-5])$/,
    // Errors without a code, or with a misleading code: of mysql2, of pg and pg-pool, of sockets, and of others.
    messages: anyOf(
      '(No connections available|Queue limit reached|Pool is closed)\\.',
      "Can't add new command when connection is in closed state|(read|write) E[A-Z]+",
      'Client network socket disconnected before secure TLS .*',
      'timeout expired|timeout exceeded when trying to connect|Connection terminated.*',
      'Client (was closed|has encountered a connection error) and is not queryable',
      'Cannot use a pool after calling end on the pool',
      // A missing socket file, and a full backlog.
      'connect (ENOENT|EAGAIN) .*',
      'driver has already been destroyed|Knex: Timeout acquiring a connection\\..*|(SQLite3Error: )?database is locked'
    ),
    // Not reachable, closed, no connection of the pool in time, a conflict.
    prisma: anyOf(
      'P1001|P1002|P1017|P2024|P2034',
      'DatabaseNotReachable|ConnectionClosed|TooManyConnections|TransactionWriteConflict'
    )
  },
  /** Lock wait, killed query, time limits; canceled statement, lock not available; pg and Knex. */
  late: {
    codes: /^FST_ERR_HANDLER_TIMEOUT$/,
    errnos: [1205, 1317, 1969, 3024],
    sqlStates: /^(57014|55P03)$/,
    messages: /^(Query read timeout|(Defined|After) query timeout of \d+ms exceeded.*)$/,
    prisma: /^(P1008|SocketTimeout)$/
  },
  /** The server refuses the user, the password or the database; pg. */
  refused: {
    codes: /^(28000|28P01|3D000)$/,
    errnos: [1044, 1045, 1049, 1698],
    messages: /^SASL: /
  },
  /** A mix of collations, a text that is no date, a failed conversion; every data exception of PostgreSQL. */
  badText: {
    codes: /^22[0-9A-Z]{3}$/,
    errnos: [1267, 1270, 1271, 1525, 3854, 3988],
    // PostgreSQL, in any language: a number of the client, and a column of texts.
    messages: /[<>]= (numeric|bigint)$/
  },
  /** Compared columns have types or collations that differ. */
  conflict: {
    errnos: [1267, 1270, 1271, 4078],
    sqlStates: /^42(804|P2[12])$/
  },
  /** Unknown column, unknown table, invalid view. */
  missing: {
    codes: /^(42703|42P01)$/,
    errnos: [1054, 1146, 1356],
    messages: /^(SqliteError: |SQLite3Error: )?no such (table|column)/
  }
} satisfies Record<string, Signs>

const is = (kind: keyof typeof signs, { name, code, errno = 0, sqlState, message }: Reported): boolean => {
  const { codes, errnos, sqlStates, messages, prisma }: Signs = signs[kind]
  const ofPrisma = /^(PrismaClient|DriverAdapterError)/.test(name) && prisma?.test(code)
  return Boolean(
    ofPrisma ||
      codes?.test(code) ||
      errnos?.includes(errno) ||
      sqlStates?.test(sqlState || code) ||
      messages?.test(message)
  )
}

const inCauses = (error: unknown, test: (reported: Reported) => boolean) => withCauses(reportOf(error)).some(test)

/** A pooler that is full can have any code. The names are those of the pools of Knex and Sequelize. */
export const isUnreachable = (reported: Reported): boolean =>
  /^(TimeoutError|SequelizeConnectionAcquireTimeoutError)$/.test(reported.name) ||
  ((is('away', reported) || reported.isFatal) && !isRefused(reported))

export const isTimedOut = (reported: Reported): boolean => is('late', reported)

/** Whether the database always refuses what the pool or the lists send. */
export const isRefused = (reported: Reported): boolean =>
  is('refused', reported) ||
  (reported.isFatal && /^(0A|22|28|3D|42)/.test(reported.code)) ||
  (/^(08P01|XX000)$/.test(reported.code) && poolerRefusal.test(reported.message))

/** PgBouncer and Supavisor have one code for all of their errors. Most of them say that the server is down or full. */
const poolerRefusal =
  /^(transaction blocks not allowed in statement pooling mode|unsupported startup parameter|SASL authentication failed|password authentication failed|no such (user|database)|(user|database) ".*" does not exist|Tenant or user not found|\(ENOTFOUND\))/

export const refusedAdvice =
  'The database refuses the pool: check its user, its password and its database. PgBouncer also needs pool_mode = transaction, and the settings of the pool in ignore_startup_parameters.'

/** A column cannot hold the client's text, such as `abc` for a bigint column. */
export const isTextError = (error: unknown): boolean => inCauses(error, (each) => is('badText', each))

/** On PostgreSQL, a missing operator has the code of a missing function. */
export const isTypeConflict = (error: unknown): boolean =>
  inCauses(error, (each) => is('conflict', each) || (each.code === '42883' && / [<>]?= | < /.test(each.message)))

/** PostgreSQL reports different collations only when the statement runs. */
export const isCollationConflict = (error: unknown): boolean => inCauses(error, ({ code }) => code === '42P22')

/** The session of MySQL limits what a statement reads, by `sql_big_selects`. */
export const isReadLimit = (error: unknown): boolean => reportOf(error).code === 'ER_TOO_BIG_SELECT'

/** A database of PostgreSQL whose encoding lacks characters refuses those of the samples. */
export const isNarrow = ({ code }: Reported): boolean => code === '54000'

/** The missing table or column: its name, or `table or column` if the message hides it. Undefined for other errors. */
export const missingIn = (reported: Reported): string | undefined =>
  is('missing', reported) ? (missingName.exec(reported.message)?.[1] ?? 'table or column') : undefined

/**
 * Finds the name in a driver's message. A text with a space or a quote is no name, so a part of a statement never passes
 * for one. The alias before a column is left out.
 */
const missingName =
  /^(?:(?:Unknown column|column|.*no such column:) ['"]?(?:[\w$]+\.)*|(?:Table|View|relation|.*no such table:) ['"]?)([\p{L}\p{N}_$.-]+)['"]?(?: in '[\w ]+'| doesn't exist| references invalid .*| does not exist)?$/u

/** Errors for refused tokens have no status or a 400. A failed key fetch refuses no token. */
export const isTokenError = ({ code }: Reported): boolean =>
  /^(FST|FAST)_JWT_/.test(code) && code !== 'FAST_JWT_KEY_FETCHING_ERROR'
