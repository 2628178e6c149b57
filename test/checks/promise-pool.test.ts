import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, type MysqlPool, sql } from 'kysely'
import { Kysely as Kysely28, MysqlDialect as MysqlDialect28 } from 'kysely-0.28'
import { createPool, type PoolOptions } from 'mysql2/promise'
import t, { type Test } from 'tap'
import { unlessPromisePool } from '../../src/checks/promise-pool.js'
import { checkDatabase } from '../../src/index.js'
import { findings } from '../support/check.js'
import { type Db, mysqlPool, openDatabase } from '../support/databases.js'
import { serve } from '../support/server.js'
import { createTables } from '../support/world.js'

const misuse = "Kysely cannot use a pool of mysql2/promise: write import { createPool } from 'mysql2'."

/** What a host passes by mistake, and what TypeScript refuses. */
function promisePool(t: Test, settings: PoolOptions): MysqlPool {
  const pool = createPool(settings)
  // The promise of a connection that the end of the pool takes away would be rejected, and nobody has the promise.
  const connected = once(pool, 'acquire')
  t.teardown(async () => {
    await connected
    await pool.end()
  })
  return pool as unknown as MysqlPool
}

t.test('a pool of mysql2/promise is found while its server answers, and stops the boot', async (t) => {
  const settings = await mysqlPool(t)
  const open = () => new Kysely({ dialect: new MysqlDialect({ pool: promisePool(t, settings) }) })
  const boot = t.rejects(serve(t, { db: open(), checkOnReady: 'error' }), {
    code: 'FST_LISTING_DATABASE_MISFIT',
    message: misuse
  })
  const found = await Promise.all(
    [
      open(),
      new Kysely({ dialect: new MysqlDialect({ pool: async () => promisePool(t, settings) }) }),
      new Kysely28({ dialect: new MysqlDialect28({ pool: promisePool(t, settings) }) })
    ].map((db) => checkDatabase({ db }))
  )
  t.strictSame(found, Array(3).fill([{ level: 'error', remedy: 'settings', text: misuse }]))
  await boot
})

t.test('a pool that works is not taken for one of mysql2/promise', async (t) => {
  const settings = await mysqlPool(t)
  const pool = createPool(settings)
  // The host's own adapter of such a pool, which Kysely can use.
  const adapter: MysqlPool = {
    getConnection: (callback) => {
      pool.getConnection().then(({ connection }) => callback(null, connection as never), callback as never)
    },
    end: (callback) => {
      pool.end().then(() => callback(undefined), callback)
    }
  }
  for (const [way, given] of Object.entries({ adapter, 'the pool inside': createPool(settings).pool })) {
    const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: given as MysqlPool }) })
    t.teardown(() => db.destroy())
    if (way === 'adapter') await createTables(db)
    t.strictSame(await findings(db), [], way)
  }
})

t.test('a hook that needs time for a new connection is not taken for a pool of mysql2/promise', async (t) => {
  const pool = createPool(await mysqlPool(t, { connectionLimit: 1 })).pool as unknown as MysqlPool
  const onCreateConnection = () => sleep(700)
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool, onCreateConnection }) })
  t.teardown(() => db.destroy())
  await createTables(db)
  const other: Db = new Kysely({ dialect: new MysqlDialect({ pool, onCreateConnection }) })
  t.strictSame(await findings(other), [])
})

t.test('a slow statement is not taken for a pool of mysql2/promise', async (t) => {
  const db = await openDatabase(t, 'mysql')
  const ask = async () => (await sql`select sleep(2.2)`.execute(db)).rows.length
  t.equal(await unlessPromisePool(ask, 0), 1)
})

t.test('a pool of mysql2/promise that somebody else asks is not blamed on a database that is checked', async (t) => {
  const settings = await mysqlPool(t)
  const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(settings).pool as never }) })
  t.teardown(() => db.destroy())
  await createTables(db)
  const checked = findings(db)
  void sql`select 1`.execute(new Kysely({ dialect: new MysqlDialect({ pool: promisePool(t, settings) }) }))
  t.strictSame(await checked, [])
})
