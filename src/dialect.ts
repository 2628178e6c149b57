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
  /** The column holds the term, taken literally; ASCII letters match in either case (contract B7). */
  contains(column: Expression<unknown>, term: string): Condition
  /**
   * The column's value, written as text, is exactly this text. Two conditions: the first one can use an
   * index but may cast (`12 = '12abc'`) or ignore case, the second one is exact.
   */
  same(column: Expression<unknown>, value: string): Condition
  /** The statement, made to stop by itself on the server after so many milliseconds. */
  within(statement: string, milliseconds: number): string
  /**
   * The same dialect with slower comparisons that take any character, for columns whose character set
   * cannot hold what the client sent (`漢` in a latin1 column).
   */
  readonly anyCharset?: Dialect
}

/** `!` escapes, not `\`: what a backslash means depends on MySQL's sql_mode. */
const pattern = (term: string): string => `%${term.replace(/[!%_]/g, '!$&')}%`

/**
 * A client's text for MySQL and MariaDB. mysql2 writes a Buffer as `X'616e'`, so that no sql_mode and no
 * connection character set can turn the text into SQL; as a literal it takes the column's own collation.
 */
const literal = (text: string) => sql<string>`_utf8mb4 ${Buffer.from(text)}`

/** MySQL and MariaDB. */
const mysql: Dialect = {
  name: 'mysql',
  text: (value) => sql`convert(${value} using utf8mb4)`,
  contains: (column, term) => sql`${column} like ${literal(pattern(term))} escape '!'`,
  same: (column, value) => sql`(${column} = ${literal(value)} and ${exactly(column, value)})`,
  // MariaDB runs the comment, MySQL reads the hint. Both also make TIMESTAMP columns come out in UTC,
  // for this statement only: the host's session stays as it is.
  within: (statement, milliseconds) =>
    `/*M!100100 set statement time_zone='+00:00', max_statement_time=${milliseconds / 1000} for */ ` +
    statement.replace(/^\s*select/, `select /*+ SET_VAR(time_zone='+00:00') MAX_EXECUTION_TIME(${milliseconds}) */`),
  get anyCharset() {
    return mysqlAnyCharset
  }
}

const exactly = (column: Expression<unknown>, value: string): Condition =>
  sql`cast(convert(${column} using utf8mb4) as binary) = ${Buffer.from(value)}`

const mysqlAnyCharset: Dialect = {
  name: 'mysql',
  text: mysql.text,
  contains: (column, term) => sql`convert(${column} using utf8mb4) like ${literal(pattern(term))} escape '!'`,
  same: exactly,
  within: mysql.within
}

/** SQLite. A statement runs inside the process and cannot be stopped. */
const sqlite: Dialect = {
  name: 'sqlite',
  text: (value) => sql`cast(${value} as text)`,
  contains: (column, term) => sql`${column} like ${pattern(term)} escape '!'`,
  // a computed column has no type by which SQLite would compare `12` with '12'
  same: (column, value) =>
    sql`(${column} in (${value}, cast(${value} as numeric)) and cast(${column} as text) = ${value})`,
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
