/** How a database runs a statement within a time limit, and stops it. */
import type { Kysely, RawBuilder } from 'kysely'

/** A Kysely instance without the types of its tables. */
export type AnyKysely = Kysely<Record<string, Record<string, unknown>>>

export interface RunSql {
  /** Adds a time limit to the statement, and the time zone and the sort length where the statement can carry them. */
  within(statement: { sql: string; parameters: readonly unknown[] }, milliseconds: number): string
  /**
   * The milliseconds that MySQL's session allows a statement, or 0. A longer limit of `within` would lift a shorter one of
   * the administrator's. The other databases compare the two in their statements.
   */
  readonly timeLimit?: RawBuilder<unknown>
  /** Kysely's method to stop a statement. */
  readonly stop?: 'killSession' | 'cancelQuery'
  /**
   * Sets the time limit, the time zone and the forms of texts for a transaction. Every statement then runs in a
   * transaction.
   */
  transactionSettings?(milliseconds: number): RawBuilder<unknown>
  readonly snapshot?: {
    /** Whether a snapshot costs no further statement, because every statement runs in a transaction. */
    readonly isFree: boolean
    /** Runs statements on one snapshot of the database. */
    run<Result>(db: AnyKysely, work: (db: AnyKysely) => Promise<Result>): Promise<Result>
  }
}
