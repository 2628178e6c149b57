/** Ids that the database equates, such as `abc` and `ABC`: their bytes decide which of them comes first. */
import { type RawBuilder, sql } from 'kysely'
import type { RecordKey } from '../../database/dialect.js'
import { keyOf, type Shape } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'
import { recordTied } from './items.js'
import { fromPlace, orderBy } from './order.js'

export interface Ending {
  /** Where the page begins, if not where the question says. `unreachable`: the records that no key reaches. */
  readonly after?: RecordKey | 'unreachable' | undefined
  /** Leaves out the records after so many, which tell only that there are more. For a page whose end is a place. */
  readonly most?: number | undefined
  /** Whether ids that the database equates are sorted by their bytes, although this sorts every record. */
  readonly isTied?: boolean
}

const isAlike = ({ list, isExact }: Fitted) => !isExact(`r.${list.id}`)

/** Whether a page is sorted by the bytes. On MySQL and MariaDB, only one that has found such ids. */
export const sortsBytes = (fitted: Fitted, { most, isTied }: Ending): boolean =>
  most !== undefined && (isTied || !fitted.sortsWhole) && isAlike(fitted)

/** Whether the database equates the id with the one before, or with the one of the place where the page begins. */
export function tiedCells(
  { order, after: asked }: Shape,
  fitted: Fitted,
  { most, isTied, after }: Ending
): RawBuilder<unknown>[] {
  if (!fitted.sortsWhole || most === undefined || isTied || !isAlike(fitted)) return []
  const key = typeof after === 'object' ? keyOf(after) : asked
  const [id, sorting] = [sql.ref('k.id'), sql.ref('k.sort_key')]
  const place = key ? sql` or not ${fromPlace({ sorting, id }, order, key, fitted, true)}` : sql``
  const is = sql`(${sorting} = k.sort_before and ${id} = k.id_before)${place}`
  return [sql`${fitted.text(sql`case when ${is} then 1 end`)} as ${sql.id(recordTied)}`]
}

/** The ids of a page, each with the one before. MariaDB computes no condition right that has a window. */
export function idsInPairs({ order }: Shape, page: RawBuilder<unknown>): RawBuilder<unknown> {
  const sorted = orderBy(order.direction, [sql`k.sort_key`, sql`k.id`])
  const before = (name: string) => sql`lag(${sql.ref(`k.${name}`)}) over (${sorted})`
  return sql`select k.id, k.sort_key, ${before('id')} as id_before, ${before('sort_key')} as sort_before
    from (${page}) as k`
}
