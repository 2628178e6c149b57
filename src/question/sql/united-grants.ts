/** The SQL of a reach, for every page and every total (contract 66, 67 and 69). */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../database/dialect.js'
import type { Order, Path } from '../../lists/list.js'
import { isLinked } from '../../visibility/grant.js'
import { type Shape, sortsTexts } from '../asked/question.js'
import type { Fitted, Identity } from '../fitted/fitted-sql.js'
import { orderBy } from './order.js'
import { reaching, withinConditions } from './visibility.js'

/** The records in reach, as `r`. */
export interface Scope {
  /** `from … where …`, with the conditions of the question. A union reads no more records of a grant than `top`. */
  from(conditions: readonly Condition[], top?: Top): RawBuilder<unknown>
  readonly id: Expression<unknown>
  /** The column of the order. */
  readonly sorting: Expression<unknown>
}

/** The first records of an order. */
export interface Top {
  readonly direction: Order['direction']
  /** Whether the bytes of the id decide between ids that its type equates. */
  readonly hasBytes: boolean
  readonly end: unknown
}

const nothing = sql``
const where = (conditions: readonly Condition[]) =>
  conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : nothing

/**
 * all:             nothing
 * { own }:         `where r.user_id = <caller>`
 * { linked, by }:  `where (r.clinic_id) in (select l.linked_id from clinic_staff as l where l.owner_id = <caller>)`
 * { where }:       `where r.region = 'south'`, which other grants may have besides their id
 * 'linked':        `join (select user_id from links where owner_id = <caller>
 *                    union select user_id from records where user_id = <caller>) v on v.user_id = r.user_id`
 * one record:      `where r.id = <id> and (exists (select 1 from links as l where l.owner_id = <caller>
 *                    and l.user_id = r.user_id) or r.user_id = <caller>)`, on MySQL and MariaDB with `in (select …)`
 * any others:      `from (select r.id, r.created_at as sort_key from records as r where <grant> and <filters>
 *                    union select r.id, r.created_at as sort_key from records as r where <grant> and <filters>) as r`
 *
 * - MySQL and MariaDB scan every record for `<grant> or <grant>`, so a union reads each grant by its own index.
 * - PostgreSQL walks the order of the list for linked ids, so even one grant needs the subquery.
 * - `or` is fast for a total if a grant has no id, and so many records; on PostgreSQL and SQLite for a page, too.
 * - A page needs no more records of a grant than of the union, so each grant is read up to the end of the page.
 * - The join's second half reads a column and no parameter: the index applies only if both halves have its type.
 * - Ids that are not exact are also compared byte for byte, because a collation may match `abc` with `ABC`.
 *
 * @param use sorts the records (`page`), counts them (`total`), or reads the order's column, of any kind (`cells`)
 */
export function scopeOf(
  { reach, order, ...asked }: Pick<Shape, 'reach' | 'order' | 'callerId' | 'ids' | 'id'>,
  fitted: Fitted,
  use: 'page' | 'total' | 'cells' = 'page'
): Scope {
  const {
    list,
    tables,
    column,
    bytes,
    sortsWhole,
    isCaller,
    identity,
    sameTexts,
    fence = nothing,
    subqueryFrom,
    limit
  } = fitted
  const { links, conditionsOf, isReached } = reaching(asked, fitted)
  const records = tables.of(list.name).table
  const [id, sorting] = [column(`r.${list.id}`), column(`r.${order.column}`)]
  const plain = (reached: readonly Condition[], join = nothing): Scope => ({
    ...{ id, sorting },
    from: (conditions) => sql`from ${records} as r ${join} ${where([...reached, ...conditions])}`
  })
  const [only, ...others] = reach
  if (only && others.length === 0 && only.by === undefined) return plain(conditionsOf(only))
  // The id comes first, because it leaves one record to look at. For the others, a reach finds the records.
  if (asked.id) {
    const one = plain([])
    return { ...one, from: (conditions) => one.from([...conditions, isReached(reach)]) }
  }

  /** `r.user_id as user_id`, and the bytes where `=` alone is not exact. */
  const selected = ([value, bytes]: Identity, name: string) =>
    sql`${value} as ${sql.raw(name)}${bytes ? sql`, ${bytes} as bytes` : nothing}`
  /** `v.user_id = r.user_id`, and the bytes. */
  const isSelected = (name: string, [value, bytes]: Identity) =>
    bytes ? sameTexts(sql.ref(`v.${name}`), value, sql.ref('v.bytes')) : sql`${sql.ref(`v.${name}`)} = ${value}`

  if (isLinked(reach)) {
    const [record, linked, own]: [Path, Path, Path] = [`r.${reach[0].column}`, 'l.user_id', `o.${reach[0].column}`]
    const ids = (path: Path) => selected(identity(path, record, linked), 'user_id')
    return plain(
      [],
      sql`inner join (
          select ${ids(linked)} from ${links('links')}
          union
          select ${ids(own)} from ${records} as o
          where ${isCaller(own, asked.callerId)}
        ) as v on ${isSelected('user_id', identity(record, linked))}`
    )
  }
  const isById = reach.every(({ column }) => column !== undefined)
  const isUnited = isById || (sortsWhole && use === 'page')
  if (!isUnited || reach.length < subqueryFrom) return plain([isReached(reach)])

  // A union would give an ENUM the order of its texts, and copy long texts.
  const isJoined = use !== 'cells' && sortsTexts({ list, order })
  const idOfRecord = identity(`r.${list.id}`)
  const cells = sql`${selected(idOfRecord, 'id')}${isJoined ? nothing : sql`, ${sorting} as sort_key`}`
  const subquery = (conditions: readonly Condition[], top?: Top) => {
    const selects = reach.map((grant) => {
      const select = sql`select ${cells} from ${records} as r ${where([...conditionsOf(grant), ...conditions])}`
      // PostgreSQL would walk the order of the list for linked ids.
      if (!top || isJoined || (fence !== nothing && grant.by)) return select
      const { direction, hasBytes, end } = top
      const order = orderBy(direction, [sorting, id, ...(hasBytes ? [bytes(id)] : [])])
      return sql`select * from (${select} ${order} ${limit(end)}) as b`
    })
    return sql`(${sql.join(selects, sql` union `)}${reach.length > 1 ? nothing : fence})`
  }
  return isJoined
    ? {
        ...{ id, sorting },
        from: (conditions, top) =>
          sql`from ${subquery(conditions, top)} as v inner join ${records} as r on ${sql.join([isSelected('id', idOfRecord), ...withinConditions(asked, fitted)], sql` and `)}`
      }
    : {
        id: sql.ref('r.id'),
        sorting: sql.ref('r.sort_key'),
        from: (conditions, top) => sql`from ${subquery(conditions, top)} as r`
      }
}
