import { Kysely, MysqlDialect } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import t from 'tap'
import { type Db, databases, mysqlPool } from '../support/databases.js'
import { fill } from '../support/world.js'
import { filled, findings } from './support.js'

for (const name of databases) {
  t.test(`nothing is found in the default tables on ${name}`, async (t) => {
    t.strictSame(await findings(await filled(t, name)), [])
  })
}

t.test('settings of mysql2 that bend answers are named', async (t) => {
  const pool = await mysqlPool(t)
  const open = (settings: PoolOptions, start?: string): Db => {
    const connections = createPool({ ...pool, ...settings })
    if (start) connections.on('connection', (connection) => connection.query(start))
    const db: Db = new Kysely({ dialect: new MysqlDialect({ pool: connections }) })
    t.teardown(() => db.destroy())
    return db
  }
  await fill(open({}))
  const cases: [PoolOptions, expected: RegExp[], start?: string][] = [
    [{ rowsAsArray: true }, [/^error settings: .*rowsAsArray and nestTables/]],
    [{ nestTables: true }, [/^error settings: .*rowsAsArray and nestTables/]],
    [{ typeCast: (field) => field.string()?.slice(1) }, [/^error settings: .*typeCast/]],
    [{ charset: 'latin1_swedish_ci' }, [/^warning settings: .*charset 'utf8mb4'/]],
    [{}, [/^error settings: The sql_mode PAD_CHAR_TO_FULL_LENGTH/], "set sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'"],
    [{ dateStrings: true, typeCast: false, supportBigNumbers: true, bigNumberStrings: true }, []],
    [{}, [], "set sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES', time_zone = '+07:00'"]
  ]
  for (const [settings, expected, start] of cases) {
    const found = await findings(open(settings, start))
    t.match(found, expected, `${Object.keys(settings)} ${start ?? ''}`)
    t.equal(found.length, expected.length)
  }
})
