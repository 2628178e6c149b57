import { type Dialect, Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import t from 'tap'
import { sqlite } from '../../examples/sqlite.js'
import { subjectOf } from '../../src/checks/subject.js'
import { sourceOf } from '../../src/source.js'
import { execute, findings, openTables } from '../support/check.js'
import { type Db, databases, mysqlPool, openDatabase, postgresPool } from '../support/databases.js'
import { fill } from '../support/world.js'

t.test('what takes too long is stopped, and is not wrong', async (t) => {
  const every = 'information_schema.collations'
  for (const [name, slow] of [
    // MySQL wakes up from sleep() without an error
    ['mysql', `(select count(*) from ${every} as a, ${every} as b, ${every} as c, ${every} as d)`],
    ['postgres', 'pg_sleep(5)::text']
  ] as const) {
    const db = await openTables(t, name)
    const { ask } = subjectOf(sourceOf(db, {}), [])
    const start = performance.now()
    t.equal(await ask(sql`select ${sql.raw(slow)} as slow`, 300), undefined, name)
    t.ok(performance.now() - start < 3_000)
    await t.rejects(ask(sql`select nothing`), /nothing/)
  }
})

t.test('a database that does not answer is no finding', async (t) => {
  const db = await openDatabase(t, 'mysql', { pool: { port: 1 } })
  await t.rejects(findings(db), { message: 'A server that this request needs cannot be reached.' })
})

for (const name of databases) {
  t.test(`at whichever statement ${name} is slow or goes away, nothing wrong is found`, async (t) => {
    let sent = 0
    let failure: { at: number; error: object } | undefined
    const onQuery = () => {
      if (sent++ === failure?.at) throw failure.error
    }
    const check = (at: number, error: object) => {
      sent = 0
      failure = { at, error }
      return findings(db)
    }
    const dialects = {
      sqlite: async () => sqlite(),
      mysql: async () => new MysqlDialect({ pool: createPool(await mysqlPool(t)) }),
      postgres: async () => {
        const pool = new pg.Pool(await postgresPool(t))
        // its idle connections are ended with the database
        pool.on('error', () => undefined)
        return new PostgresDialect({ pool })
      }
    }
    const db: Db = new Kysely({ dialect: watched(await dialects[name](), onQuery) })
    t.teardown(() => db.destroy())
    await fill(db)
    if (name === 'mysql') await execute(db, 'alter table payments modify processor_status char(20)')

    sent = 0
    t.strictSame(await findings(db), [])
    const statements = sent
    t.ok(statements > 15)
    for (let at = 0; at < statements; at++) {
      t.strictSame(await check(at, { errno: 3024 }), [], `statement ${at} is slow`)
      await t.rejects(check(at, { code: 'ECONNRESET' }), {
        message: 'A server that this request needs cannot be reached.'
      })
    }
  })
}

/** A dialect that says before each statement that it is sent. */
const watched = (dialect: Dialect, onQuery: () => void): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver: () => {
    const driver = dialect.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    const known = new WeakSet()
    driver.acquireConnection = async (...settings) => {
      const connection = await acquire(...settings)
      if (known.has(connection)) return connection
      known.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = async (query, ...rest) => {
        onQuery()
        return execute(query, ...rest)
      }
      return connection
    }
    return driver
  }
})
