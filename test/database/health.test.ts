import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import t from 'tap'
import { checkHealth } from '../../src/index.js'
import { databases, mysqlPool, openDatabase } from '../support/databases.js'

for (const name of databases) {
  t.test(`${name} is healthy without any table`, async (t) => {
    t.match(await checkHealth({ db: await openDatabase(t, name) }), { healthy: true, milliseconds: Number })
  })
}

t.test('the check of an unreachable database returns error codes', async (t) => {
  const pool = createPool({ ...(await mysqlPool(t)), port: 1 })
  const db = new Kysely({ dialect: new MysqlDialect({ pool }) })
  t.teardown(() => db.destroy())
  const health = await checkHealth({ db })
  t.match(health, { healthy: false, milliseconds: Number, kind: 'unavailable', code: 'ECONNREFUSED' })
  t.notOk('at' in health)
})

t.test('an exhausted pool is unhealthy, and the check ends at its timeout', async (t) => {
  const db = await openDatabase(t, 'mysql', { pool: { connectionLimit: 1 } })
  await db.connection().execute(async () => {
    const start = performance.now()
    t.match(await checkHealth({ db, timeout: 100 }), { healthy: false, kind: 'timeout' })
    t.ok(performance.now() - start < 1_000)
  })
  t.match(await checkHealth({ db }), { healthy: true })
  await db.connection().execute(async () => {
    const { kind, milliseconds } = await checkHealth({ db })
    t.equal(kind, 'timeout')
    t.ok(milliseconds > 900 && milliseconds < 3_000, 'the default timeout is a second')
  })
})

t.test('the check of a database that refuses the account returns error codes', async (t) => {
  const pool = createPool({ ...(await mysqlPool(t)), user: 'nobody', password: 'x' })
  const db = new Kysely({ dialect: new MysqlDialect({ pool }) })
  t.teardown(() => db.destroy())
  t.match(await checkHealth({ db }), { healthy: false, kind: 'internal', errno: 1045 })
})
