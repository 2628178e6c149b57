/** The default tables and the host's own, by Kysely's migrator. */
import { listingMigrations } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'
import { type Migration, Migrator } from './migrator.js'
import type { DB } from './tables.js'

/** The migration for the host's own table. */
const members = {
  async up({ schema }: Kysely<unknown>): Promise<void> {
    await schema
      .createTable('members')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('given_name', 'text', (column) => column.notNull())
      .addColumn('family_name', 'text', (column) => column.notNull())
      .addColumn('mail', 'text', (column) => column.notNull())
      .addColumn('photo', 'text')
      .execute()
  }
}

export async function migrate(db: Kysely<DB>): Promise<void> {
  const all: Record<string, Migration> = { ...listingMigrations, members }
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => all } }).migrateToLatest()
  if (error) throw error
}
