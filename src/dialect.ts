/**
 * What differs between databases, and nothing else: how a column becomes text, how a client's text is
 * bound and compared, and how a statement is limited in time.
 */
import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'

/** A boolean SQL expression. */
export type Condition = RawBuilder<boolean>

export interface Dialect {
  readonly name: 'mysql' | 'sqlite'
  /** The value as text, whatever its column type, so that no driver setting can change it (contract B10, B12). */
  text(value: Expression<unknown>): RawBuilder<string | null>
  /** The value as text that is compared byte for byte: no collation, cast or trailing space makes two equal. */
  bytes(value: Expression<unknown>): RawBuilder<string | null>
  /** `sampleText` as a literal. */
  readonly sample: RawBuilder<string>
  /** The column holds the term, taken literally; ASCII letters match in either case (contract B7). */
  contains(column: Expression<unknown>, term: string): Condition
  /** Where a column's collation may count the case of letters: whether it does, and `contains` for such a one. */
  readonly letterCase?: {
    counts(column: Expression<unknown>): Condition
    contains(column: Expression<unknown>, term: string): Condition
  }
  /** The column's value, written as text, is exactly this text; an index on the column is used. */
  same(column: Expression<unknown>, value: string): Condition
  /** The statement, made to stop by itself on the server after so many milliseconds. */
  within(statement: string, milliseconds: number): string
  /**
   * The same dialect with slower comparisons that take any character, for columns whose character set
   * cannot hold what the client sent (`漢` in a latin1 column).
   */
  readonly anyCharset?: Dialect
}

/** A text that only arrives whole through a connection that carries every character. */
export const sampleText = '🙂'

/**
 * Two columns hold the same id. Two conditions: the first one can use an index but may cast (`12 = '12abc'`)
 * or ignore case, accents or trailing spaces; the second one is exact.
 */
export const sameColumns = ({ bytes }: Dialect, a: Expression<unknown>, b: Expression<unknown>): Condition =>
  sql`${a} = ${b} and ${bytes(a)} = ${bytes(b)}`

/** `!` escapes, not `\`: what a backslash means depends on MySQL's sql_mode. */
const pattern = (term: string): string => `%${term.replace(/[!%_]/g, '!$&')}%`

/**
 * A client's text for MySQL and MariaDB. mysql2 writes a Buffer as `X'616e'`, so that no sql_mode and no
 * connection character set can turn the text into SQL; as a literal it takes the column's own collation.
 */
const literal = (text: string) => sql<string>`_utf8mb4 ${Buffer.from(text)}`

const utf8 = (value: Expression<unknown>) => sql<string | null>`convert(${value} using utf8mb4)`
const utf8Bytes = (value: Expression<unknown>) => sql<string | null>`cast(${utf8(value)} as binary)`
const like = (text: Expression<unknown>, term: string): Condition =>
  sql`${text} like ${literal(pattern(term))} escape '!'`

const [lowerCase, upperCase] = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** MySQL and MariaDB. */
const mysql: Dialect = {
  name: 'mysql',
  text: utf8,
  bytes: utf8Bytes,
  sample: sql.raw(`_utf8mb4 X'${Buffer.from(sampleText).toString('hex')}'`),
  contains: like,
  letterCase: {
    // the column's own collation decides, also of an empty table
    counts: (column) => sql`concat(coalesce(${column}, ''), '${sql.raw(lowerCase)}') not like '${sql.raw(upperCase)}'`,
    // what the collation finds, and what it would find if case did not count
    contains: (column, term) => sql`(${like(column, term)}
      or lower(${utf8(column)}) collate utf8mb4_bin like lower(${literal(pattern(term))}) escape '!')`
  },
  same: (column, value) => sql`(${column} = ${literal(value)} and ${utf8Bytes(column)} = ${Buffer.from(value)})`,
  // MariaDB runs the comment, MySQL reads the hint. Both also make TIMESTAMP columns come out in UTC,
  // for this statement only: the host's session stays as it is.
  within: (statement, milliseconds) =>
    `/*M!100100 set statement time_zone='+00:00', max_statement_time=${milliseconds / 1000} for */ ` +
    statement.replace(/^\s*select/, `select /*+ SET_VAR(time_zone='+00:00') MAX_EXECUTION_TIME(${milliseconds}) */`),
  get anyCharset() {
    return mysqlAnyCharset
  }
}

const mysqlAnyCharset: Dialect = {
  name: 'mysql',
  text: utf8,
  bytes: utf8Bytes,
  sample: mysql.sample,
  contains: (column, term) => like(utf8(column), term),
  same: (column, value) => sql`${utf8Bytes(column)} = ${Buffer.from(value)}`,
  within: mysql.within
}

/** SQLite. A statement runs inside the process and cannot be stopped. */
const sqlite: Dialect = {
  name: 'sqlite',
  text: (value) => sql`cast(${value} as text)`,
  bytes: (value) => sql`cast(${value} as text) collate binary`,
  sample: sql.raw(`'${sampleText}'`),
  contains: (column, term) => sql`${column} like ${pattern(term)} escape '!'`,
  // a computed column has no type by which SQLite would compare `12` with '12'
  same: (column, value) =>
    sql`(${column} in (${value}, cast(${value} as numeric)) and cast(${column} as text) collate binary = ${value})`,
  within: (statement) => statement
}

/**
 * Tells the database from the SQL that the host's Kysely writes for it: by its quotes and placeholders,
 * since class names differ between copies and builds of Kysely.
 *
 * @throws Error when it is none of the supported ones.
 */
export function dialectOf(db: Kysely<Record<string, Record<string, unknown>>>): Dialect {
  const { sql: probe } = db.withoutPlugins().selectFrom('t').select('c').where('c', '=', 1).compile()
  if (probe.includes('`')) return mysql
  if (probe.includes('= ?')) return sqlite
  throw new Error(`The database is not supported: use MySQL, MariaDB or SQLite (its SQL looks like: ${probe}).`)
}
