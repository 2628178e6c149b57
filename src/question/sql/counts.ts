/** The statement of the counts beside a filter: how many records have each of its values. */
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../database/cells.js'
import { parameterOf } from '../../database/parameter.js'
import type { Filter } from '../../lists/list.js'
import type { CountedFilter } from '../../visibility/partial-columns.js'
import type { Matches, Shape } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'
import { conditionOf } from './conditions.js'
import { type Counts, countName, toCounts } from './items.js'
import { recordsOf } from './records.js'
import type { Statement } from './statement.js'
import { keyWith } from './statement-cache.js'

/** The numbers do not depend on what the filter itself asks. */
export const countsOf = (counted: CountedFilter, matches?: Matches): Statement<Counts> => ({
  step: 'counts',
  key: keyWith(matches, 'counts', JSON.stringify(counted)),
  sql: (shape, fitted) => countsSql(counted, shape, fitted, matches),
  read: ([row], readCell, { list }) => toCounts(list.filters[counted.filter], row, readCell)
})

/** `select count(case when <this value> then 1 end), … where <all but its own condition>`, so each count is a total. */
export function countsSql(
  { filter: name, reach, limited = {} }: CountedFilter,
  shape: Shape,
  fitted: Fitted,
  matches?: Matches
): RawBuilder<Row> {
  const { [name]: _own, ...filters } = shape.filters
  const filter = fitted.list.filters[name] as Required<Filter>
  // A union has only the id and the column of the order, so the filter's column takes the order's place.
  const order = { column: filter.column, direction: 'asc' } as const
  const use = filter.operator === 'has' ? 'total' : 'cells'
  const records = recordsOf({ ...shape, reach, limited, order, filters }, fitted, use)
  const counts = filter.counted.map((value, place) => {
    const has = conditionOf(filter, parameterOf(value), fitted, records.sorting)
    return sql`${fitted.text(sql`count(case when ${has} then 1 end)`)} as ${sql.id(countName(place))}`
  })
  return sql<Row>`select ${sql.join(counts)} ${records.from(matches)}`
}
