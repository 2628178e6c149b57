/** Builds the SQL of the parameter `search` (contract 71 to 78). */
import { type RawBuilder, sql } from 'kysely'
import { type ClientText, type Condition, idKey, sameIds, sampleCells } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import type { Source } from '../database/source.js'
import { type List, searchedColumns } from '../lists/list.js'
import type { Reach } from '../lists/reach.js'
import type { Traits } from './column-traits.js'
import { matchedKey } from './items.js'
import type { Matches, Order } from './order.js'

export interface TermSearch {
  /** The condition for a record `r`. Known ids are inlined. */
  matching(matches: Matches | undefined, order: Order): Condition
  /** The query for the matching ids, in the cell `matchedKey`. */
  idsOf(side: keyof Matches, maxRows: number): RawBuilder<Row>
}

interface SearchContext {
  list: Pick<List, 'name' | 'id' | 'search'>
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
 * For known matches:
 *
 *     (r.payment_id in (4, 5) or r.user_id in (1, 2, 3))
 */
export function termSearch({ list, term, reach, userInReach, filtered, traits, source }: SearchContext): TermSearch {
  const { name: records, id, search } = list
  const { caseSensitive, plainIds, plainRecordIds } = traits
  const { table, dialect } = source
  const key = idKey(dialect, plainIds)
  const [ofRecords, ofUsers] = searchedColumns(search)
  const recordId = sql.ref(`r.${id}`)
  const contains = (column: string): Condition => {
    const { contains: columnContains } = (caseSensitive.has(column) && dialect.letterCase) || dialect
    return columnContains(sql.ref(column), term)
  }
  const anyOf = (columns: string[]): Condition => sql`(${sql.join(columns.map(contains), sql` or `)})`
  const users = sql`${table('users')} as u where ${anyOf(ofUsers)}`
  const { optimizerHints } = dialect
  const select = (id: RawBuilder<unknown>, from: RawBuilder<unknown>, maxRows: number) => {
    const cells = [sql`${dialect.text(id)} as ${sql.id(matchedKey)}`, ...sampleCells(dialect)]
    return sql<Row>`select ${sql.join(cells)} from ${from} limit ${sql.lit(maxRows)}`
  }
  const unknown: Matches = { users: 'many', records: ofRecords.length > 0 ? 'many' : [] }

  return {
    matching(matches = unknown, order) {
      const sides: Condition[] = []
      if (matches.records === 'many') sides.push(anyOf(ofRecords))
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
    idsOf(side, maxRows) {
      if (side === 'users') return select(sql.ref('u.user_id'), users, maxRows)
      // A filter's index can reduce the scan.
      const conditions = sql.join([anyOf(ofRecords), ...filtered], sql` and `)
      return select(recordId, sql`${table(records)} as r where ${conditions}`, maxRows)
    }
  }
}
