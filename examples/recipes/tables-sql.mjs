/** Prints the SQL of the default tables: `node tables-sql.mjs mysql`, `postgres` or `sqlite`. It needs no database. */
import { listingMigrations } from 'fastify-assessment-payment-listing'
import { DummyDriver, Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely'

const Dialect = { mysql: MysqlDialect, postgres: PostgresDialect, sqlite: SqliteDialect }[process.argv[2]]
if (!Dialect) throw new Error('Name the database: mysql, postgres or sqlite.')

const dialect = new (class extends Dialect {
  createDriver = () => new DummyDriver()
})({})
const db = new Kysely({ dialect, log: ({ query }) => console.log(`${query.sql};`) })
for (const { up } of Object.values(listingMigrations)) await up(db)
