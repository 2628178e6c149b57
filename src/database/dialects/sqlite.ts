/** The dialect of SQLite. A running statement cannot be stopped. */
import { sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import { likePattern } from '../parameter.js'

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
  // A computed column has no affinity: 12 is not '12'. Unlike `in`, `=` keeps the order of an index.
  same: (column, value) => {
    const text = value.bind()
    const found = value.form.isNumber ? sql`in (${text}, cast(${text} as numeric))` : sql`= ${text}`
    return sql`(${column} ${found} and cast(${column} as text) collate binary = ${text})`
  },
  fewUsers: 'exists',
  within: ({ sql }) => sql
}
