/** Creates the default tables and their indexes. */
import type { ColumnDefinitionBuilder } from 'kysely'
import type { AnyKysely } from './dialect.js'
import { dialectOf } from './dialects/index.js'
import type { KyselyInstance } from './tables.js'

// A host's declarations show the members of a type that its file does not export. An interface would need its name.
type ListingMigration = {
  /** Creates the tables of the migration, and their indexes. */
  up(db: KyselyInstance): Promise<void>
  /** Drops what `up` has created. */
  down(db: KyselyInstance): Promise<void>
}

/**
 * Migrations for Kysely's `Migrator`, which create the default tables and their indexes. A name begins with a date, to
 * sort among the host's migrations.
 *
 * @example
 * new Migrator({ db, provider: { getMigrations: async () => listingMigrations } })
 */
export const listingMigrations: Record<string, ListingMigration> = {
  '2026-11-21-assessment-payment-listing': {
    up: (db) => up(db as AnyKysely),
    down: (db) => down(db as AnyKysely)
  }
}

async function up(db: AnyKysely): Promise<void> {
  const { idType: id, timeType: dateTime, primaryKey, exactText, table } = dialectOf(db).schema
  const notNull = (column: ColumnDefinitionBuilder) => column.notNull()
  const { schema } = db
  const createTable = (name: string) => table(schema.createTable(name))

  await createTable('users')
    .addColumn('user_id', id, primaryKey)
    .addColumn('first_name', 'varchar(100)', notNull)
    .addColumn('last_name', 'varchar(100)', notNull)
    .addColumn('email', 'varchar(255)', notNull)
    .addColumn('avatar_url', 'varchar(500)')
    .execute()

  await createTable('memberships')
    .addColumn('user_id', id, notNull)
    // The primary key distinguishes case and accents.
    .addColumn('org_name', 'varchar(200)', exactText)
    .addPrimaryKeyConstraint('memberships_primary', ['user_id', 'org_name'])
    .execute()

  await createTable('links')
    .addColumn('owner_id', id, notNull)
    .addColumn('user_id', id, notNull)
    .addPrimaryKeyConstraint('links_primary', ['owner_id', 'user_id'])
    .execute()

  await createTable('assessments')
    .addColumn('assessment_id', id, primaryKey)
    .addColumn('licence', 'varchar(100)', notNull)
    .addColumn('assessment_type', 'varchar(100)', notNull)
    .addColumn('user_id', id, notNull)
    .addColumn('practitioner_id', id)
    .addColumn('status', 'varchar(20)', notNull)
    .addColumn('date_assignment', dateTime)
    .addColumn('date_conclusion', dateTime)
    .addColumn('created_at', dateTime, notNull)
    .execute()

  await createTable('payments')
    .addColumn('payment_id', id, primaryKey)
    .addColumn('user_id', id)
    .addColumn('amount', 'decimal(12, 2)', notNull)
    .addColumn('quantity', 'integer', notNull)
    .addColumn('payment_intent', 'varchar(100)', (column) => column.notNull().unique())
    .addColumn('paid_at', dateTime)
    .addColumn('payment_method', 'varchar(50)', notNull)
    .addColumn('payment_status', 'varchar(50)', notNull)
    .addColumn('processor_status', 'varchar(50)', notNull)
    .addColumn('created_at', dateTime, notNull)
    .execute()

  for (const [table, columns] of indexes) {
    await schema
      .createIndex(`${table}_${columns.join('_')}`)
      .on(table)
      .columns([...columns])
      .execute()
  }
}

/** For each list: the page of all, of a user and of a status, and the count of a user's status. */
const indexes = [
  ['assessments', ['created_at', 'assessment_id']],
  ['assessments', ['user_id', 'created_at', 'assessment_id']],
  ['assessments', ['status', 'created_at', 'assessment_id']],
  ['assessments', ['user_id', 'status']],
  ['payments', ['created_at', 'payment_id']],
  ['payments', ['user_id', 'created_at', 'payment_id']],
  ['payments', ['processor_status', 'created_at', 'payment_id']],
  ['payments', ['user_id', 'processor_status']]
] as const

async function down({ schema }: AnyKysely): Promise<void> {
  for (const table of ['payments', 'assessments', 'links', 'memberships', 'users']) {
    await schema.dropTable(table).execute()
  }
}
