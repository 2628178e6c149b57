/** PostgreSQL. */
import { type Expression, sql } from 'kysely'
import { type Dialect, pattern, sampleText } from '../dialect.js'

const bytes = (value: Expression<unknown>) => sql<string | null>`${value}::text collate "C"`

const contains: Dialect['contains'] = (column, term) => sql`${column}::text ilike ${pattern(term)} escape '!'`

export const postgres: Dialect = {
  name: 'postgres',
  // By way of JSON, which writes dates in ISO 8601 whatever the session's DateStyle; an instant has its zone there.
  text: (value) => sql`to_jsonb(${value}) #>> '{}'`,
  bytes,
  // by its code point: a literal would come back as it went through a session of another encoding
  sample: sql.raw(`chr(${sampleText.codePointAt(0)})`),
  contains,
  isExactNumber: (column) => sql`pg_typeof(${column})::text in ('bigint', 'integer', 'smallint')`,
  // the parameter takes the column's type, so that an index is used; `abc` for a bigint is an error, see anyText
  same: (column, value) => sql`(${column} = ${value} and ${bytes(column)} = ${value})`,
  within: (statement) => statement,
  // for this transaction only: the host's session stays as it is
  limit: (milliseconds) => sql`select set_config('statement_timeout', ${String(milliseconds)}, true)`,
  anyText: {
    contains,
    same: (column, value) => sql`${bytes(column)} = ${value}`
  }
}
