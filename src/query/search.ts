/** Builds the SQL of the parameter `search` (contract 71 to 78). */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type ClientText, type Condition, idKey, sameIds, sampleCells } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import type { Source } from '../database/source.js'
import { columnsOf } from '../database/tables.js'
import { type List, searchedColumns } from '../lists/list.js'
import type { Reach } from '../lists/reach.js'
import type { SearchIndex } from '../search-index/usable-index.js'
import type { Traits } from './column-traits.js'
import { completeKey, matchedKey } from './items.js'
import type { Matches, Order } from './order.js'

export interface TermSearch {
  /** The condition for a record `r`. Known ids are inlined. */
  matching(matches: Matches | undefined, order: Order): Condition
  /**
   * The query for the matching ids, in the cell `matchedKey`.
   *
   * @param among the ids that the search index has found
   */
  idsOf(side: keyof Matches, maxRows: number, among?: readonly string[]): RawBuilder<Row>
  /** The query for the ids that a search index finds, in the same cell. */
  candidatesOf(index: SearchIndex, maxRows: number): RawBuilder<Row>
}

interface SearchContext {
  list: Pick<List, 'records' | 'search'>
  term: ClientText
  reach: Reach
  /** Limits the users to those in reach, see `Scope`. */
  userInReach: Condition | undefined
  filtered: readonly Condition[]
  traits: Traits
  source: Source
}

/**
 * A subquery finds the users, because a join would lose records without a user and could repeat records. On MySQL and
 * MariaDB, and elsewhere for the reach `all`:
 *
 *     (r.payment_intent like … or (r.user_id) in (select u.user_id from (users) as u where u.email like …))
 *
 * For the reaches `own` and `linked`, on PostgreSQL and SQLite (`Dialect.looksUp`):
 *
 *     (r.payment_intent like … or exists (select 1 from (users) as u where (u.email like …) and u.user_id = r.user_id))
 *
 * For the reach `linked` with foreign tables and exact ids:
 *
 *     (r.payment_intent like … or (r.user_id in (
 *       select u.user_id from (users) as u where u.email like … and u.user_id = any(array(…visible users)))) is true)
 *
 * With a search index on SQLite:
 *
 *     ((r.payment_id in (select s.rowid …) and r.payment_intent like …) or (r.user_id) in (
 *       select u.user_id from (users) as u where (u.user_id in (select s.rowid …) and u.email like …)))
 *
 * For known matches:
 *
 *     (r.payment_id in (4, 5) or r.user_id in (1, 2, 3))
 */
export function termSearch({ list, term, reach, userInReach, filtered, traits, source }: SearchContext): TermSearch {
  const { records, search } = list
  const { caseSensitive, plainIds, plainRecordIds, searchIndexes } = traits
  const { table, dialect } = source
  const key = idKey(dialect, plainIds)
  const [ofRecords, ofUsers] = searchedColumns(search)
  const recordId = sql.ref(`r.${columnsOf[records][0]}`)
  const contains = (column: string): Condition => {
    const { contains: columnContains } = (caseSensitive.has(column) && dialect.letterCase) || dialect
    return columnContains(sql.ref(column), term)
  }
  const anyOf = (columns: string[]): Condition => sql`(${sql.join(columns.map(contains), sql` or `)})`
  /** SQLite's search index is a part of the statement. On MySQL and MariaDB, the search index has statements of its own. */
  const amongFound = (id: Expression<unknown>, index: SearchIndex | undefined, condition: Condition): Condition => {
    const found = dialect.looksUp && reach === 'all' ? index?.candidates(term) : undefined
    return found ? sql`(${id} in (${found}) and ${condition})` : condition
  }
  const users = sql`${table('users')} as u where ${amongFound(sql.ref('u.user_id'), searchIndexes.users, anyOf(ofUsers))}`
  const { optimizerHints } = dialect
  const select = (
    id: RawBuilder<unknown>,
    from: RawBuilder<unknown>,
    maxRows: number,
    others: readonly RawBuilder<unknown>[] = []
  ) => {
    const cells = [sql`${dialect.text(id)} as ${sql.id(matchedKey)}`, ...others, ...sampleCells(dialect)]
    return sql<Row>`select ${sql.join(cells)} from ${from} limit ${sql.lit(maxRows)}`
  }
  const unknown: Matches = { users: 'many', records: ofRecords.length > 0 ? 'many' : [] }

  return {
    matching(matches = unknown, order) {
      const sides: Condition[] = []
      if (matches.records === 'many') sides.push(amongFound(recordId, searchIndexes.records, anyOf(ofRecords)))
      else if (matches.records[0] !== undefined && optimizerHints) {
        sides.push(optimizerHints.oneOf(recordId, matches.records, plainRecordIds))
      }
      const ofRecord = sql`select 1 from ${users} and ${sameIds(key, 'u.user_id', 'r.user_id')}`
      if (matches.users === 'many' && userInReach) {
        // Without `is true`, PostgreSQL may compare each record with each user.
        sides.push(sql`(r.user_id in (select u.user_id from ${users} and ${userInReach})) is true`)
      } else if (matches.users === 'many' && dialect.looksUp && reach !== 'all') {
        sides.push(sql`exists (${ofRecord})`)
      } else if (matches.users === 'many' && order === 'newest' && plainIds) {
        // MySQL and MariaDB would read all users for `exists` after an `or`. MariaDB caches the subquery by the id's
        // collation, so among text ids `ABC` would get the result of `abc`.
        sides.push(sql`(${ofRecord} limit 1) = 1`)
      } else if (matches.users === 'many') {
        const [id, ...others] = key('r.user_id')
        // Without the hint, MySQL and MariaDB start with the users and sort all of the users' records.
        const userId = order === 'newest' && optimizerHints ? [optimizerHints.opaque(id), ...others] : [id, ...others]
        sides.push(sql`(${sql.join(userId)}) in (select ${sql.join(key('u.user_id'))} from ${users})`)
      } else if (matches.users[0] !== undefined && optimizerHints) {
        sides.push(optimizerHints.oneOf(sql.ref('r.user_id'), matches.users, plainIds))
      }
      return sql`(${sql.join(sides, sql` or `)})`
    },
    idsOf(side, maxRows, among) {
      const amongCandidates = (id: RawBuilder<unknown>, plain: boolean) =>
        among && optimizerHints ? [optimizerHints.oneOf(id, among, plain)] : []
      const and = sql` and `
      if (side === 'users') {
        const userId = sql.ref('u.user_id')
        return select(userId, sql.join([users, ...amongCandidates(userId, plainIds)], and), maxRows)
      }
      // A filter's index can reduce the scan.
      const conditions = [anyOf(ofRecords), ...amongCandidates(recordId, plainRecordIds), ...filtered]
      return select(recordId, sql`${table(records)} as r where ${sql.join(conditions, and)}`, maxRows)
    },
    candidatesOf: (index, maxRows) =>
      select(sql.ref('c.id'), sql`(${index.candidates(term)} limit ${sql.lit(maxRows)}) as c`, maxRows, [
        sql`${dialect.text(sql.ref('c.is_complete'))} as ${sql.id(completeKey)}`
      ])
  }
}
