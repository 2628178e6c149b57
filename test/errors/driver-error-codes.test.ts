import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createPool } from 'mysql2'
import pg from 'pg'
import t from 'tap'
import {
  isCollationConflict,
  isRefused,
  isTextError,
  isTypeConflict,
  isUnreachable
} from '../../src/errors/driver-error-codes.js'
import { reportOf } from '../../src/errors/error-details.js'
import { createListings } from '../../src/index.js'
import { admin } from '../support/fixtures/world.js'
import { resolveRole, serve } from '../support/hosts/server.js'
import { thrown, words } from '../support/hosts/thrown.js'
import { drizzle, prisma, sequelize } from '../support/hosts/wrapped.js'
import { until } from '../support/running/until.js'
import { refusingMysql, refusingPostgres } from '../support/servers/refusing.js'

t.test('a server that is down, full or busy may answer later, by its code, its number or its message', async (t) => {
  const codes = words(`
    ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN
    PROTOCOL_CONNECTION_LOST PROTOCOL_SEQUENCE_TIMEOUT POOL_CLOSED POOL_NOCONN POOL_NONEONLINE
    SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_LOCKED SQLITE_LOCKED_SHAREDCACHE
    EMFILE ENFILE EADDRNOTAVAIL ENOBUFS ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END
    UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET
    CONNECT_TIMEOUT CONNECTION_CLOSED CONNECTION_DESTROYED CONNECTION_ENDED
    08000 08006 53300 40001 40P01 25P03 25P04 57P01 57P02 57P03 57P04 57P05`)
  const errnos = [
    1040, 1041, 1053, 1129, 1135, 1158, 1159, 1160, 1161, 1203, 1226, 1927, 2002, 2003, 2006, 2013, 3032, 3169, 4031,
    9001, 9002, 9501
  ]
  const messages = [
    'No connections available.',
    'Queue limit reached.',
    'Pool is closed.',
    "Can't add new command when connection is in closed state",
    'read ECONNRESET',
    'Client network socket disconnected before secure TLS connection was established',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'connect ENOENT /run/mysqld/mysqld.sock',
    'connect EAGAIN /var/run/postgresql/.s.PGSQL.5432',
    'driver has already been destroyed',
    'database is locked'
  ]
  for (const fields of [
    ...codes.map((code) => ({ code })),
    ...errnos.map((errno) => ({ errno })),
    ...messages.map((message) => ({ message })),
    // A Galera node that is not prepared, and a MySQL error with another code.
    { errno: 1047, code: 'ER_UNKNOWN_COM_ERROR', sqlState: '08S01' },
    { code: 'ER_X', sqlState: '53300' },
    // pgpool-II, a pooler, and a server that takes no connections to a database.
    { severity: 'FATAL', code: 'XX000', message: 'failed to create a backend connection' },
    { severity: 'FATAL', code: '58000' },
    { severity: 'FATAL', code: '55000' },
    new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  ]) {
    t.equal(isUnreachable(reportOf(fields)), true, JSON.stringify(fields))
  }
})

t.test('what only resembles an outage is no outage', async (t) => {
  for (const fields of [
    ...words('ENOENT econnrefused POOL_NOEXIST SQLITE_CONSTRAINT').map((code) => ({ code })),
    ...words('40002 42P01 25P02 57014 57P06 XX000 58000').map((code) => ({ code, severity: 'ERROR' })),
    ...words('0A000 22023 28000 28P01 3D000 42501 42704').map((code) => ({ code, severity: 'FATAL' })),
    { errno: 1146, code: 'ER_NO_SUCH_TABLE', sqlState: '42S02' },
    { sqlState: '42000', code: '08006' },
    ...[
      'No connections available. Or are there?',
      'The pool said: Pool is closed.',
      'Client has already been connected.',
      'connect ENOENT',
      'no such file'
    ].map((message) => ({ message }))
  ]) {
    t.equal(isUnreachable(reportOf(fields)), false, JSON.stringify(fields))
  }
})

