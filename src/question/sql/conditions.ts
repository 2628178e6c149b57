/** Joins conditions. */
import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../database/dialect.js'

export const allOf = (conditions: readonly Condition[]): Condition => joined(conditions, sql` and `, sql`1 = 1`)

export const anyOf = (conditions: readonly Condition[]): Condition => joined(conditions, sql` or `, sql`1 = 0`)

const joined = ([first, ...others]: readonly Condition[], word: RawBuilder<unknown>, none: Condition): Condition => {
  if (!first) return none
  return others.length === 0 ? first : sql`(${sql.join([first, ...others], word)})`
}
