/** The conditions of the filters (contract 13, 14 and 115, and those of lists of a host). */
import { sql } from 'kysely'
import { changed, type Parameter, parameterOf } from '../database/parameter.js'
import type { Condition } from '../database/sql/compare.js'
import { afterDay } from '../lists/dates-and-numbers.js'
import type { Filter, Kind, ListColumn, Path } from '../lists/list.js'
import type { Fitted } from './fitted.js'
import type { Shape } from './question.js'

/** The filter `in` compares with each value, so the index of the column applies on every database. */
export const filterConditions = ({ filters }: Pick<Shape, 'filters'>, fitted: Fitted): Condition[] =>
  Object.entries(fitted.list.filters).flatMap(([name, filter]) => {
    if (!filters[name]) return []
    const conditions = filters[name].map((value) => conditionOf(filter, value, fitted))
    return conditions.length === 1 ? conditions : [sql<boolean>`(${sql.join(conditions, sql` or `)})`]
  })

function conditionOf({ column, operator }: Filter, value: Parameter, fitted: Fitted): Condition {
  const { list, equals, same, boolean, compareTime, compareNumber } = fitted
  const { kind, whenNull } = list.columns[column] as ListColumn
  const path = `r.${column}` as const
  const compared = fitted.column(path)
  if (operator === 'has') {
    const { none, some } = presenceOf(kind, path, fitted)
    return value.form.isTrue
      ? sql`(${sql.join([sql`${compared} is not null`, ...some], sql` and `)})`
      : sql`(${sql.join([sql`${compared} is null`, ...none], sql` or `)})`
  }
  if (operator === '=' || operator === 'in') {
    if (kind === 'boolean') return sql`${boolean(compared)} = ${value.bind()}`
    // A column of the kind enum has few values, and no other value is in a parameter.
    return kind === 'enum' ? equals(compared, value) : same(compared, value)
  }
  if (kind === 'decimal' || kind === 'integer') return compareNumber(compared, operator, value, kind === 'integer')
  const inRange =
    kind === 'time'
      ? compareTime(compared, operator as '>=' | '<', operator === '<' ? changed(value, afterDay) : value)
      : sql<boolean>`${compared} ${sql.raw(operator)} ${value.bind()}`
  if (whenNull === 'error') return inRange
  return sql`(${sql.join([inRange, ...presenceOf(kind, path, fitted).some], sql` and `)})`
}

/**
 * Besides null, an empty text is no value, and neither is a zero date, such as `0000-00-00` or `2024-00-00` (contract 121 and
 * 122). No UUID is empty, and an empty text that should be a number cannot be read (contract 87).
 */
function presenceOf(
  kind: Kind,
  path: Path,
  { column, same, bytes, isExact }: Fitted
): Record<'none' | 'some', Condition[]> {
  const [compared, cell] = [column(path), bytes(column(path))]
  // In MariaDB's mode EMPTY_STRING_IS_NULL, `''` is null.
  const some = [sql<boolean>`length(${cell}) > 0`]
  if (kind === 'text' || (kind === 'id' && !isExact(path))) return { none: [same(compared, parameterOf(''))], some }
  const none = [sql<boolean>`length(${cell}) = 0`]
  if (kind === 'enum') return { none, some }
  if (kind !== 'date' && kind !== 'time') return { none: [], some: [] }
  const zeros = ['0000%', '____-00%', '_______-00%'].map((zero) => sql<boolean>`${cell} like ${sql.lit(zero)}`)
  return { none: [...none, ...zeros], some: [...some, sql`not (${sql.join(zeros, sql` or `)})`] }
}
