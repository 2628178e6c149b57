/** Builds the SQL of the counts beside a filter. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Row } from '../../database/cells.js'
import { parameterOf } from '../../database/parameter.js'
import type { Filter } from '../../lists/list.js'
import type { CountedFilter } from '../../visibility/standing.js'
import type { Shape } from '../asked/question.js'
import type { Fitted } from '../known/fitted-sql.js'
import { conditionOf } from './filters.js'
import { countName } from './items.js'

/** The records of a shape, and the column of its order. */
type Finding = (asked: Shape, isCopied: boolean) => { records: RawBuilder<unknown>; sorting: Expression<unknown> }

/** `select count(case when <this value> then 1 end), … where <all but its own condition>`, so each count is a total. */
export function countsOf(
  { filter: name, reach, limited = {} }: CountedFilter,
  shape: Shape,
  fitted: Fitted,
  finding: Finding
): RawBuilder<Row> {
  const { [name]: _own, ...filters } = shape.filters
  const filter = fitted.list.filters[name] as Required<Filter>
  // A union has only the id and the column of the order, so the filter's column takes the order's place.
  const order = { column: filter.column, direction: 'asc' } as const
  const { records, sorting } = finding({ ...shape, reach, limited, order, filters }, filter.operator !== 'has')
  const counts = filter.counted.map((value, place) => {
    const has = conditionOf(filter, parameterOf(value), fitted, sorting)
    return sql`${fitted.text(sql`count(case when ${has} then 1 end)`)} as ${sql.id(countName(place))}`
  })
  return sql<Row>`select ${sql.join(counts)} ${records}`
}
