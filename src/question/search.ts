/** Builds the SQL of the parameter `search` (contract 71 to 78). */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Row } from '../database/cells.js'
import type { Condition } from '../database/dialect.js'
import type { Parameter } from '../database/parameter.js'
import type { RequestTables } from '../database/source.js'
import type { Fitted } from './fitted.js'
import { matchedKey } from './items.js'
import type { Plan, Question } from './question.js'

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
 *     (r.payment_intent like … or (r.user_id) in (select u.user_id from users as u where u.email like …))
 *
 * For the reaches `own` and `linked`, on PostgreSQL and SQLite (`Dialect.fewUsers`):
 *
 *     (r.payment_intent like … or exists (select 1 from users as u where (u.email like …) and u.user_id = r.user_id))
 *
 * For the reach `all`, the bytes of the ids are compared only if the ids are no whole numbers and no UUIDs, and always for
 * the other reaches. For known matches:
 *
 *     ((r.payment_id in ('4', '5') and <bytes> in (…)) or (r.user_id in ('1', '2', '3') and <bytes> in (…)))
 *
 * @param userInReach limits the users to those in reach, see `Scope`
 * @param filtered the conditions of the filters
 */
export function termSearch(
  { list, reach }: Pick<Question, 'list' | 'reach'>,
  term: Parameter,
  fitted: Fitted,
  tables: RequestTables,
  userInReach: Condition | undefined,
  filtered: readonly Condition[]
): TermSearch {
  const { column, contains, hints, fewUsers, foreign, text } = fitted
  // The look at the ids can be a minute old. A caller with less than `all` must not find a record by a stranger's email.
  const identity = reach === 'all' ? fitted.identity : fitted.exactIdentity
  const { search } = list
  const recordId = column(`r.${list.id}`)
  const owner = column(`r.${list.owner}`)
  const userId = column('u.user_id')
  const pattern = patternOf(term)
  const anyOf = (paths: readonly string[]): Condition =>
    sql`(${sql.join(
      paths.map((path) => contains(path, pattern)),
      sql` or `
    )})`
  const foundUsers = () => sql`${tables.of('users')} as u where ${anyOf(search.users)}`
  const isOneOf = (key: readonly Expression<unknown>[], users: RawBuilder<unknown>, select = sql`select`): Condition =>
    sql`(${sql.join(key)}) in (${select} ${sql.join(identity(userId))} from ${users})`

  const ofUsers = (users: RawBuilder<unknown>, plan: Plan): Condition => {
    // Without `is true`, PostgreSQL may compare each record with each user.
    if (foreign && userInReach) return sql`(${isOneOf(identity(owner), sql`${users} and ${userInReach}`)}) is true`
    if (fewUsers === 'exists' && reach !== 'all') {
      const ofRecord = identity(owner)
      const same = identity(userId).map((part, place) => sql`${part} = ${ofRecord[place]}`)
      return sql`exists (select 1 from ${users} and ${sql.join(same, sql` and `)})`
    }
    if (plan !== 'newest' || !hints) return isOneOf(identity(owner), users)
    // Without the hints, MySQL and MariaDB start with the users and sort all of the users' records.
    const [first, ...bytes] = identity(owner) as [Expression<unknown>]
    const ofRecord = hints.opaque(first)
    // No index finds a computed id, so a look-up would read all users again for each record.
    if (tables.isComputed('users', 'user_id')) return isOneOf([ofRecord, ...bytes], users)
    // MariaDB reads all users before the first record, unless the subquery names the record.
    const usersOfRecord = sql`${users} and ${userId} = ${ofRecord}`
    return isOneOf([ofRecord, ...bytes], usersOfRecord, sql`select ${hints.perRecord}`)
  }

  return {
    matching({ users: userIds, records: recordIds }, plan) {
      const sides: Condition[] = []
      if (recordIds === undefined && search.records.length > 0) sides.push(anyOf(search.records))
      if (recordIds?.[0] !== undefined && hints) sides.push(hints.oneOf(recordId, recordIds))
      if (userIds?.[0] !== undefined && hints) sides.push(hints.oneOf(owner, userIds))
      if (userIds === undefined && search.users.length > 0) sides.push(ofUsers(foundUsers(), plan))
      return sql`(${sql.join(sides, sql` or `)})`
    },
    idsOf(side, maxRows) {
      // A filter's index can reduce the scan.
      const foundRecords = () =>
        sql`${tables.of(list.name)} as r where ${sql.join([anyOf(search.records), ...filtered], sql` and `)}`
      const [id, from] = side === 'users' ? [userId, foundUsers()] : [recordId, foundRecords()]
      return sql<Row>`select ${text(id)} as ${sql.id(matchedKey)} from ${from} limit ${sql.lit(maxRows)}`
    }
  }
}

/**
 * The pattern of `like` for a literal term: `%50!%%` for `50%` (contract 73). MySQL's sql_mode changes the meaning of a
 * backslash.
 */
const likePattern = (term: string): string => `%${term.replace(/[!%_]/g, '!$&')}%`

/** Outside of the function that builds a statement, because the cache would keep what that function knows. */
const patternOf = ({ form, bind }: Parameter): Parameter => ({
  form,
  bind: (make = String) => bind((term) => make(likePattern(term)))
})
