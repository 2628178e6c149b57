import { listingMigrations } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import { Migrator } from 'kysely/migration' // Kysely 0.28, for Node.js 20: import { Migrator } from 'kysely'
import { createPool } from 'mysql2'

const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(String(process.env.DATABASE_URL)) }) })
const migrator = new Migrator({ db, provider: { getMigrations: async () => listingMigrations } })
const { error, results = [] } = await migrator.migrateToLatest()
for (const { migrationName, status } of results) console.log(migrationName, status)
await db.destroy()
if (error) throw error
