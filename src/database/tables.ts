/** The host's Kysely instance and tables, by their structure. */

/** A function that the compiler's message about a call names by a sentence. */
interface NotCallable<Sentence extends string> {
  /** The name of the function. */
  readonly name: string | Sentence
}

/**
 * The host's Kysely instance, of any copy of Kysely 0.28 or 0.29. A transaction is not allowed.
 *
 * `selectFrom` cannot be called, because the type does not know your tables. Annotate a parameter with the type of your
 * instance:
 * `tables: (db: Kysely<DB>) => ({ … })`.
 */
export interface KyselyInstance {
  /** Whether the instance is a transaction. */
  readonly isTransaction: boolean
  /** Returns what runs the statements of the instance. */
  getExecutor(): object
  /** Makes the selects of a host, whose own type of the instance can call it. */
  readonly selectFrom: NotCallable<'Write the type of your instance: tables: (db: Kysely<DB>) => …'>
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
