/** The dialect of SQLite. A running statement cannot be stopped. */
import { type Expression, sql } from 'kysely'
import type { Condition, Dialect, ListSql } from '../dialect.js'
import { type Parameter, parameterOf } from '../parameter.js'
import { booleanOf, compareBytes, existsIfFew, isAmong, limits } from './common.js'
import { sqliteCheck, sqliteSchema } from './sqlite-check.js'

const utcDay = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)
const day = 86_400_000
const dayBefore = (time: string) => utcDay(Date.parse(`${time.slice(0, 10)}T00:00:00Z`) - day)
/** For a day after the year 9999, returns a colon, which sorts after every digit. */
const dayAfter = (time: string) => utcDay(Date.parse(`${time.slice(0, 10)}T00:00:00Z`) + 2 * day).replace(/^\+.*/, ':')

/** `2024-03-01T09:30:44.1236+02` becomes `2024-03-01 07:30:44.1236000`: SQLite rounds fractions, and needs `+02:00`. */
function instant(column: Expression<unknown>) {
  const point = sql`instr(${column} || '.', '.')`
  const rest = sql`substr(${column}, ${point})`
  const zone = sql`ltrim(${rest}, '.0123456789')`
  const time = sql`substr(${column}, 1, ${point} - 1) || ${zone}`
  const others = [sql`${time} || ':00'`, sql`substr(${time}, 1, length(${time}) - 2) || ':' || substr(${time}, -2)`]
  const seconds = [time, ...others].map((text) => sql`strftime('%Y-%m-%d %H:%M:%S', ${text})`)
  const fraction = sql`substr(${rest}, 1, length(${rest}) - length(${zone}))`
  return sql`coalesce(${sql.join(seconds)}) || coalesce(nullif(${fraction}, ''), '.') || '000'`
}

const text = (value: Expression<unknown>) => sql<string | null>`cast(${value} as text)`
const bytes = (value: Expression<unknown>) => sql<string | null>`cast(${value} as text) collate binary`

/** A computed column has no affinity: 12 is not '12'. Unlike `in`, `=` keeps the order of an index. */
const equals = (column: Expression<unknown>, value: Parameter): Condition => {
  const text = value.bind()
  return value.form.isNumber ? sql`${column} in (${text}, cast(${text} as numeric))` : sql`${column} = ${text}`
}

const same: ListSql['same'] = (column, value) => sql`(${equals(column, value)} and ${bytes(column)} = ${value.bind()})`

export const sqlite: Dialect = {
  ...limits,
  text,
  bytes,
  compareBytes,
  sample: (text) => (text === null ? sql`null` : sql.lit(text)),

  equals,
  same,
  isEmpty: (column) => same(column, parameterOf('')),
  sameTexts: (one, other, bytesOfOne = bytes(one)) => sql`${one} = ${other} and ${bytesOfOne} = ${bytes(other)}`,

  // Times have forms such as `2024-03-01T09:30:00Z`. The first condition uses the index: a zone moves less than a day.
  compareTime: (
    column,
    operator,
    time
  ) => sql`(${column} ${sql.raw(operator)} ${time.bind(operator === '<' ? dayAfter : dayBefore)}
    and ${instant(column)} ${sql.raw(operator)} ${time.bind()})`,
  compareNumber: (column, operator, number) => sql`${column} ${sql.raw(operator)} cast(${number.bind()} as numeric)`,
  boolean: (column) => booleanOf(bytes(column)),

  fromKey(column, id, operator, key, isNumber, isUntyped) {
    // Without an affinity, every number is less than every text. A computed column may be a text of digits, too.
    const typed = (column: Expression<unknown>, value: Parameter) =>
      sql`case typeof(${column}) when 'text' then ${value.bind()} else cast(${value.bind()} as numeric) end`
    const ofNumber = isNumber ? sql`cast(${key.value.bind()} as numeric)` : key.value.bind()
    const value = isUntyped.value ? typed(column, key.value) : ofNumber
    const keyId = isUntyped.id ? typed(id, key.id) : key.id.bind()
    return sql`(${column}, ${id}) ${sql.raw(operator)} (${value}, ${keyId})`
  },
  // A subquery has the affinity of its last select, which finds no row. An affinity converts one of the two.
  isUntyped: (column) => sql`(select '5' union all select ${column} where 0) <> 5`,
  // A double has more digits than its text.
  keyText: (number) => sql`case typeof(${number}) when 'real' then quote(${number}) else ${text(number)} end`,
  unreachable: (column, id) =>
    sql`(${column} is null or ${id} is null or typeof(${column}) = 'blob' or typeof(${id}) = 'blob')`,

  subqueryFrom: 2,
  isAmongLinked: isAmong,

  contains: (column, pattern) => sql`${text(column)} like ${pattern.bind()} escape '!'`,
  letterCase: {
    // `pragma case_sensitive_like`.
    isSensitive: () => sql`'a' not like 'A'`,
    contains: (column, pattern) => sql`lower(${text(column)}) like lower(${pattern.bind()}) escape '!'`
  },
  ofUsers: existsIfFew,

  withTimeLimit: ({ sql }) => sql,

  check: sqliteCheck(text),
  schema: sqliteSchema
}
