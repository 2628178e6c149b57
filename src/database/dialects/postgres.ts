/** The dialect of PostgreSQL. */
import { type Expression, sql } from 'kysely'
import type { Condition, Dialect, ListSql } from '../dialect.js'
import { type Parameter, parameterOf } from '../parameter.js'
import { areApart, booleanOf, compareBytes, existsIfFew, limits } from './common.js'
import { postgresCheck, postgresSchema } from './postgres-check.js'

/** `'Zo' || chr(235) || ''` */
const chr = (character: string) => `' || chr(${character.codePointAt(0)}) || '`

const text = (value: Expression<unknown>) => sql<string | null>`cast(${value} as text)`
const bytes = (value: Expression<unknown>) => sql<string | null>`cast(${value} as text) collate "C"`

/** Without statistics of a computed text, the planner expects a 200th of the rows; of `coalesce`, half of them. */
const sameBytes = (one: Expression<unknown>, other: Expression<unknown>): Condition =>
  sql`coalesce(${one} = ${other}, false)`

const equals = (column: Expression<unknown>, value: Parameter): Condition => sql`${column} = ${value.bind()}`

const sameText = (column: Expression<unknown>, value: Parameter): Condition => sql`${bytes(column)} = ${value.bind()}`

const like = (text: Expression<unknown>, pattern: Parameter): Condition =>
  sql`${text} ilike ${pattern.bind()} escape '!'`

const same: ListSql['same'] = (column, value) =>
  sql`(${equals(column, value)} and ${sameBytes(bytes(column), value.bind())})`

/** Milliseconds. 0 without a limit. */
const timeLimit = sql`extract(epoch from current_setting('statement_timeout')::interval) * 1000`

/** The word of a host, which no transaction changes. */
const consent = sql`current_setting('listing.transactions', true)`

export const postgres: Dialect = {
  ...limits,
  text,
  bytes,
  compareBytes,
  // A session of another encoding would convert a literal in both directions and hide the loss.
  sample: (text) => sql.raw(text === null ? 'null::text' : `('${text.replace(/[^ -&(-[\]-~]/gu, chr)}'::text)`),

  // The first parameter takes the column's type, so the index applies. `abc` for a bigint fails.
  equals,
  same,
  isEmpty: (column) => same(column, parameterOf('')),
  sameTexts: (one, other, bytesOfOne = bytes(one)) => sql`${one} = ${other} and ${sameBytes(bytesOfOne, bytes(other))}`,
  isExactId: (column) => sql`pg_typeof(${column})::text in ('bigint', 'integer', 'smallint', 'uuid')`,
  isExactText: (column) => sql`(pg_typeof(${column})::text in ('text', 'character varying') and
    (select collisdeterministic from pg_collation where oid = pg_collation_for(${text(column)})::regcollation))`,
  tellsApart: (column, values) => areApart(column, values, equals),

  // The operator also takes a date and a timestamptz, and uses the index of the column.
  compareTime: (column, operator, time) => sql`${column} ${sql.raw(operator)} cast(${time.bind()} as timestamp)`,
  // A number in a text column is compared as a number, too, after the first error.
  compareNumber: (column, operator, number, isWhole) =>
    sql`${column} ${sql.raw(operator)} cast(${number.bind()} as ${sql.raw(isWhole ? 'bigint' : 'numeric')})`,
  boolean: (column) => booleanOf(bytes(column)),

  fromKey: (column, id, operator, key) =>
    sql`(${column}, ${id}) ${sql.raw(operator)} (${key.value.bind()}, ${key.id.bind()})`,
  unreachable: (column, id) => sql`(${column} is null or ${id} is null)`,

  // `in` would hash all records of a filter, and `= any` would search the bytes of all links for each record. In
  // `coalesce`, `in` hashes the links, and is not planned as a join.
  isAmongLinked({ ofRecord: [id, bytes], ofUser: [linkedId, linkedBytes], found }) {
    const byIndex = sql`${id} = any(array(select ${linkedId} from ${found}))`
    const byBytes = sql` and coalesce(${bytes} in (select ${linkedBytes} from ${found}), false)`
    return sql`(${byIndex}${bytes ? byBytes : sql``})`
  },
  subqueryFrom: 1,
  // PostgreSQL does not plan a subquery with an offset as a part of the statement.
  fence: sql` offset 0`,

  contains: (column, pattern) => like(text(column), pattern),
  letterCase: {
    // A collation may be Turkish, or may not support `like`.
    isSensitive: (column) => sql`(pg_collation_for(${text(column)}) <> '"default"' or 'I' not ilike 'i')`,
    // The default collation, or ASCII.
    contains: (column, pattern) =>
      sql`(${like(sql`${text(column)} collate "default"`, pattern)} or ${like(bytes(column), pattern)})`
  },
  ofUsers: existsIfFew,

  whole: {
    json: (select) => sql`(select row_to_json(x)::text from (${select}) as x)`,
    // In a subquery, it is computed once and not for each row.
    settings: sql`(select concat_ws('|', ${consent}, current_setting('timezone'), current_setting('datestyle'),
      current_setting('intervalstyle'), current_setting('bytea_output'), current_setting('extra_float_digits'),
      ${timeLimit}))`,
    ownSettings: sql`(select concat_ws('|', ${consent}, string_agg(reset_val, '|' order by place)) from pg_settings
      inner join unnest(array['TimeZone', 'DateStyle', 'IntervalStyle', 'bytea_output', 'extra_float_digits',
        'statement_timeout']) with ordinality as wanted (name, place) using (name))`,
    limitUnder(settings) {
      const [, limit] = /^off\|(?:Etc\/)?UTC\|ISO, \w+\|postgres\|hex\|[1-3]\|(\d+)\b/.exec(settings ?? '') ?? []
      return Number(limit) || Number.POSITIVE_INFINITY
    }
  },

  withTimeLimit: ({ sql }) => sql,
  // Killing the session would cause an error of the host's pool.
  stop: 'cancelQuery',
  // For this transaction only: times in UTC, dates in ISO 8601, all digits of floats. A role's shorter limit stays.
  transactionSettings: (milliseconds) =>
    sql`select set_config('statement_timeout', least(${sql.lit(milliseconds)},
        nullif(${timeLimit}, 0))::bigint::text, true),
      set_config('timezone', 'UTC', true), set_config('datestyle', 'ISO', true), set_config('intervalstyle', 'postgres', true),
      set_config('bytea_output', 'hex', true), set_config('extra_float_digits', '1', true)`,
  snapshot: {
    isFree: true,
    run: (db, work) => db.transaction().setIsolationLevel('repeatable read').execute(work)
  },

  check: postgresCheck(text),
  schema: postgresSchema,

  fallback: {
    // The planner may compare a record that the caller does not see, so no cell may be an error.
    compareNumber: (column, operator, number) =>
      sql`case when ${text(column)} ~ '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]{1,3})? *$'
        then cast(${text(column)} as numeric) end ${sql.raw(operator)} cast(${number.bind()} as numeric)`,
    equals: sameText,
    same: sameText,
    isEmpty: (column) => sql`length(${text(column)}) = 0`
  }
}
