/**
 * What differs between databases, and nothing else: how a column becomes text, how a client's text is
 * bound and compared, and how a statement is limited in time.
 */

import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Text } from './cells.js'
import { sampleName, samples } from './cells.js'

/** A client's text on its way into SQL. */
export interface ClientText {
  readonly text: string
  /** The text, or what is made of it, as a parameter. */
  parameter(make?: (text: string) => unknown): RawBuilder<unknown>
}

/** A text that never changes. */
export const clientText = (text: string): ClientText => ({
  text,
  parameter: (make = (text) => text) => sql`${make(text)}`
})

/** A boolean SQL expression. */
export type Condition = RawBuilder<boolean>

export interface Dialect {
  readonly name: 'mysql' | 'postgres' | 'sqlite'
  /** The value as text, whatever its column type, so that no driver setting can change it (contract 83 and 90). */
  text(value: Expression<unknown>): RawBuilder<string | null>
  /** The value as text that is compared byte for byte: no collation, cast or trailing space makes two equal. */
  bytes(value: Expression<unknown>): RawBuilder<string | null>
  /** The text as a literal that means the same in every session. */
  sample(text: Text): RawBuilder<Text>
  /** The column holds the term, taken literally; ASCII letters match in either case (contract 73 and 74). */
  contains(column: Expression<unknown>, term: ClientText): Condition
  /** Where a column's collation may count the case of letters: whether it does, and `contains` for such a one. */
  readonly letterCase?:
    | {
        counts(column: Expression<unknown>): Condition
        contains(column: Expression<unknown>, term: ClientText): Condition
      }
    | undefined
  /** The column's type is one of exact numbers. Left out where nothing tells. */
  isExactNumber?(column: Expression<unknown>): Condition
  /** The column's value, written as text, is exactly this text; an index on the column is used. */
  same(column: Expression<unknown>, value: ClientText): Condition
  /** The column, one of exact numbers, is this whole number. Left out where `same` costs no more. */
  sameNumber?(column: Expression<unknown>, value: ClientText): Condition
  /**
   * Whether `exists` looks at one user where `in (select …)` would look at all. Not on MariaDB, which takes the
   * answer that an `exists` had for `abc` for that of `ABC` where the collation ignores case.
   */
  readonly looksUp?: boolean
  /** On which form of a client's text the SQL depends. */
  formOf(text: string): string
  /** The statement, made to stop by itself on the server after so many milliseconds. */
  within(statement: string, milliseconds: number): string
  /** How Kysely stops a statement from outside. Left out where it runs inside the process. */
  readonly stop?: 'killSession' | 'cancelQuery'
  /** Where a statement cannot say that itself: what sets the limit for the transaction around it. */
  limit?(milliseconds: number): RawBuilder<unknown>
  /** Where the optimizer chooses ways that are far too slow: how to keep it off them. */
  readonly optimizerHints?:
    | {
        /** The same value, of which it does not see that it is a column with an index. */
        opaque(value: Expression<unknown>): RawBuilder<unknown>
        /** The column's value, written as text, is exactly one of these ids; an index on the column is used. */
        oneOf(column: Expression<unknown>, ids: readonly string[], plainIds: boolean): Condition
      }
    | undefined
  /**
   * What is otherwise where columns cannot hold what the client sent, such as `漢` in a latin1 column of
   * MySQL, `abc` in a bigint column of PostgreSQL: slower comparisons that take any text.
   */
  readonly fallback?: Partial<Dialect> | undefined
}

/** The cells of a statement that hold samples. `readerOf` looks at them. */
export const sampleCells = ({ text, sample }: Pick<Dialect, 'text' | 'sample'>, texts = samples) =>
  texts.map((value, place) => sql`${text(sample(value))} as ${sql.id(sampleName(place))}`)

/**
 * What tells an id from every other one: its column and, unless `=` is known to be enough, its bytes. The
 * column can use an index but may cast (`12 = '12abc'`) or ignore case, accents or trailing spaces.
 */
export type IdKey = (column: string) => [column: Expression<unknown>, ...bytes: Expression<unknown>[]]

export const idKey =
  ({ bytes }: Dialect, plainIds: boolean): IdKey =>
  (column) =>
    plainIds ? [sql.ref(column)] : [sql.ref(column), bytes(sql.ref(column))]

/** Whether a client's id is a whole number as databases write them, and one that JavaScript can hold. */
export const isWhole = (text: string): boolean => /^(0|[1-9]\d{0,14})$/.test(text)

/** The column holds the client's id. */
export const sameId = ({ same, sameNumber }: Dialect, plainIds: boolean, column: string, id: ClientText): Condition =>
  (plainIds && isWhole(id.text) && sameNumber ? sameNumber : same)(sql.ref(column), id)

/** Two columns hold the same id. */
export const sameIds = (key: IdKey, a: string, b: string): Condition => {
  const other = key(b)
  return sql.join(
    key(a).map((part, place) => sql`${part} = ${other[place]}`),
    sql` and `
  )
}
