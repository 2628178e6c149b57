/**
 * What `search` finds (contract A): the term stands in a column of the record or of its user. Users are
 * matched in a subquery, not joined, so that a record whose user is gone stays in a list without search,
 * and none is counted twice.
 */
import { type RawBuilder, sql } from 'kysely'
import { type ClientText, type Condition, type Dialect, type IdKey, sameIds } from './dialect.js'
import { sample } from './fields.js'
import type { Reading, Row } from './plan.js'
import { columnsOf } from './relations.js'
import type { Source } from './source.js'
import type { Order } from './strategy.js'
import type { Traits } from './traits.js'
import type { Reach } from './visibility.js'

/** Columns of the records and of their users. */
export interface Search {
  readonly records: readonly string[]
  readonly users: readonly string[]
}

/** The searched columns of the records and of their users, as `r.payment_intent` and `u.email`. */
export const searchedColumns = ({ records, users }: Search): [ofRecords: string[], ofUsers: string[]] => [
  records.map((name) => `r.${name}`),
  users.map((name) => `u.${name}`)
]

/** Ids as text, unless there are too many to name them. */
export type Ids = readonly string[] | 'many'

/** What a term matches by columns of users, and of records. */
export interface Matches {
  readonly users: Ids
  readonly records: Ids
}

/** A list's search for a term. */
export interface TermSearch {
  /** The records that match, `r` in SQL; those that are known are named. */
  matching(matches: Matches | undefined, order: Order): Condition
  /** The ids of users, or of records, that match, as `id`. */
  idsOf(side: keyof Matches, most: number): RawBuilder<Row>
}

/**
 *     (r.payment_intent like … or (r.user_id) in (select u.user_id from (users) as u where u.email like …))
 *
 * or, where only some records are in reach and the database looks up one user after the other only so,
 *
 *     (r.payment_intent like … or exists (select 1 from (users) as u where (u.email like …) and u.user_id = r.user_id))
 *
 * and, where it is known which ones they are, without the sides that have no matches,
 *
 *     (r.payment_id in (4, 5) or r.user_id in (1, 2, 3))
 */
export function termSearch(
  { records, search }: Pick<Reading, 'records' | 'search'>,
  term: ClientText,
  reach: Reach,
  filtered: readonly Condition[],
  { countingCase, plainIds, plainRecordIds }: Traits,
  key: IdKey,
  { relation }: Source,
  dialect: Dialect
): TermSearch {
  const [ofRecords, ofUsers] = searchedColumns(search)
  const recordId = sql.ref(`r.${columnsOf[records][0]}`)
  const contains = (column: string): Condition => {
    const { contains } = (countingCase.has(column) && dialect.letterCase) || dialect
    return contains(sql.ref(column), term)
  }
  const anyOf = (columns: string[]): Condition => sql`(${sql.join(columns.map(contains), sql` or `)})`
  const users = sql`${relation('users')} as u where ${anyOf(ofUsers)}`
  const { steering } = dialect
  const unknown: Matches = { users: 'many', records: ofRecords.length > 0 ? 'many' : [] }

  return {
    matching(matches = unknown, order) {
      const sides: Condition[] = []
      if (matches.records === 'many') sides.push(anyOf(ofRecords))
      else if (matches.records[0] !== undefined && steering) {
        sides.push(steering.oneOf(recordId, matches.records, plainRecordIds))
      }
      if (matches.users === 'many' && dialect.looksUp && reach !== 'all') {
        sides.push(sql`exists (select 1 from ${users} and ${sameIds(key, 'u.user_id', 'r.user_id')})`)
      } else if (matches.users === 'many') {
        const [id, ...others] = key('r.user_id')
        // else MySQL and MariaDB begin with the users and sort all of their records
        const userId = order === 'newest' && steering ? [steering.opaque(id), ...others] : [id, ...others]
        sides.push(sql`(${sql.join(userId)}) in (select ${sql.join(key('u.user_id'))} from ${users})`)
      } else if (matches.users[0] !== undefined && steering) {
        sides.push(steering.oneOf(sql.ref('r.user_id'), matches.users, plainIds))
      }
      return sql`(${sql.join(sides, sql` or `)})`
    },
    idsOf(side, most) {
      const select = (id: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
        sql<Row>`select ${dialect.text(id)} as id, ${dialect.text(dialect.sample)} as ${sql.id(sample)} from ${from} limit ${sql.lit(most)}`
      if (side === 'users') return select(sql.ref('u.user_id'), users)
      // an index of a filter may leave few records to be looked at
      const conditions = sql.join([anyOf(ofRecords), ...filtered], sql` and `)
      return select(recordId, sql`${relation(records)} as r where ${conditions}`)
    }
  }
}
