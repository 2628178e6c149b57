import { migrations, searchIndex } from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { createPool } from 'mysql2'

const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool(String(process.env.DATABASE_URL)) }) })
const onProgress = ({ left }: { left: number }) => console.log(`${left} rows are left`)
const all = {
  ...migrations,
  '2026-12-01-search-users': searchIndex({
    table: 'users',
    id: 'user_id',
    columns: ['first_name', 'last_name', 'email'],
    onProgress
  }),
  '2026-12-01-search-payments': searchIndex({
    table: 'payments',
    id: 'payment_id',
    columns: ['payment_intent'],
    onProgress
  })
}
const migrator = new Migrator({ db, provider: { getMigrations: async () => all } })
const { error } = await migrator.migrateToLatest()
if (error) throw error
await db.destroy()
