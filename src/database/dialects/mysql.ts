/** MySQL and MariaDB. */
import { type Expression, sql } from 'kysely'
import type { ClientText, Condition, Dialect } from '../dialect.js'
import { likePattern } from '../like.js'

/**
 * A client's text for MySQL and MariaDB. mysql2 writes a Buffer as `X'616e'`, so that no sql_mode and no
 * connection character set can turn the text into SQL; as a literal it takes the column's own collation.
 */
const literal = (bytes: unknown) => sql<string>`_utf8mb4 ${bytes}`
const literalOf = (given: ClientText, make = (text: string) => text) =>
  literal(given.parameter((text) => Buffer.from(make(text))))

/**
 * The same for a comparison that the bytes decide: plain text, in which no character set and no sql_mode has
 * anything to turn, has the connection's collation, as the literals in a host's computed column have, such as
 * `case … then 'pending' end`. With another one the two could not be compared.
 */
const isPlain = (text: string) => /^[\w%!@.+: -]*$/.test(text)
const plainOrLiteral = (given: ClientText) => (isPlain(given.text) ? given.parameter() : literalOf(given))
const bytesOf = (given: ClientText) => given.parameter((text) => Buffer.from(text))

const utf8 = (value: Expression<unknown>) => sql<string | null>`convert(${value} using utf8mb4)`
/** On MariaDB `convert` alone may keep the mark of a JSON column, by which mysql2 parses the text. */
const utf8Text = (value: Expression<unknown>) => sql<string | null>`concat(${utf8(value)})`
const utf8Bytes = (value: Expression<unknown>) => sql<string | null>`cast(${utf8(value)} as binary)`
const like = (text: Expression<unknown>, term: ClientText): Condition =>
  sql`${text} like ${literalOf(term, likePattern)} escape '!'`

/** The bytes of a text by which it is sorted: the default of the servers. */
export const sortLength = 1024

const [lowerCase, upperCase] = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

export const mysql: Dialect = {
  name: 'mysql',
  text: utf8Text,
  bytes: utf8Bytes,
  sample: (text) => sql.raw(text === null ? 'null' : `_utf8mb4 X'${Buffer.from(text).toString('hex')}'`),
  contains: like,
  letterCase: {
    // the column's own collation decides, also of an empty table; no '', which is null in one of MariaDB's modes
    counts: (column) =>
      sql`concat(coalesce(${column}, 'a'), '${sql.raw(lowerCase.slice(1))}') not like '${sql.raw(upperCase)}'`,
    // what the collation finds, and what it would find if case did not count
    contains: (column, term) => sql`(${like(column, term)}
      or lower(${utf8(column)}) collate utf8mb4_bin like lower(${literalOf(term, likePattern)}) escape '!')`
  },
  // only the division of exact numbers has few digits; text is divided as a double
  isExactNumber: (column) => sql`coalesce(${column}, 1) / 3 <> 1e0 / 3`,
  same: (column, value) => sql`(${column} = ${plainOrLiteral(value)} and ${utf8Bytes(column)} = ${bytesOf(value)})`,
  // of a column of numbers, however small, a number may be too large without being an error
  sameNumber: (column, value) => sql`${column} = ${value.parameter(Number)}`,
  formOf: (text) => (isPlain(text) ? 'plain' : 'literal'),
  // a late `kill query` could meet the session's next statement
  stop: 'killSession',
  // MariaDB runs the comment, MySQL reads the hint. Both also make TIMESTAMP columns come out in UTC, and text sort by
  // more than its first bytes, for this statement only: the host's session stays as it is.
  within: (statement, milliseconds) =>
    `/*M!100100 set statement time_zone='+00:00', max_sort_length=${sortLength}, max_statement_time=${milliseconds / 1000} for */ ` +
    statement.replace(
      /^\s*select/,
      `select /*+ SET_VAR(time_zone='+00:00') SET_VAR(max_sort_length=${sortLength}) MAX_EXECUTION_TIME(${milliseconds}) */`
    ),
  optimizerHints: {
    opaque: (value) => sql`coalesce(${value}, null)`,
    oneOf(column, ids, plainIds) {
      if (plainIds && ids.every((id) => /^-?\d+(\.\d+)?$/.test(id)))
        return sql`${column} in (${sql.raw(ids.join(', '))})`
      const bytes = ids.map((id) => Buffer.from(id))
      return sql`(${column} in (${sql.join(bytes.map(literal))}) and ${utf8Bytes(column)} in (${sql.join(bytes)}))`
    }
  },
  fallback: {
    // ignores case by itself
    contains: (column, term) => like(utf8(column), term),
    letterCase: undefined,
    optimizerHints: undefined,
    same: (column, value) => sql`${utf8Bytes(column)} = ${bytesOf(value)}`
  }
}
