/** The SQL of a reach, for every page and every total (contract 66, 67 and 69). */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Condition } from '../../database/dialect.js'
import type { Path } from '../../lists/list.js'
import { isLinked, isOwn, linkAlias, linkedId, type Part } from '../../lists/reach.js'
import { type Shape, sortsTexts } from '../asked/question.js'
import type { Fitted, Identity } from '../known/fitted-sql.js'

/** The records in reach, as `r`. */
export interface Scope {
  /** `from … where …`, with the conditions of the question. */
  from(conditions: readonly Condition[]): RawBuilder<unknown>
  readonly id: Expression<unknown>
  /** The column of the order. */
  readonly sorting: Expression<unknown>
}

const nothing = sql``
const where = (conditions: readonly Condition[]) =>
  conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : nothing

/**
 * all:             nothing
 * { own }:         `where r.user_id = <caller>`
 * { linked, by }:  `where (r.clinic_id) in (select l.linked_id from clinic_staff as l where l.owner_id = <caller>)`
 * 'linked':        `join (select user_id from links where owner_id = <caller>
 *                    union select user_id from records where user_id = <caller>) v on v.user_id = r.user_id`
 * any others:      `from (select r.id, r.created_at as sort_key from records as r where <part> and <filters>
 *                    union select r.id, r.created_at as sort_key from records as r where <part> and <filters>) as r`
 *
 * MySQL and MariaDB scan every record for `<part> or <part>`, so a union reads each part by its own index. PostgreSQL walks
 * the order of the list for linked ids, and needs the subquery even for one part. SQLite is fast with `where (<part> or
 * <part>)`. In the join, the second half reads a column and not a parameter, because the index applies only if both halves
 * have the column's type. Ids that are no whole numbers and no UUIDs are also compared byte for byte, and a union has their
 * bytes, because a collation may match `abc` with `ABC`.
 *
 * @throws Error for `none`, which the route refuses with a 403.
 */
export function scopeOf(
  { reach, order, callerId }: Pick<Shape, 'reach' | 'order' | 'callerId'>,
  fitted: Fitted
): Scope {
  if (reach === 'none') throw new Error("The reach 'none' has no query.")
  const {
    list,
    tables,
    column,
    isCaller,
    identity,
    isAmongLinked,
    sameTexts,
    fence = nothing,
    subqueryFrom = Infinity
  } = fitted
  const records = tables.of(list.name).table
  const [id, sorting] = [column(`r.${list.id}`), column(`r.${order.column}`)]
  const plain = (reached: readonly Condition[], join = nothing): Scope => ({
    ...{ id, sorting },
    from: (conditions) => sql`from ${records} as r ${join} ${where([...reached, ...conditions])}`
  })
  if (reach === 'all') return plain([])

  /** `clinic_staff as l_clinic_staff where l_clinic_staff.owner_id = <caller>` */
  const links = (by: string) => {
    const alias = by === 'links' ? sql`l` : sql.id(linkAlias(by))
    return sql`${tables.of(by).table} as ${alias} where ${isCaller(`${linkAlias(by)}.owner_id`, callerId)}`
  }
  const isReached = ({ column: name, by }: Part): Condition => {
    if (by === undefined) return isCaller(`r.${name}`, callerId)
    const [ofRecord, ofUser] = [identity(`r.${name}`, linkedId(by)), identity(linkedId(by), `r.${name}`)]
    return isAmongLinked({ ofRecord, ofUser, found: links(by) })
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
          where ${isCaller(own, callerId)}
        ) as v on ${isSelected('user_id', identity(record, linked))}`
    )
  }
  if (isOwn(reach)) return plain(reach.map(isReached))
  if (reach.length < subqueryFrom) return plain([sql`(${sql.join(reach.map(isReached), sql` or `)})`])

  // A union would give an ENUM the order of its texts, and copy long texts.
  const isJoined = sortsTexts({ list, order })
  const idOfRecord = identity(`r.${list.id}`)
  const cells = sql`${selected(idOfRecord, 'id')}${isJoined ? nothing : sql`, ${sorting} as sort_key`}`
  const subquery = (conditions: readonly Condition[]) => {
    const selects = reach.map(
      (part) => sql`select ${cells} from ${records} as r ${where([isReached(part), ...conditions])}`
    )
    return sql`(${sql.join(selects, sql` union `)}${reach.length > 1 ? nothing : fence})`
  }
  return isJoined
    ? {
        ...{ id, sorting },
        from: (conditions) =>
          sql`from ${subquery(conditions)} as v inner join ${records} as r on ${isSelected('id', idOfRecord)}`
      }
    : {
        id: sql.ref('r.id'),
        sorting: sql.ref('r.sort_key'),
        from: (conditions) => sql`from ${subquery(conditions)} as r`
      }
}
