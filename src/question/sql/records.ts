/** The records that a question finds, and their total. Every statement shares this `from … where …` (contract 70). */
import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../database/dialect.js'
import type { Matches, Plan, Shape } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'
import { recordTotal } from './items.js'
import { searchCondition } from './search.js'
import type { Statement } from './statement.js'
import { keyWith } from './statement-cache.js'
import { type Scope, scopeOf, type Top } from './united-grants.js'
import { comparedConditions } from './visibility.js'

export interface Records extends Pick<Scope, 'id' | 'sorting'> {
  /** @param place the conditions of a place in the order, where a page begins */
  from(matches?: Matches, plan?: Plan, place?: readonly Condition[], top?: Top): RawBuilder<unknown>
}

/** The records of a reach, the search and the filters, as `r`. */
export function recordsOf(shape: Shape, fitted: Fitted, use: 'page' | 'total' | 'cells'): Records {
  const { from, id, sorting } = scopeOf(shape, fitted, use)
  return {
    id,
    sorting,
    from(matches = {}, plan, place = [], top) {
      const found = shape.term ? [searchCondition(shape, fitted, matches, plan)] : []
      return from([...found, ...comparedConditions(shape, fitted), ...place], top)
    }
  }
}

/** `select count(*) as "record total" from (assessments) as r [join …] [where …]` */
export const totalOf = (matches?: Matches): Statement<number> => ({
  step: 'total',
  key: keyWith(matches, 'total'),
  sql: (shape, fitted) =>
    sql`select ${count(fitted)} as ${sql.id(recordTotal)} ${recordsOf(shape, fitted, 'total').from(matches)}`,
  read: ([row], readCell) => Number(readCell(row?.[recordTotal]))
})

/** The total as a cell of another statement. */
export const totalCell = (shape: Shape, fitted: Fitted, matches?: Matches): RawBuilder<unknown> =>
  sql`(select ${count(fitted)} ${recordsOf(shape, fitted, 'total').from(matches)})`

/** A text, because a driver may convert numbers. */
const count = ({ text }: Fitted) => text(sql`count(*)`)
