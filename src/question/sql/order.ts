/** The order of the records, and a page that begins at a place of it: after a key, or where no key reaches. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Condition, RecordKey } from '../../database/dialect.js'
import type { Parameter } from '../../database/parameter.js'
import type { Order } from '../../lists/list.js'
import { keyOf, type Plan, type Shape, sortsTexts } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'

/** `order by r.created_at desc, r.id desc`: by a value, then by the id, then by its bytes where its type equates some. */
export const orderBy = (direction: Order['direction'], cells: readonly Expression<unknown>[]): RawBuilder<unknown> =>
  sql`order by ${sql.join(cells.map((cell) => sql`${cell} ${sql.raw(direction)}`))}`

/** The value and the id of a record, as a page is sorted by them. */
export function sortedCells(
  shape: Pick<Shape, 'list' | 'order'>,
  { planning }: Fitted,
  { sorting, id }: Place,
  plan: Plan | undefined
): Expression<unknown>[] {
  // Without the hint, MySQL and MariaDB may scan the records in this order although few match.
  const opaque = plan === 'sort' && planning ? planning.opaque : undefined
  // An ENUM would be sorted as a text, and not in its own order.
  return sortsTexts(shape) ? [sorting, opaque?.(id) ?? id] : [opaque?.(sorting) ?? sorting, id]
}

interface Place {
  readonly sorting: Expression<unknown>
  readonly id: Expression<unknown>
}

/**
 * `(r.made_at, r.id) < (<key>)`. Where the type of the id equates some, such as `abc` and `ABC`, their bytes decide:
 * `(r.made_at, r.id) <= (<key>) and ((r.made_at, r.id) < (<key>) or <bytes of r.id> < <key>)`.
 *
 * @param from where the page begins, if not where the question says
 * @param isSorted whether the bytes sort the page, too. If not, it begins with all equal ids, so that they are seen
 */
export function placeConditions(
  { order, after: asked, id: only }: Pick<Shape, 'order' | 'after' | 'id'>,
  fitted: Fitted,
  from: RecordKey | 'unreachable' | undefined,
  isSorted: boolean
): Condition[] {
  const { list, column, compareBytes, isExact, bytes, same } = fitted
  const [id, sorting] = [column(`r.${list.id}`), column(`r.${order.column}`)]
  if (only) return [fitted.isId(`r.${list.id}`, only)]
  if (from === 'unreachable') return [fitted.unreachable(sorting, id)]
  const key = from ? keyOf(from) : asked
  if (!key) return []
  const isFrom = (isWhole: boolean) => fromPlace({ sorting, id }, order, key, fitted, isWhole)
  if (isExact(`r.${list.id}`)) return [isFrom(true)]
  const isLater = sql<boolean>`(${isFrom(true)} or ${compareBytes(bytes(id), afterOf(order), key.id)})`
  return [isFrom(false), isSorted ? isLater : sql<boolean>`not ${same(id, key.id)}`]
}

const afterOf = ({ direction }: Order) => (direction === 'desc' ? '<' : '>')

/** @param isAfter whether to leave out the ids that the type of the column equates with the key's */
export function fromPlace(
  { sorting, id }: Place,
  order: Order,
  key: RecordKey<Parameter, Parameter>,
  fitted: Fitted,
  isAfter: boolean
): Condition {
  const { list, hasNoType } = fitted
  const isUntyped = { value: hasNoType(`r.${order.column}`), id: hasNoType(`r.${list.id}`) }
  const isNumber = list.columns[order.column]?.rules.stored.isNumber ?? false
  const after = afterOf(order)
  return fitted.fromKey(sorting, id, isAfter ? after : `${after}=`, key, isNumber, isUntyped)
}
