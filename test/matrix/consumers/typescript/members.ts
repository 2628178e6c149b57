/** The migration for the host's own table. */
import type { Kysely } from 'kysely'

export const members = {
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
