/** The default tables and the host's own, by Kysely 0.28's migrator. */
import { listingMigrations } from 'fastify-assessment-payment-listing'
import { type Kysely, type Migration, Migrator } from 'kysely'
import { members } from './members.js'
import type { DB } from './tables.js'

export async function migrate(db: Kysely<DB>): Promise<void> {
  const all: Record<string, Migration> = { ...listingMigrations, members }
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => all } }).migrateToLatest()
  if (error) throw error
}
