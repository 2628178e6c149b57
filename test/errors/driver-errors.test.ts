import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createPool } from 'mysql2'
import pg from 'pg'
import t from 'tap'
import { isRefused, isTextError, isUnreachable } from '../../src/errors/driver-errors.js'
import { reportOf } from '../../src/errors/error-details.js'

t.test('a cluster that cannot be asked is one that cannot be reached', (t) => {
  // a Galera node that is not prepared, and mysql2's pool cluster without a node that is up
  for (const error of [{ errno: 1047, code: 'ER_UNKNOWN_COM_ERROR', sqlState: '08S01' }, { code: 'POOL_NONEONLINE' }]) {
    t.equal(isUnreachable(reportOf(error)), true, error.code)
  }
  t.equal(isUnreachable(reportOf({ code: 'POOL_NOEXIST' })), false, 'a cluster to which no node was added')
  t.end()
})

t.test('a server that has no room, or a replica that has to go on, may be asked again', (t) => {
  for (const errno of [1040, 1041, 1135, 3032]) t.equal(isUnreachable(reportOf({ errno })), true, String(errno))
  for (const code of ['40001', '40P01', '57P05', '25P03', '53300', 'EMFILE', 'ERR_STREAM_DESTROYED']) {
    t.equal(isUnreachable(reportOf({ code })), true, code)
  }
  for (const code of ['40002', '25P02', '57014']) t.equal(isUnreachable(reportOf({ code })), false, code)
  t.end()
})

t.test('what is not there any more says so in the words of its driver', async (t) => {
  const missing = join(tmpdir(), 'listing-no-such-folder', 'socket')
  const mysql = createPool({ socketPath: missing })
  const postgres = new pg.Pool({ host: dirname(missing) })
  t.teardown(() => Promise.all([mysql.promise().end(), postgres.end()]))
  const thrown = (promise: Promise<unknown>) =>
    promise.then(
      () => 'it did not fail',
      (error: unknown) => error
    )
  t.equal(isUnreachable(reportOf(await thrown(mysql.promise().query('select 1')))), true, 'mysql2')
  t.equal(isUnreachable(reportOf(await thrown(postgres.query('select 1')))), true, 'pg')
})

t.test('what pools say without any code of a connection or a pool that is gone', async (t) => {
  const messages = [
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
    'failed to create a backend connection',
    'timeout expired',
    'connect ENOENT /run/mysqld/mysqld.sock',
    'connect EAGAIN /var/run/postgresql/.s.PGSQL.5432',
    'read ECONNRESET',
    'Client network socket disconnected before secure TLS connection was established',
    'database is locked'
  ]
  for (const message of messages) t.equal(isUnreachable(reportOf(new Error(message))), true, message)
  for (const message of ['Client has already been connected.', 'connect ENOENT', 'no such file']) {
    t.equal(isUnreachable(reportOf(new Error(message))), false, message)
  }
  // pg's own words, in the version that is tested with
  const pool = new pg.Pool()
  await pool.end()
  t.equal(isUnreachable(reportOf(await pool.query('select 1').catch((error) => error))), true)
})

t.test('a comparison that a column’s type or character set cannot take part in is told by its code', (t) => {
  for (const code of ['22P02', '22003', '22007', '22008']) t.equal(isTextError({ code }), true, code)
  for (const errno of [1267, 1270, 1271, 3854, 3988]) t.equal(isTextError({ errno }), true, String(errno))
  for (const error of [undefined, null, 'x', 1267, {}, { errno: 1268 }, { errno: null }, { code: 1267 }]) {
    t.equal(isTextError(error), false, JSON.stringify(error))
  }
  t.end()
})

t.test('PgBouncer has one code: what it always refuses is no outage, and everything else is', (t) => {
  const always = [
    'transaction blocks not allowed in statement pooling mode',
    'unsupported startup parameter: options',
    'SASL authentication failed',
    'no such user: nobody',
    'no such database: nosuch',
    'database "nosuch" does not exist'
  ]
  for (const message of always) t.equal(isUnreachable(reportOf({ code: '08P01', message })), false, message)
  for (const message of ['query_wait_timeout', 'server login has been failing, try again later', '']) {
    t.equal(isUnreachable(reportOf({ code: '08P01', message })), true, message)
  }
  for (const message of always) t.equal(isRefused(reportOf(new Error(message))), false, `a host's ${message}`)
  t.end()
})
