/** The dialect of PostgreSQL. */
import { type Expression, sql } from 'kysely'
import type { Condition, Dialect } from '../dialect.js'
import { likePattern, type Parameter } from '../parameter.js'

/** `'Zo' || chr(235) || ''` */
const chr = (character: string) => `' || chr(${character.codePointAt(0)}) || '`

const bytes = (value: Expression<unknown>) => sql<string | null>`${value}::text collate "C"`

const like = (text: Expression<unknown>, term: Parameter): Condition =>
  sql`${text} ilike ${term.bind(likePattern)} escape '!'`

export const postgres: Dialect = {
  name: 'postgres',
  // JSON has ISO 8601 dates under every DateStyle, with the offset of a `timestamptz`.
  text: (value) => sql`to_jsonb(${value}) #>> '{}'`,
  bytes,
  // A session of another encoding would convert a literal in both directions and hide the loss.
  sample: (text) => sql.raw(text === null ? 'null::text' : `('${text.replace(/[^ -&(-[\]-~]/gu, chr)}'::text)`),
  contains: (column, term) => like(sql`${column}::text`, term),
  letterCase: {
    // A collation may be Turkish, or may not support `like`.
    isSensitive: (column) => sql`(pg_collation_for(${column}::text) <> '"default"' or 'I' not ilike 'i')`,
    // The default collation, or ASCII.
    contains: (column, term) =>
      sql`(${like(sql`${column}::text collate "default"`, term)} or ${like(bytes(column), term)})`
  },
  // The operator also takes a date and a timestamptz, and uses the index of the column.
  compareTime: (column, operator, time) => sql`${column} ${sql.raw(operator)} cast(${time.bind()} as timestamp)`,
  fromKey: (time, id, key) => sql`(${time}, ${id}) <= (${key.time.bind()}, ${key.id.bind()})`,
  isExactNumber: (column) => sql`pg_typeof(${column})::text in ('bigint', 'integer', 'smallint')`,
  // The first parameter takes the column's type, so the index applies. `abc` for a bigint fails.
  same: (column, value) => sql`(${column} = ${value.bind()} and ${bytes(column)} = ${value.bind()})`,
  fewUsers: 'exists',
  foreignTables: {
    exist: sql`exists (select from pg_foreign_table)`,
    among: (column, ids) => sql`${column} = any(array(${ids}))`
  },
  // Killing the session would cause an error of the host's pool.
  stop: 'cancelQuery',
  within: ({ sql }) => sql,
  // For this transaction only. A `timestamptz` is in UTC, and a float has all digits.
  transactionSettings: (milliseconds) =>
    sql`select set_config('statement_timeout', ${String(milliseconds)}, true), set_config('timezone', 'UTC', true),
      set_config('extra_float_digits', '1', true)`,
  snapshot: {
    isFree: true,
    run: (db, work) => db.transaction().setIsolationLevel('repeatable read').execute(work)
  },
  fallback: {
    same: (column, value) => sql`${bytes(column)} = ${value.bind()}`
  }
}
