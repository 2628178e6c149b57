/** The SQL that differs between databases. */
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { sampleName, type Text } from './cells.js'
import type { Parameter } from './parameter.js'

/** A Kysely instance without the types of its tables. */
export type AnyKysely = Kysely<Record<string, Record<string, unknown>>>

export type Condition = RawBuilder<boolean>

/** The place of a record in the list's order. */
export interface Key<Value = string> {
  readonly time: Value
  readonly id: Value
}

export interface Dialect {
  readonly name: 'mysql' | 'postgres' | 'sqlite'
  /**
   * The value as text, which no setting changes (contract 83 and 90). Items show this text, and searches and filters compare
   * it, so each finds what the other shows.
   */
  text(value: Expression<unknown>): RawBuilder<string | null>
  /** The value as text, compared byte for byte. */
  bytes(value: Expression<unknown>): RawBuilder<string | null>
  /** A literal with the same meaning in every session. */
  sample(text: Text): RawBuilder<Text>
  /** The column is like the pattern, in which `!` escapes, in any case of ASCII letters (contract 73 and 74). */
  contains(column: Expression<unknown>, pattern: Parameter): Condition
  /** `isSensitive` detects case-sensitive columns. For these columns this `contains` applies. */
  readonly letterCase: {
    isSensitive(column: Expression<unknown>): Condition
    contains(column: Expression<unknown>, pattern: Parameter): Condition
  }
  /** Like `contains`, for a column that cannot be compared with every text: MySQL's `concat('pi_', id)`, or a latin1 column. */
  containsConverted?(column: Expression<unknown>, pattern: Parameter): Condition
  /**
   * Compares a time of the list's order, and uses the index of the order.
   *
   * @param time `YYYY-MM-DD hh:mm:ss.mmm`
   */
  compareTime(column: Expression<unknown>, operator: '>=' | '<', time: Parameter): Condition
  /** Compares a number in decimal digits, and uses the index of the column. */
  compareNumber(
    column: Expression<unknown>,
    operator: '>=' | '<=' | '<',
    number: Parameter,
    isWhole: boolean
  ): Condition
  /** `'true'`, `'false'` or null, for each cell that a column of the kind boolean can have. */
  boolean(column: Expression<unknown>): RawBuilder<string | null>
  /**
   * Whether a record has the key, or stands after the key in the list's order. Uses the index of the order. Compares in
   * the types of the columns, as `order by` does. If the types equate several ids (`abc` and `ABC`), the condition also
   * holds for those before the key.
   */
  fromKey(time: Expression<unknown>, id: Expression<unknown>, key: Key<Parameter>, direction: 'asc' | 'desc'): Condition
  /** Whether no condition of `fromKey` finds the record, because its time or its id is null, or a BLOB of SQLite. */
  unreachable(time: Expression<unknown>, id: Expression<unknown>): Condition
  /**
   * Compares character by character, and uses an index on the column. The column alone may cast (`12 = '12abc'`) or ignore
   * case, accents or spaces, so its text is compared too, whatever type the column has at this moment (contract 69).
   */
  same(column: Expression<unknown>, value: Parameter): Condition
  /**
   * Like `same`, for two columns: `u.user_id = r.user_id and <bytes of u.user_id> = <bytes of r.user_id>`.
   *
   * @param bytes the bytes of `one`, where a query has selected them
   */
  sameIds(one: Expression<unknown>, other: Expression<unknown>, bytes?: Expression<unknown>): Condition
  /** Whole numbers and UUIDs, for which `=` is exact. Decides the speed of a search, and never what is visible. */
  isPlainId?(column: Expression<unknown>): Condition
  /**
   * How a search among few records finds its users. `exists` reads one user for each record, where `in (select …)` may
   * read all users.
   */
  readonly fewUsers: 'exists' | 'in'
  readonly foreignTables?: {
    /** Whether the database has foreign tables. */
    readonly exist: Condition
    /**
     * The column is one of the ids that the query selects. A foreign table gets the ids as a parameter, where a join
     * would read the whole table. Without an index on the column, a plain table compares each row with each id.
     */
    among(column: Expression<unknown>, ids: Expression<unknown>): Condition
  }
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
  /** SQL that tells the optimizer the plan. The plan of a search of all records is otherwise far too slow. */
  readonly hints?:
    | {
        /** Hides the index of a column from the optimizer. */
        opaque(value: Expression<unknown>): RawBuilder<unknown>
        /** A hint for a subquery: the database looks up one row for each record. */
        readonly perRecord: RawBuilder<unknown>
        /** Like `same`, for several ids. */
        oneOf(column: Expression<unknown>, ids: readonly string[]): Condition
      }
    | undefined
  /**
   * Slower overrides used after the database rejects the client's text: `漢` for a latin1 column of MySQL, `abc` for a
   * bigint column of PostgreSQL.
   */
  readonly fallback?: Partial<Dialect>
}

export const booleanOf = (bytes: Expression<unknown>) =>
  sql<
    string | null
  >`case when ${bytes} in ('1', 'true', 't') then 'true' when ${bytes} in ('0', 'false', 'f') then 'false' end`

export const sampleCells = ({ text, sample }: Pick<Dialect, 'text' | 'sample'>, texts: readonly Text[]) =>
  texts.map((value, place) => sql`${text(sample(value))} as ${sql.id(sampleName(place))}`)
