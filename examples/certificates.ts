/** The demo's own list, `GET /certificate/list`: the definition of the recipe, and the table of the list. */
import type { Kysely } from 'kysely'

export { certificates } from './recipes/certificates.js'

/** The columns have the names of the list, so the list needs no entry in the option `tables`. */
export async function createCertificates({ schema }: Kysely<Record<string, Record<string, unknown>>>): Promise<void> {
  await schema
    .createTable('certificates')
    .addColumn('certificate_id', 'integer', (column) => column.primaryKey())
    .addColumn('holder_id', 'integer', (column) => column.notNull())
    .addColumn('title', 'varchar(100)', (column) => column.notNull())
    .addColumn('level', 'varchar(20)')
    .addColumn('score', 'decimal(5, 1)')
    .addColumn('issued_at', 'datetime', (column) => column.notNull())
    .execute()
  for (const columns of [[], ['holder_id'], ['level']]) {
    await schema
      .createIndex(['certificates', ...columns, 'issued_at'].join('_'))
      .on('certificates')
      .columns([...columns, 'issued_at', 'certificate_id'])
      .execute()
  }
}
