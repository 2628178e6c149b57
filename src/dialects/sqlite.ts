/** SQLite. A statement runs inside the process and cannot be stopped. */
import { sql } from 'kysely'
import { type Dialect, pattern, sampleText } from '../dialect.js'

export const sqlite: Dialect = {
  name: 'sqlite',
  text: (value) => sql`cast(${value} as text)`,
  bytes: (value) => sql`cast(${value} as text) collate binary`,
  sample: sql.raw(`'${sampleText}'`),
  contains: (column, term) => sql`${column} like ${pattern(term)} escape '!'`,
  letterCase: {
    // a pragma of the connection
    counts: () => sql`'a' not like 'A'`,
    contains: (column, term) => sql`lower(${column}) like lower(${pattern(term)}) escape '!'`
  },
  // a computed column has no type by which SQLite would compare `12` with '12'; one value keeps an index's order
  same: (column, value) => {
    const found = Number.isNaN(Number(value)) ? sql`= ${value}` : sql`in (${value}, cast(${value} as numeric))`
    return sql`(${column} ${found} and cast(${column} as text) collate binary = ${value})`
  },
  within: (statement) => statement
}
