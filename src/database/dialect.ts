/** The SQL that differs between databases. */
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { isTextError } from '../errors/driver-errors.js'
import { GarbledRows, sampleName, samples, type Text } from './driver-samples.js'
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
  /** The value as text, which no driver setting changes (contract 83 and 90). */
  text(value: Expression<unknown>): RawBuilder<string | null>
  /** The value as text, compared byte for byte. */
  bytes(value: Expression<unknown>): RawBuilder<string | null>
  /** A literal with the same meaning in every session. */
  sample(text: Text): RawBuilder<Text>
  /** The column contains the literal term (contract 73 and 74). */
  contains(column: Expression<unknown>, term: Parameter): Condition
  /** `isSensitive` detects case-sensitive columns. For these columns this `contains` applies. */
  readonly letterCase?:
    | {
        isSensitive(column: Expression<unknown>): Condition
        contains(column: Expression<unknown>, term: Parameter): Condition
      }
    | undefined
  /** The character set of the column has every character. */
  isWideText?(column: Expression<unknown>): Condition
  /**
   * For a fallback: how columns with every character contain a term. They keep their collation, which a conversion would
   * change (contract 75).
   */
  readonly wide?: Pick<Dialect, 'contains' | 'letterCase'>
  isExactNumber?(column: Expression<unknown>): Condition
  /** The collation of the column compares texts exactly. */
  isExactText?(column: Expression<unknown>): Condition
  /**
   * Compares a time of the list's order, and uses the index of the order.
   *
   * @param time `YYYY-MM-DD hh:mm:ss.mmm`
   */
  compareTime(column: Expression<unknown>, operator: '>=' | '<', time: Parameter): Condition
  /**
   * Whether a record has the key, or stands after the key in the list's order. Uses the index of the order. Compares in
   * the types of the columns, as `order by` does. If the types equate several ids (`abc` and `ABC`), the condition also
   * holds for those before the key.
   */
  fromKey(time: Expression<unknown>, id: Expression<unknown>, key: Key<Parameter>): Condition
  /** Compares exactly, and uses an index on the column. */
  same(column: Expression<unknown>, value: Parameter): Condition
  /** Faster than `same`, for a column of exact numbers. */
  sameNumber?(column: Expression<unknown>, value: Parameter): Condition
  /** Faster than `same`, for a column of exact texts. */
  readonly sameText?: ((column: Expression<unknown>, value: Parameter) => Condition) | undefined
  /**
   * How a search among few records finds its users. `exists` reads one user for each record, where `in (select …)` may
   * read all users. MariaDB caches the result of `exists`: under a case-insensitive collation, `ABC` gets the result of
   * `abc`.
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
  /** Kysely's method to stop a statement. */
  readonly stop?: 'killSession' | 'cancelQuery'
  /**
   * Sets the time limit, the time zone and the digits of floats for a transaction. Every statement then runs in a
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
  readonly plan?:
    | {
        /** Hides the index of a column from the optimizer. */
        opaque(value: Expression<unknown>): RawBuilder<unknown>
        /** Like `same`, for several ids. */
        oneOf(column: Expression<unknown>, ids: readonly string[], plainIds: boolean): Condition
      }
    | undefined
  /**
   * Slower overrides used after the database rejects the client's text: `漢` for a latin1 column of MySQL, `abc` for a
   * bigint column of PostgreSQL.
   */
  readonly fallback?: Partial<Dialect> | undefined
}

/** @returns the dialect with the slower SQL that avoids an error of the database. Undefined if no SQL avoids the error */
export function fallbackFor(dialect: Dialect, error: unknown): Dialect | undefined {
  const { fallback, text, bytes } = dialect
  if (isTextError(error)) return fallback && { ...dialect, ...fallback, fallback: undefined }
  // Reads the cells as bytes, which no character set of the connection changes.
  return error instanceof GarbledRows && text !== bytes ? { ...dialect, text: bytes } : undefined
}

export const sampleCells = ({ text, sample }: Pick<Dialect, 'text' | 'sample'>, texts = samples) =>
  texts.map((value, place) => sql`${text(sample(value))} as ${sql.id(sampleName(place))}`)

export type IdKey = (column: string) => [column: Expression<unknown>, ...bytes: Expression<unknown>[]]

/**
 * The SQL to compare an id by: the column, and its bytes unless ids are exact numbers. The column uses an index, but may
 * cast (`12 = '12abc'`) or ignore case, accents or spaces.
 */
export const idKey =
  ({ bytes }: Dialect, plainIds: boolean): IdKey =>
  (column) =>
    plainIds ? [sql.ref(column)] : [sql.ref(column), bytes(sql.ref(column))]

export const sameId = ({ same, sameNumber }: Dialect, plainIds: boolean, column: string, id: Parameter): Condition =>
  (plainIds && id.form.isWhole && sameNumber ? sameNumber : same)(sql.ref(column), id)

/** `u.user_id = r.user_id`, and the same for the bytes unless ids are plain. */
export const sameIds = (key: IdKey, a: string, b: string): Condition => {
  const other = key(b)
  return sql.join(
    key(a).map((part, place) => sql`${part} = ${other[place]}`),
    sql` and `
  )
}
