/** Builds the SQL of the parameter `search` (contract 71 to 78). */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../database/cells.js'
import type { Condition } from '../../database/dialect.js'
import { changed, parameterOf } from '../../database/parameter.js'
import type { Thresholds } from '../../limits.js'
import type { List, Path } from '../../lists/list.js'
import { isOwn, nameOf } from '../../visibility/grant.js'
import type { Matches, Plan, Shape } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'
import { allOf } from './conditions.js'
import { matchedKey } from './items.js'
import type { Statement } from './statement.js'
import { comparedConditions, standingOf } from './visibility.js'

/** The pattern of `like`: `%50!%%` for `50%` (contract 73). MySQL's sql_mode changes the meaning of a backslash. */
const likePattern = (term: string): string => `%${term.replace(/[!%_]/g, '!$&')}%`

const idsOf = ({ id }: Pick<List, 'id'>) => ({ users: 'u.user_id', records: `r.${id}` }) as const

/** `(u.email like … or u.first_name like …)` */
function hasTerm(
  { term = parameterOf('') }: Pick<Shape, 'term'>,
  { isLike }: Fitted,
  paths: readonly Path[]
): Condition {
  const pattern = changed(term, likePattern)
  return sql`(${sql.join(
    paths.map((path) => isLike(path, pattern)),
    sql` or `
  )})`
}

const usersWith = (asked: Pick<Shape, 'term'>, fitted: Fitted, paths = fitted.list.search.users) =>
  sql`${fitted.tables.of('users').table} as u where ${hasTerm(asked, fitted, paths)}`

/**
 * The condition for a record `r`. A subquery finds the users, because a join would lose records without a user, and could
 * repeat others. On MySQL:
 *
 *     (r.payment_intent like … or (r.user_id) in (select u.user_id from users as u where (u.email like …)))
 *
 * For known matches of ids that are whole numbers:
 *
 *     (r.payment_id in (4,5) or r.user_id in (1,2,3))
 *
 * A column is read only where it stands.
 */
export function searchCondition(
  asked: Pick<Shape, 'reach' | 'term' | 'callerId' | 'ids' | 'id' | 'limited'>,
  fitted: Fitted,
  { users, records }: Matches,
  plan?: Plan
): Condition {
  const { list, tables, column, identity, isExact, planning, fence } = fitted
  const { search } = list
  const ids = idsOf(list)
  const userOfRecord = `r.${list.owner}` as const
  const inlined = (path: Path, known: readonly string[] = [], knownAs = path): Condition[] =>
    known.length > 0 && planning ? [planning.oneOf(column(path), known, isExact(path, knownAs))] : []
  const ofUsers = (paths: readonly Path[]) =>
    fitted.ofUsers({
      ofRecord: identity(userOfRecord, ids.users),
      ofUser: identity(ids.users, userOfRecord),
      found: usersWith(asked, fitted, paths),
      areFew: nameOf(asked.reach) !== 'all',
      // PostgreSQL would look for all users that match, if other records match by their own columns.
      fence: isOwn(asked.reach) && search.records.length > 0 ? fence : undefined,
      isScan: plan === 'scan',
      // No index finds a computed id.
      hasIndex: !tables.of('users').isComputed('user_id')
    })
  const whereStanding = (paths: readonly Path[], matches: (paths: readonly Path[]) => Condition) =>
    standingOf(asked, fitted, paths).map(({ paths, conditions }) => allOf([matches(paths), ...conditions]))
  const sides = [
    ...(records === undefined ? whereStanding(search.records, (paths) => hasTerm(asked, fitted, paths)) : []),
    ...inlined(ids.records, records),
    ...inlined(userOfRecord, users, ids.users),
    ...(users === undefined ? whereStanding(search.users, ofUsers) : [])
  ]
  return sides.length > 0 ? sql`(${sql.join(sides, sql` or `)})` : sql`1 = 0`
}

/**
 * The ids that match on one side, for MySQL and MariaDB. Reads undefined for too many. A filter's index can reduce the
 * scan.
 */
export function matchesOf(
  side: keyof Matches,
  { maxInlinedIds, maxInlinedLength }: Pick<Thresholds, 'maxInlinedIds' | 'maxInlinedLength'>
): Statement<readonly string[] | undefined> {
  const most = maxInlinedIds + 1
  return {
    step: 'matches',
    key: ['ids', side, most],
    sql: (shape, fitted) => matchesSql(shape, fitted, side, most),
    read(rows, readCell) {
      const ids = rows.map((row) => readCell(row[matchedKey])).filter((id) => id !== null)
      const isMany = rows.length > maxInlinedIds || Buffer.byteLength(ids.join('')) > maxInlinedLength
      return isMany ? undefined : ids
    }
  }
}

function matchesSql(shape: Shape, fitted: Fitted, side: keyof Matches, most: number): RawBuilder<Row> {
  const { list, tables, column, text, limit } = fitted
  const records = () =>
    sql`${tables.of(list.name).table} as r where ${sql.join([hasTerm(shape, fitted, list.search.records), ...comparedConditions(shape, fitted)], sql` and `)}`
  const from = side === 'users' ? usersWith(shape, fitted) : records()
  return sql<Row>`select ${text(column(idsOf(list)[side]))} as ${sql.id(matchedKey)} from ${from} ${limit(sql.lit(most))}`
}
