/** The host's Kysely instance and tables, by their structure. */

/**
 * The host's Kysely instance, of any copy of Kysely 0.28 or 0.29. A transaction is not allowed.
 *
 * The type does not know your tables, so it has no `selectFrom`. Write the type of your instance:
 * `tables: (db: Kysely<DB>) => ({ … })`.
 */
export interface KyselyInstance {
  /** Whether the instance is a transaction. */
  readonly isTransaction: boolean
  /** Returns what runs the statements of the instance. */
  getExecutor(): object
  /** Closes the pool. The plugin never calls this method. */
  destroy(): Promise<void>
}

/** A Kysely select with at least the columns of `Row`. */
export interface KyselySelect<Row> {
  /** What every Kysely select says of itself. */
  readonly isSelectQueryBuilder: true
  /** Carries the type of the select's rows. Always undefined at run time. */
  readonly expressionType: Row | undefined
  /** Returns Kysely's description of the select. */
  toOperationNode(): object
}

/** The name of a table or view (`members`, `crm.members`), or a Kysely select. */
export type ListingTable<Row> = string | KyselySelect<Row>

/** The tables of a host, by name. */
export type HostTables = Readonly<Record<string, ListingTable<never> | undefined>>
