/** Builds the SQL of the parameter `search` (contract 71 to 78). */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../database/cells.js'
import type { Condition } from '../../database/dialect.js'
import { changed, parameterOf } from '../../database/parameter.js'
import type { Path } from '../../lists/list.js'
import { isOwn, nameOf } from '../../visibility/grants.js'
import type { Plan, Shape } from '../asked/question.js'
import type { Fitted } from '../known/fitted-sql.js'
import { allOf } from './conditions.js'
import { matchedKey } from './items.js'
import { standingOf } from './visibility.js'

/** The ids of the users and of the records whose own columns match the search. A side without ids is unknown. */
export interface Matches {
  readonly users?: readonly string[] | undefined
  readonly records?: readonly string[] | undefined
}

export interface TermSearch {
  /** The condition for a record `r`. Known ids are inlined. */
  matching(matches: Matches, plan?: Plan): Condition
  /** The query for the matching ids, in the cell `matchedKey`. */
  idsOf(side: keyof Matches, maxRows: number): RawBuilder<Row>
}

/** The pattern of `like`: `%50!%%` for `50%` (contract 73). MySQL's sql_mode changes the meaning of a backslash. */
const likePattern = (term: string): string => `%${term.replace(/[!%_]/g, '!$&')}%`

/**
 * A subquery finds the users, because a join would lose records without a user, and could repeat others. On MySQL:
 *
 *     (r.payment_intent like … or (r.user_id) in (select u.user_id from users as u where (u.email like …)))
 *
 * For known matches of ids that are whole numbers:
 *
 *     (r.payment_id in (4,5) or r.user_id in (1,2,3))
 *
 * A column is read only where it stands.
 */
export function termSearch(
  { term = parameterOf(''), ...asked }: Pick<Shape, 'reach' | 'term' | 'callerId' | 'ids' | 'id' | 'limited'>,
  fitted: Fitted,
  filtered: readonly Condition[]
): TermSearch {
  const { list, tables, column, identity, isExact, isLike, planning, text, limit, fence } = fitted
  const { search } = list
  const ids = { users: 'u.user_id', records: `r.${list.id}` } as const
  const userOfRecord = `r.${list.owner}` as const
  const pattern = changed(term, likePattern)
  const hasTerm = (paths: readonly Path[]): Condition =>
    sql`(${sql.join(
      paths.map((path) => isLike(path, pattern)),
      sql` or `
    )})`
  const found = (paths = search.users) => sql`${tables.of('users').table} as u where ${hasTerm(paths)}`
  const inlined = (path: Path, known: readonly string[] = [], knownAs = path): Condition[] =>
    known.length > 0 && planning ? [planning.oneOf(column(path), known, isExact(path, knownAs))] : []

  return {
    matching({ users, records }, plan) {
      const ofUsers = (paths: readonly Path[]) =>
        fitted.ofUsers({
          ofRecord: identity(userOfRecord, ids.users),
          ofUser: identity(ids.users, userOfRecord),
          found: found(paths),
          areFew: nameOf(asked.reach) !== 'all',
          // PostgreSQL would look for all users that match, if other records match by their own columns.
          fence: isOwn(asked.reach) && search.records.length > 0 ? fence : undefined,
          isScan: plan === 'newest',
          // No index finds a computed id.
          hasIndex: !tables.of('users').isComputed('user_id')
        })
      const whereStanding = (paths: readonly Path[], matches: (paths: readonly Path[]) => Condition) =>
        standingOf(asked, fitted, paths).map(({ paths, conditions }) => allOf([matches(paths), ...conditions]))
      const sides = [
        ...(records === undefined ? whereStanding(search.records, hasTerm) : []),
        ...inlined(ids.records, records),
        ...inlined(userOfRecord, users, ids.users),
        ...(users === undefined ? whereStanding(search.users, ofUsers) : [])
      ]
      return sides.length > 0 ? sql`(${sql.join(sides, sql` or `)})` : sql`1 = 0`
    },
    idsOf(side, maxRows) {
      // A filter's index can reduce the scan.
      const records = () =>
        sql`${tables.of(list.name).table} as r where ${sql.join([hasTerm(search.records), ...filtered], sql` and `)}`
      const id = text(column(ids[side]))
      const from = side === 'users' ? found() : records()
      return sql<Row>`select ${id} as ${sql.id(matchedKey)} from ${from} ${limit(sql.lit(maxRows))}`
    }
  }
}
