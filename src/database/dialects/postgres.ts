/** PostgreSQL. */
import { type Expression, sql } from 'kysely'
import type { ClientText, Condition, Dialect } from '../dialect.js'
import { likePattern } from '../like.js'

/** A character between the two parts of a literal. */
const chr = (character: string) => `' || chr(${character.codePointAt(0)}) || '`

const bytes = (value: Expression<unknown>) => sql<string | null>`${value}::text collate "C"`

const like = (text: Expression<unknown>, term: ClientText): Condition =>
  sql`${text} ilike ${term.parameter(likePattern)} escape '!'`

export const postgres: Dialect = {
  name: 'postgres',
  // By way of JSON, which writes dates in ISO 8601 whatever the session's DateStyle; an instant has its zone there.
  text: (value) => sql`to_jsonb(${value}) #>> '{}'`,
  bytes,
  // by code points: a literal would come back as it went through a session of another encoding
  sample: (text) => sql.raw(text === null ? 'null::text' : `('${text.replace(/[^ -&(-[\]-~]/gu, chr)}'::text)`),
  contains: (column, term) => like(sql`${column}::text`, term),
  letterCase: {
    // a collation of the column's own may be Turkish, or one that takes no patterns, as may be the database's
    counts: (column) => sql`(pg_collation_for(${column}::text) <> '"default"' or 'I' not ilike 'i')`,
    // what the database's collation finds, and what is found in ASCII
    contains: (column, term) =>
      sql`(${like(sql`${column}::text collate "default"`, term)} or ${like(bytes(column), term)})`
  },
  isExactNumber: (column) => sql`pg_typeof(${column})::text in ('bigint', 'integer', 'smallint')`,
  // the parameter takes the column's type, so that an index is used; `abc` for a bigint is an error, see fallback
  same: (column, value) => sql`(${column} = ${value.parameter()} and ${bytes(column)} = ${value.parameter()})`,
  looksUp: true,
  formOf: () => '',
  // the end of a session would reach the host as an error of its pool
  stop: 'cancelQuery',
  within: (statement) => statement,
  // for this transaction only: the host's session stays as it is. Instants come out in UTC, and floats with all digits.
  limit: (milliseconds) =>
    sql`select set_config('statement_timeout', ${String(milliseconds)}, true), set_config('timezone', 'UTC', true),
      set_config('extra_float_digits', '1', true)`,
  fallback: {
    same: (column, value) => sql`${bytes(column)} = ${value.parameter()}`
  }
}
