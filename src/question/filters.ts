/** The conditions of the filters (contract 13, 14 and 115, and those of lists of a host). */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Parameter, parameterOf } from '../database/parameter.js'
import type { Condition } from '../database/sql/compare.js'
import type { Filter, ListColumn } from '../lists/list.js'
import type { Fitted } from './fitted.js'
import type { ParameterFor, ReadText, Shape } from './question.js'

/** The filter `in` compares with each value, so the index of the column applies on every database. */
export function filterConditions(
  { filters }: Pick<Shape, 'filters'>,
  fitted: Fitted,
  parameter: ParameterFor
): Condition[] {
  const { list } = fitted
  return Object.entries(list.filters).flatMap(([name, filter]) => {
    const given = filters[name]
    if (given === undefined) return []
    const values = Array.from({ length: given.count }, (_, place) => parameter(valueAt(name, place), given.form))
    const compared = fitted.column(`r.${filter.column}`)
    const conditions = values.map((value) =>
      conditionOf(filter, list.columns[filter.column] as ListColumn, compared, value, fitted)
    )
    return conditions.length === 1 ? conditions : [sql<boolean>`(${sql.join(conditions, sql` or `)})`]
  })
}

const valueAt =
  (name: string, place: number): ReadText =>
  ({ filters }) =>
    String(filters[name]?.[place])

function conditionOf(
  { operator }: Filter,
  { kind, whenNull }: ListColumn,
  compared: Expression<unknown>,
  value: Parameter,
  { equals, same, bytes, boolean, compareTime, compareNumber }: Fitted
): Condition {
  const zeros = kind === 'date' || kind === 'time' ? isZero(bytes(compared)) : []
  if (operator === 'has') {
    // In MariaDB's mode EMPTY_STRING_IS_NULL, `''` is null.
    const [empty, filled] =
      kind === 'text'
        ? [[same(compared, parameterOf(''))], sql`length(${bytes(compared)}) > 0`]
        : [zeros, zeros.length > 0 ? sql`not (${sql.join(zeros, sql` or `)})` : sql`1 = 1`]
    return value.form.isTrue
      ? sql`(${compared} is not null and ${filled})`
      : sql`(${sql.join([sql`${compared} is null`, ...empty], sql` or `)})`
  }
  if (operator === '=' || operator === 'in') {
    if (kind === 'boolean') return sql`${boolean(compared)} = ${value.bind()}`
    // A column of the kind enum has few values, and no other value is in a parameter.
    return kind === 'enum' ? equals(compared, value) : same(compared, value)
  }
  if (kind === 'decimal' || kind === 'integer') return compareNumber(compared, operator, value, kind === 'integer')
  const inRange =
    kind === 'time'
      ? compareTime(compared, operator as '>=' | '<', value)
      : sql<boolean>`${compared} ${sql.raw(operator)} ${value.bind()}`
  return whenNull === 'error' ? inRange : sql`(${inRange} and not (${sql.join(zeros, sql` or `)}))`
}

/** A zero date, such as `0000-00-00` or `2024-00-00`. */
const isZero = (bytes: Expression<unknown>): RawBuilder<unknown>[] =>
  ['0000%', '____-00%', '_______-00%'].map((zero) => sql`${bytes} like ${sql.lit(zero)}`)
