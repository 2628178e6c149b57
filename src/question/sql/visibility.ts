/** The SQL of `src/visibility`: what a grant reaches, what is within the tenant, and where a column stands. */
import { sql } from 'kysely'
import type { Condition } from '../../database/dialect.js'
import { type Parameter, parameterOf } from '../../database/parameter.js'
import { linkAlias, linkedId } from '../../lists/aliases.js'
import type { ListColumn, Path } from '../../lists/list.js'
import type { Grant, Grants } from '../../visibility/grant.js'
import type { Part } from '../../visibility/partial-columns.js'
import type { Shape } from '../asked/question.js'
import type { Fitted } from '../fitted/fitted-sql.js'
import { allOf, anyOf, conditionOf, filterConditions } from './conditions.js'

/** The conditions under which grants reach a record `r`. */
export function reaching({ callerId, ids, id: isOne }: Pick<Shape, 'callerId' | 'ids' | 'id'>, fitted: Fitted) {
  const { tables, isCaller, identity, isAmongLinked, ofUsers } = fitted
  const idOf = (name?: string) => (name === undefined ? callerId : (ids[name] as Parameter))
  /** `clinic_staff as l_clinic_staff where l_clinic_staff.owner_id = <caller>` */
  const links = (by: string, name?: string) => {
    const alias = by === 'links' ? sql`l` : sql.id(linkAlias(by))
    return sql`${tables.of(by).table} as ${alias} where ${isCaller(`${linkAlias(by)}.owner_id`, idOf(name))}`
  }
  const byId = ({ column: name, by, callerId }: Grant): Condition[] => {
    if (name === undefined) return []
    if (by === undefined) return [isCaller(`r.${name}`, idOf(callerId))]
    const [ofRecord, ofUser] = [identity(`r.${name}`, linkedId(by)), identity(linkedId(by), `r.${name}`)]
    const search = { ofRecord, ofUser, found: links(by, callerId) }
    // For one record, the database need not read every link.
    return [isOne ? ofUsers({ ...search, areFew: true, isScan: false, hasIndex: true }) : isAmongLinked(search)]
  }
  const conditionsOf = (grant: Grant) => [...byId(grant), ...whereConditions(grant, fitted)]
  const isReached = (grants: Grants) => anyOf(grants.map((grant) => allOf(conditionsOf(grant))))
  return { links, conditionsOf, isReached }
}

/** The `where` of a grant. */
export const whereConditions = ({ where = [] }: Grant, fitted: Fitted): Condition[] =>
  where.map(([column, values]) =>
    anyOf(
      values.map((value) =>
        value === null
          ? conditionOf({ column, operator: 'has' }, parameterOf('false'), fitted)
          : conditionOf({ column, operator: '=' }, parameterOf(value), fitted)
      )
    )
  )

/** The columns of `within` have their ids of the caller. */
export const withinConditions = ({ ids }: Pick<Shape, 'ids'>, { list, isCaller }: Fitted): Condition[] =>
  Object.entries(list.within).map(([column, name]) => isCaller(`r.${column}`, ids[name] as Parameter))

/** Columns that stand in the same records, and the condition for these records. None for every record of the reach. */
interface Standing {
  readonly paths: readonly Path[]
  readonly conditions: readonly Condition[]
}

type OfCaller = Pick<Shape, 'callerId' | 'ids' | 'id' | 'limited'>

export function standingOf({ limited, ...asked }: OfCaller, fitted: Fitted, paths: readonly Path[]): Standing[] {
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
 * `(r.price is not null and <it stands>)`, or for the rest
 * `(r.price is null or case when <it stands> then 0 else 1 end = 1)`, because `not` would lose the records for which
 * the condition is null.
 */
function partConditions(asked: OfCaller, { column, isRest }: Part, fitted: Fitted): Condition[] {
  const stands = standingOf(asked, fitted, [`r.${column}`]).flatMap(({ conditions }) => conditions)
  const isNeverNull = (fitted.list.columns[column] as ListColumn).whenNull === 'error'
  const presence = (value: string) =>
    isNeverNull ? [] : [conditionOf({ column, operator: 'has' }, parameterOf(value), fitted)]
  if (!isRest) return [...presence('true'), ...stands]
  return [anyOf([...presence('false'), ...stands.map((is) => sql<boolean>`case when ${is} then 0 else 1 end = 1`)])]
}

/** The tenant, and the filters, each where its column stands. */
export function comparedConditions(shape: Shape, fitted: Fitted): Condition[] {
  const { filters, part } = shape
  const compared = Object.keys(filters).map((name): Path => `r.${fitted.list.filters[name]?.column}`)
  return [
    ...withinConditions(shape, fitted),
    ...filterConditions(shape, fitted),
    ...standingOf(shape, fitted, compared).flatMap(({ conditions }) => conditions),
    ...(part ? partConditions(shape, part, fitted) : [])
  ]
}
