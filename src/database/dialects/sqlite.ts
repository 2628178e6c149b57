/** SQLite. A statement runs inside the process and cannot be stopped. */
import { sql } from 'kysely'
import type { Dialect } from '../dialect.js'
import { likePattern } from '../like.js'

const isNumber = (text: string) => !Number.isNaN(Number(text))

export const sqlite: Dialect = {
  name: 'sqlite',
  text: (value) => sql`cast(${value} as text)`,
  bytes: (value) => sql`cast(${value} as text) collate binary`,
  sample: (text) => (text === null ? sql`null` : sql.lit(text)),
  contains: (column, term) => sql`${column} like ${term.parameter(likePattern)} escape '!'`,
  letterCase: {
    // a pragma of the connection
    counts: () => sql`'a' not like 'A'`,
    contains: (column, term) => sql`lower(${column}) like lower(${term.parameter(likePattern)}) escape '!'`
  },
  // a computed column has no type by which SQLite would compare `12` with '12'; one value keeps an index's order
  same: (column, value) => {
    const text = value.parameter()
    const found = isNumber(value.text) ? sql`in (${text}, cast(${text} as numeric))` : sql`= ${text}`
    return sql`(${column} ${found} and cast(${column} as text) collate binary = ${text})`
  },
  looksUp: true,
  formOf: (text) => (isNumber(text) ? 'number' : 'text'),
  within: (statement) => statement
}
