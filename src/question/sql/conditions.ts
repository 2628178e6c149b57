/** The conditions of the filters (contract 13, 14 and 115, and those of lists of a host), and how conditions are joined. */
import { type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../database/dialect.js'
import type { Parameter } from '../../database/parameter.js'
import { alwaysPresent, type KindRules } from '../../kinds/kind.js'
import type { Filter, ListColumn } from '../../lists/list.js'
import type { Shape } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'

/** The filter `in` compares with each value, so the index of the column applies on every database. */
export const filterConditions = ({ filters }: Pick<Shape, 'filters'>, fitted: Fitted): Condition[] =>
  Object.entries(fitted.list.filters).flatMap(([name, filter]) => {
    if (!filters[name]) return []
    return [anyOf(filters[name].map((value) => conditionOf(filter, value, fitted)))]
  })

export function conditionOf(
  { column: name, operator }: Filter,
  value: Parameter,
  fitted: Fitted,
  column = fitted.column(`r.${name}`)
): Condition {
  const { rules, whenNull } = fitted.list.columns[name] as ListColumn
  const path = `r.${name}` as const
  const presence = () => rules.presence(column, fitted, fitted.isNeverEmpty(path))
  if (operator === 'has') {
    const { none, some } = presence()
    return value.form.isTrue
      ? sql`(${sql.join([sql`${column} is not null`, ...some], sql` and `)})`
      : sql`(${sql.join([sql`${column} is null`, ...none], sql` or `)})`
  }
  if (operator === '=' || operator === 'in')
    return (rules.equals as Equals)(column, value, fitted, fitted.isExact(path))
  const inRange = (rules.range as RangeOfKind).compare(column, operator, value, fitted)
  const { some } = whenNull === 'error' ? alwaysPresent() : presence()
  return some.length === 0 ? inRange : sql`(${sql.join([inRange, ...some], sql` and `)})`
}

// A definition names no column whose kind lacks them.
type Equals = NonNullable<KindRules['equals']>
type RangeOfKind = NonNullable<KindRules['range']>

export const allOf = (conditions: readonly Condition[]): Condition => joined(conditions, sql` and `, sql`1 = 1`)

export const anyOf = (conditions: readonly Condition[]): Condition => joined(conditions, sql` or `, sql`1 = 0`)

const joined = ([first, ...others]: readonly Condition[], word: RawBuilder<unknown>, none: Condition): Condition => {
  if (!first) return none
  return others.length === 0 ? first : sql`(${sql.join([first, ...others], word)})`
}
