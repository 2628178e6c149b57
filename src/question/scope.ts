/** The SQL of a reach, for every page and every total (contract 66, 67 and 69). */
import { type RawBuilder, sql } from 'kysely'
import type { Parameter } from '../database/parameter.js'
import type { Condition } from '../database/sql/compare.js'
import type { Path } from '../lists/list.js'
import type { Visible } from '../lists/reach.js'
import type { Fitted } from './fitted.js'

export interface Scope {
  join: RawBuilder<unknown>
  where: Condition[]
}

/**
 * `list.owner` is the column of the record's user. `ownColumn` is the column that is the caller's id in the caller's own
 * records: the same one, or for a role with `{ own: 'instructor_id' }` that one. Only the reach `own` has it.
 *
 * own:    `where r.user_id = <caller>`
 * linked: `join (select user_id from links where owner_id = <caller>
 *   union select user_id from records where user_id = <caller>) v on v.user_id = r.user_id`
 * all:    nothing
 *
 * `linked` is a join, because MySQL and MariaDB scan every record for `r.user_id = … or r.user_id in (…)`. The
 * second half of the union reads a column and not a parameter, because the join uses the index only if both halves have
 * the column's type. Ids that are no whole numbers and no UUIDs are also compared byte for byte, because a collation may
 * match `abc` with `ABC`.
 *
 * @throws Error for `none`, which the route refuses with a 403.
 */
export function scopeOf(visible: Visible, callerId: Parameter, fitted: Fitted): Scope {
  const { list, tables, column, isCaller, isExact, sameIds, bytes } = fitted
  const nothing = sql``
  switch (visible.reach) {
    case 'all':
      return { join: nothing, where: [] }
    case 'own':
      return { join: nothing, where: [isCaller(`r.${visible.ownColumn}`, callerId)] }
    case 'linked': {
      // Without the bytes, the union would lose ids that the type of the column equates.
      const bytesOf = (path: Path) => (isExact('v.user_id') ? nothing : sql`, ${bytes(column(path))} as bytes`)
      const userIds = (path: Path) => sql`${column(path)} as user_id${bytesOf(path)}`
      return {
        join: sql`inner join (
          select ${userIds('l.user_id')} from ${tables.of('links').table} as l where ${isCaller('l.owner_id', callerId)}
          union
          select ${userIds(`o.${list.owner}`)} from ${tables.of(list.name).table} as o
          where ${isCaller(`o.${list.owner}`, callerId)}
        ) as v on ${sameIds('v.user_id', `r.${list.owner}`)}`,
        where: []
      }
    }
    case 'none':
      throw new Error("The reach 'none' has no query.")
  }
}
