/** How a database searches (contract 71 to 78). */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { changed, type Parameter } from '../parameter.js'
import type { Condition } from './compare.js'

/**
 * The pattern of `like` for a literal term: `%50!%%` for `50%` (contract 73). MySQL's sql_mode changes the meaning of a
 * backslash.
 */
const likePattern = (term: string): string => `%${term.replace(/[!%_]/g, '!$&')}%`

export const patternOf = (term: Parameter): Parameter => changed(term, likePattern)

export interface SearchSql {
  /** The column is like the pattern, in which `!` escapes, in any case of ASCII letters (contract 73 and 74). */
  contains(column: Expression<unknown>, pattern: Parameter): Condition
  /** `isSensitive` detects case-sensitive columns. For these columns this `contains` applies. */
  readonly letterCase: {
    isSensitive(column: Expression<unknown>): Condition
    contains(column: Expression<unknown>, pattern: Parameter): Condition
  }
  /** Like `contains`, for a column that cannot be compared with every text: MySQL's `concat('pi_', id)`, or a latin1 column. */
  containsConverted?(column: Expression<unknown>, pattern: Parameter): Condition
  /** The user of a record is among found users. */
  ofUsers(search: UserSearch): Condition
  /** For MySQL and MariaDB, whose own plan of a search of all records is far too slow. */
  readonly planning?: PlanningSql | undefined
}

/** A search for the records of users. */
export interface UserSearch {
  /** What tells the user of a record `r` from every other: a column, and its bytes where `=` alone is not exact. */
  readonly ofRecord: readonly Expression<unknown>[]
  /** The same of a user `u`. */
  readonly ofUser: readonly Expression<unknown>[]
  /** `users as u where …` */
  readonly found: RawBuilder<unknown>
  /** Whether few records are in reach. */
  readonly areFew: boolean
  /** Whether the statement scans the records in the order of the list. */
  readonly isScan: boolean
  /** Whether an index can find a user by the id. */
  readonly hasIndex: boolean
}

/** SQL that tells the optimizer the plan. */
export interface PlanningSql {
  /** Hides the index of a column from the optimizer. */
  opaque(value: Expression<unknown>): RawBuilder<unknown>
  /** Like `same`, for several ids. `=` alone is exact if it is so for these ids and for those of the column. */
  oneOf(column: Expression<unknown>, ids: readonly string[], isExact: boolean): Condition
}

/** `(r.user_id) in (select u.user_id from users as u where …)` */
export const isAmong = (
  { ofRecord, ofUser, found }: Pick<UserSearch, 'ofRecord' | 'ofUser' | 'found'>,
  hint = sql``
): Condition => sql`(${sql.join(ofRecord)}) in (select ${hint}${sql.join(ofUser)} from ${found})`

/** For few records, `exists` reads one user for each record, where `in` may read all users. */
export const existsIfFew: SearchSql['ofUsers'] = (search) => {
  const { ofRecord, ofUser, found, areFew } = search
  const same = ofUser.map((part, place) => sql`${part} = ${ofRecord[place]}`)
  return areFew ? sql`exists (select 1 from ${found} and ${sql.join(same, sql` and `)})` : isAmong(search)
}
