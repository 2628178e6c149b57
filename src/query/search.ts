/** Builds the SQL of the parameter `search` (contract 71 to 78). */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Condition } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import type { Parameter } from '../database/parameter.js'
import { matchedKey } from './items.js'
import type { Plan } from './plan.js'
import type { SqlContext } from './scope.js'

/** The ids of the users and of the records whose own columns match the search. A side without ids is unknown. */
export interface Matches {
  readonly users?: readonly string[] | undefined
  readonly records?: readonly string[] | undefined
}

export interface TermSearch {
  /** The condition for a record `r`. Known ids are inlined. */
  matching(matches: Matches, plan: Plan): Condition
  /** The query for the matching ids, in the cell `matchedKey`. */
  idsOf(side: keyof Matches, maxRows: number): RawBuilder<Row>
}

/**
 * A subquery finds the users, because a join would lose records without a user and could repeat records. On MySQL and
 * MariaDB, and elsewhere for the reach `all`:
 *
 *     (r.payment_intent like … or (r.user_id) in (select u.user_id from (users) as u where u.email like …))
 *
 * For the reaches `own` and `linked`, on PostgreSQL and SQLite (`Dialect.fewUsers`):
 *
 *     (r.payment_intent like … or exists (select 1 from (users) as u where (u.email like …) and u.user_id = r.user_id))
 *
 * For ids that are no whole numbers and no UUIDs, both also compare the bytes of the ids. For known matches:
 *
 *     ((r.payment_id in ('4', '5') and <bytes> in (…)) or (r.user_id in ('1', '2', '3') and <bytes> in (…)))
 *
 * @param userInReach limits the users to those in reach, see `Scope`
 * @param filtered the conditions of the filters
 */
export function termSearch(
  { list: { name: records, id, owner: ownerColumn, search }, reach, fitted, session: { tables } }: SqlContext,
  term: Parameter,
  userInReach: Condition | undefined,
  filtered: readonly Condition[]
): TermSearch {
  const { dialect, contains, foreign, plainIds } = fitted
  const recordId = sql.ref(`r.${id}`)
  const owner = sql.ref(`r.${ownerColumn}`)
  const userId = sql.ref('u.user_id')
  const anyOf = (columns: readonly string[]): Condition =>
    sql`(${sql.join(
      columns.map((column) => contains(column, term)),
      sql` or `
    )})`
  const users = search.users.length > 0 && sql`${tables.of('users')} as u where ${anyOf(search.users)}`
  /** What identifies a user. */
  const keyOf = (column: Expression<unknown>) => (plainIds ? [column] : [column, dialect.bytes(column)])
  const isOneOf = (key: readonly Expression<unknown>[], users: RawBuilder<unknown>, select = sql`select`): Condition =>
    sql`(${sql.join(key)}) in (${select} ${sql.join(keyOf(userId))} from ${users})`

  const ofUsers = (users: RawBuilder<unknown>, plan: Plan): Condition => {
    // Without `is true`, PostgreSQL may compare each record with each user.
    if (foreign && userInReach) return sql`(${isOneOf(keyOf(owner), sql`${users} and ${userInReach}`)}) is true`
    if (dialect.fewUsers === 'exists' && reach !== 'all') {
      const ofRecord = keyOf(owner)
      const same = keyOf(userId).map((part, place) => sql`${part} = ${ofRecord[place]}`)
      return sql`exists (select 1 from ${users} and ${sql.join(same, sql` and `)})`
    }
    if (plan !== 'newest' || !dialect.plan) return isOneOf(keyOf(owner), users)
    // Without the hints, MySQL and MariaDB start with the users and sort all of the users' records.
    const [first, ...bytes] = keyOf(owner) as [Expression<unknown>]
    return isOneOf([dialect.plan.opaque(first), ...bytes], users, sql`select ${dialect.plan.perRecord}`)
  }

  return {
    matching({ users: userIds, records: recordIds }, plan) {
      const sides: Condition[] = []
      if (recordIds === undefined && search.records.length > 0) sides.push(anyOf(search.records))
      if (recordIds?.[0] !== undefined && dialect.plan) {
        sides.push(dialect.plan.oneOf(recordId, recordIds))
      }
      if (userIds?.[0] !== undefined && dialect.plan) {
        sides.push(dialect.plan.oneOf(owner, userIds))
      }
      if (users && !userIds) sides.push(ofUsers(users, plan))
      // The records that a scan found can be gone when their ids are read.
      if (sides.length === 0) return sql`1 = 0`
      return sql`(${sql.join(sides, sql` or `)})`
    },
    idsOf(side, maxRows) {
      // A filter's index can reduce the scan.
      const conditions = sql.join([anyOf(search.records), ...filtered], sql` and `)
      const [id, from] =
        side === 'users' && users ? [userId, users] : [recordId, sql`${tables.of(records)} as r where ${conditions}`]
      return sql<Row>`select ${dialect.text(id)} as ${sql.id(matchedKey)} from ${from} limit ${sql.lit(maxRows)}`
    }
  }
}
