/** The SQL of the rights of a record: a column that only some grants show stands in the records that they reach. */
import { sql } from 'kysely'
import type { Condition } from '../../database/dialect.js'
import { parameterOf } from '../../database/parameter.js'
import type { ListColumn, Path } from '../../lists/list.js'
import type { Grants } from '../../visibility/grants.js'
import type { Part } from '../../visibility/standing.js'
import type { Shape } from '../asked/question.js'
import type { Fitted } from '../known/fitted-sql.js'
import { anyOf } from './conditions.js'
import { conditionOf } from './filters.js'
import { reaching } from './scope.js'

/** Columns that stand in the same records, and the condition for these records. None for every record of the reach. */
interface Standing {
  readonly paths: readonly Path[]
  readonly conditions: readonly Condition[]
}

type Asked = Pick<Shape, 'callerId' | 'ids' | 'id' | 'limited'>

export function standingOf({ limited, ...asked }: Asked, fitted: Fitted, paths: readonly Path[]): Standing[] {
  const { isReached } = reaching(asked, fitted)
  const groups = new Map<string, { by: Grants | undefined; paths: Path[] }>()
  for (const path of paths) {
    const { [path]: by } = limited
    const key = by ? JSON.stringify(by) : ''
    groups.set(key, { by, paths: [...(groups.get(key)?.paths ?? []), path] })
  }
  return Array.from(groups.values(), ({ by, paths }) => ({ paths, conditions: by ? [isReached(by)] : [] }))
}

/**
 * `(r.price is not null and <the price stands>)`, or for the rest
 * `(r.price is null or case when <the price stands> then 0 else 1 end = 1)`: `not` would lose the records for which the
 * condition is null.
 */
export function partConditions(asked: Asked, { column, isRest }: Part, fitted: Fitted): Condition[] {
  const stands = standingOf(asked, fitted, [`r.${column}`]).flatMap(({ conditions }) => conditions)
  const isNeverNull = (fitted.list.columns[column] as ListColumn).whenNull === 'error'
  const presence = (value: string) =>
    isNeverNull ? [] : [conditionOf({ column, operator: 'has' }, parameterOf(value), fitted)]
  if (!isRest) return [...presence('true'), ...stands]
  return [anyOf([...presence('false'), ...stands.map((is) => sql<boolean>`case when ${is} then 0 else 1 end = 1`)])]
}
