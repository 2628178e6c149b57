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

export interface AnySelect {
  readonly isSelectQueryBuilder: true
  toOperationNode(): object
}

export type HostTables = Readonly<Record<string, string | AnySelect | undefined>>
