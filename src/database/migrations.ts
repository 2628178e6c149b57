/** Creates the default tables and their indexes. */
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import { dialectOf } from './dialects/index.js'
import type { KyselyInstance } from './tables.js'

export interface ListingMigration {
  /** Creates the tables of the migration, and their indexes. */
  up(db: KyselyInstance): Promise<void>
  /** Drops what `up` has created. */
  down(db: KyselyInstance): Promise<void>
}

type AnyTables = Record<string, Record<string, unknown>>

/**
 * Migrations for Kysely's `Migrator`, which create the default tables and their indexes. A name begins with a date, to
 * sort among the host's migrations.
 *
 * @example
 * new Migrator({ db, provider: { getMigrations: async () => listingMigrations } })
 */
export const listingMigrations: Record<string, ListingMigration> = {
  '2026-11-21-assessment-payment-listing': {
    up: async (db) => up(db as unknown as Kysely<AnyTables>),
    down: async (db) => down(db as unknown as Kysely<AnyTables>)
  }
}

async function up(db: Kysely<AnyTables>): Promise<void> {
  // SQLite generates ids only for the type `integer`.
  const { name } = dialectOf(db)
  const id = name === 'sqlite' ? 'integer' : 'bigint'
  const dateTime = name === 'postgres' ? 'timestamp' : 'datetime'
  const primaryKey = (column: ColumnDefinitionBuilder) =>
    name === 'postgres' ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement()
  // `=` is exact, and needs no comparison of bytes. MariaDB skips the first comment, and MySQL the second.
  const exactCollation = sql`collate /*!80017 utf8mb4_0900_bin */ /*M!100202 utf8mb4_nopad_bin */`
  const exactText = (column: ColumnDefinitionBuilder) =>
    name === 'mysql' ? column.notNull().modifyEnd(exactCollation) : column.notNull()
  const { schema } = db
  // The database's default character set may lack characters.
  const createTable = (table: string) => {
    const builder = schema.createTable(table)
    return name === 'mysql' ? builder.modifyEnd(sql`character set utf8mb4`) : builder
  }

  await createTable('users')
    .addColumn('user_id', id, primaryKey)
    .addColumn('first_name', 'varchar(100)', (column) => column.notNull())
    .addColumn('last_name', 'varchar(100)', (column) => column.notNull())
    .addColumn('email', 'varchar(255)', (column) => column.notNull())
    .addColumn('avatar_url', 'varchar(500)')
    .execute()

  await createTable('memberships')
    .addColumn('user_id', id, (column) => column.notNull())
    // The primary key distinguishes case and accents.
    .addColumn('org_name', 'varchar(200)', (column) =>
      name === 'mysql' ? column.notNull().modifyEnd(sql`collate utf8mb4_bin`) : column.notNull()
    )
    .addPrimaryKeyConstraint('memberships_primary', ['user_id', 'org_name'])
    .execute()

  await createTable('links')
    .addColumn('owner_id', id, (column) => column.notNull())
    .addColumn('user_id', id, (column) => column.notNull())
    .addPrimaryKeyConstraint('links_primary', ['owner_id', 'user_id'])
    .execute()

  await createTable('assessments')
    .addColumn('assessment_id', id, primaryKey)
    .addColumn('licence', 'varchar(100)', (column) => column.notNull())
    .addColumn('assessment_type', 'varchar(100)', (column) => column.notNull())
    .addColumn('user_id', id, (column) => column.notNull())
    .addColumn('practitioner_id', id)
    .addColumn('status', 'varchar(20)', exactText)
    .addColumn('date_assignment', dateTime)
    .addColumn('date_conclusion', dateTime)
    .addColumn('created_at', dateTime, (column) => column.notNull())
    .execute()

  await createTable('payments')
    .addColumn('payment_id', id, primaryKey)
    .addColumn('user_id', id)
    .addColumn('amount', 'decimal(12, 2)', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('payment_intent', 'varchar(100)', (column) => column.notNull().unique())
    .addColumn('paid_at', dateTime)
    .addColumn('payment_method', 'varchar(50)', (column) => column.notNull())
    .addColumn('payment_status', 'varchar(50)', (column) => column.notNull())
    .addColumn('processor_status', 'varchar(50)', exactText)
    .addColumn('created_at', dateTime, (column) => column.notNull())
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

async function down({ schema }: Kysely<AnyTables>): Promise<void> {
  for (const table of ['payments', 'assessments', 'links', 'memberships', 'users']) {
    await schema.dropTable(table).execute()
  }
}
