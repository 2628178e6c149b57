/** Where a page begins that has no number: after a key, at the one record that is asked for, or where no key reaches. */
import { sql } from 'kysely'
import type { Condition, Key } from '../../database/dialect.js'
import { keyOf, type Shape } from '../asked/question.js'
import type { Fitted } from '../known/fitted-sql.js'

/** @param from where the page begins, if not where the question says */
export function placeConditions(
  { order, from: asked, id: only }: Pick<Shape, 'order' | 'from' | 'id'>,
  fitted: Fitted,
  from?: Key | 'unreachable'
): Condition[] {
  const { list, column } = fitted
  const [id, sorting] = [column(`r.${list.id}`), column(`r.${order.column}`)]
  if (only) return [fitted.isId(`r.${list.id}`, only)]
  if (from === 'unreachable') return [fitted.unreachable(sorting, id)]
  const key = from ? keyOf(from) : asked
  if (!key) return []
  const { time, id: ofKey, shown = [] } = key
  const isNew = shown.map((each) => sql<boolean>`not ${fitted.same(id, each)}`)
  const after = order.direction === 'desc' ? '<' : '>'
  if (!ofKey) return [sql`${sorting} ${sql.raw(after.replace('>', '>='))} ${time.bind()}`, ...isNew]
  const isNumber = list.columns[order.column]?.rules.stored.isNumber ?? false
  const isUntyped = { time: fitted.hasNoType(`r.${order.column}`), id: fitted.hasNoType(`r.${list.id}`) }
  const operator = isNew.length > 0 ? (`${after}=` as const) : after
  return [fitted.fromKey(sorting, id, operator, { time, id: ofKey }, isNumber, isUntyped), ...isNew]
}