t.test('a missing socket and an ended pool are outages in the words of the installed drivers', async (t) => {
  const missing = join(tmpdir(), 'listing-no-such-folder', 'socket')
  const mysql = createPool({ socketPath: missing })
  const postgres = new pg.Pool({ host: dirname(missing) })
  const ended = new pg.Pool()
  await ended.end()
  t.teardown(() => Promise.all([mysql.promise().end(), postgres.end()]))
  for (const [what, query] of [
    ['mysql2', () => mysql.promise().query('select 1')],
    ['pg', () => postgres.query('select 1')],
    ['an ended pool of pg', () => ended.query('select 1')]
  ] as const) {
    const error = await query().catch((error: unknown) => error)
    t.equal(isUnreachable(reportOf(error)), true, what)
  }
})

t.test('a comparison that a column’s type or character set cannot take part in is told by its code', async (t) => {
  for (const code of ['22P02', '22003', '22007', '22008']) t.equal(isTextError({ code }), true, code)
  for (const errno of [1267, 1270, 1271, 3854, 3988]) t.equal(isTextError({ errno }), true, String(errno))
  for (const error of [undefined, null, 'x', 1267, {}, { errno: 1268 }, { errno: null }, { code: 1267 }]) {
    t.equal(isTextError(error), false, JSON.stringify(error))
  }
})

t.test('the chain of causes also says whether the client or the columns are at fault', async (t) => {
  const within = (fields: object) => [
    drizzle(thrown(fields)),
    sequelize(thrown(fields)),
    prisma({ ...fields, kind: 'postgres' }),
    new Error('x', { cause: new Error('y', { cause: drizzle(fields) }) })
  ]
  const ofMysql = (errno: number) => [...within({ errno }), prisma({ kind: 'mysql', code: errno })]
  for (const error of [...within({ code: '22P02' }), ...ofMysql(1525)]) {
    t.strictSame([isTextError(error), isTypeConflict(error), isCollationConflict(error)], [true, false, false])
  }
  for (const error of [
    ...within({ code: '42804' }),
    ...ofMysql(4078),
    ...within({ code: '42883', message: 'operator does not exist: bigint = text' })
  ]) {
    t.strictSame([isTextError(error), isTypeConflict(error), isCollationConflict(error)], [false, true, false])
  }
  for (const error of within({ code: '42P22' })) t.equal(isCollationConflict(error), true)
  for (const error of within({ code: 1267 })) t.strictSame([isTextError(error), isTypeConflict(error)], [false, false])
})

t.test('PgBouncer has one code: what it always refuses is no outage, and everything else is', async (t) => {
  const always = [
    'transaction blocks not allowed in statement pooling mode',
    'unsupported startup parameter: options',
    'SASL authentication failed',
    'no such user: nobody',
    'no such database: nosuch',
    'database "nosuch" does not exist'
  ]
  for (const message of always) {
    t.equal(isUnreachable(reportOf({ code: '08P01', message })), false, message)
    t.equal(isRefused(reportOf(new Error(message))), false, `a host's ${message}`)
  }
  for (const message of ['query_wait_timeout', 'server login has been failing, try again later', '']) {
    t.equal(isUnreachable(reportOf({ code: '08P01', message })), true, message)
  }
})

t.test('a pooler or a proxy that is full is a 503, for a call too, and the start-up check asks again', async (t) => {
  for (const { db, refusals } of [
    await refusingPostgres(t, 'FATAL', 'XX000', 'Max client connections reached'),
    await refusingMysql(t, 9001, 'Max connect timeout reached while reaching hostgroup 10 after 10000ms')
  ]) {
    const { get, lines } = await serve(
      t,
      { db, checkOnReady: 'error' },
      { server: { pluginTimeout: 1000 }, log: 'warn' }
    )
    t.match(lines[0], { kind: 'unavailable' })
    const atBoot = refusals()
    t.ok(await until(() => refusals() > atBoot), 'the check asks again')
    t.match(await get('/payment/list', admin), {
      status: 503,
      headers: { 'retry-after': '1' },
      body: { error: 'Service temporarily unavailable.' }
    })
    const found = createListings({ db, resolveRole }).find('payments', { caller: admin })
    await t.rejects(found, { name: 'ListingError', kind: 'unavailable', statusCode: 503 })
  }
})
