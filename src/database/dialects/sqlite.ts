/** The dialect of SQLite. A running statement cannot be stopped. */
import { type Expression, sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import { likePattern } from '../parameter.js'

const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)
const day = 86_400_000
const dayBefore = (time: string) => dayOf(Date.parse(`${time.slice(0, 10)}T00:00:00Z`) - day)
/** For a day after the year 9999, returns a colon, which sorts after every digit. */
const dayAfter = (time: string) => dayOf(Date.parse(`${time.slice(0, 10)}T00:00:00Z`) + 2 * day).replace(/^\+.*/, ':')

/** SQLite reads the zone `+02:00`, but neither `+02` nor `+0200`. */
function instant(column: Expression<unknown>) {
  const ofText = (text: Expression<unknown>) => sql`strftime('%Y-%m-%d %H:%M:%f', ${text})`
  const others = [
    sql`${column} || ':00'`,
    sql`substr(${column}, 1, length(${column}) - 2) || ':' || substr(${column}, -2)`
  ]
  return sql`coalesce(${sql.join([sql`${column}`, ...others].map(ofText))})`
}

export const sqlite: Dialect = {
  name: 'sqlite',
  text: (value) => sql`cast(${value} as text)`,
  bytes: (value) => sql`cast(${value} as text) collate binary`,
  sample: (text) => (text === null ? sql`null` : sql.lit(text)),
  contains: (column, term) => sql`${column} like ${term.bind(likePattern)} escape '!'`,
  letterCase: {
    // `pragma case_sensitive_like`.
    isSensitive: () => sql`'a' not like 'A'`,
    contains: (column, term) => sql`lower(${column}) like lower(${term.bind(likePattern)}) escape '!'`
  },
  // A column holds times in several forms, such as `2024-03-01T09:30:00Z`. The first condition uses the index. A zone moves
  // a time by less than a day.
  compareTime: (
    column,
    operator,
    time
  ) => sql`(${column} ${sql.raw(operator)} ${time.bind(operator === '<' ? dayAfter : dayBefore)}
    and ${instant(column)} ${sql.raw(operator)} ${time.bind()})`,
  fromKey: (time, id, key) => sql`(${time}, ${id}) <= (${key.time.bind()}, ${key.id.bind()})`,
  // A computed column has no affinity: 12 is not '12'. Unlike `in`, `=` keeps the order of an index.
  same: (column, value) => {
    const text = value.bind()
    const found = value.form.isNumber ? sql`in (${text}, cast(${text} as numeric))` : sql`= ${text}`
    return sql`(${column} ${found} and cast(${column} as text) collate binary = ${text})`
  },
  fewUsers: 'exists',
  within: ({ sql }) => sql
}
