/** The condition of a reach in SQL (contract 66, 67 and 69). Each page and each total has it. */
import { type RawBuilder, sql } from 'kysely'
import { type ClientText, type Condition, idKey, sameId, sameIds } from '../database/dialect.js'
import type { Source } from '../database/source.js'
import type { RecordName } from '../database/tables.js'
import type { Reach } from '../lists/reach.js'

interface ScopeContext {
  reach: Reach
  /** The id of the caller. */
  userId: ClientText
  records: RecordName
  /** Whether `=` alone tells ids apart, see `Traits`. */
  plainIds: boolean
  source: Pick<Source, 'dialect' | 'table'>
}

/** What a reach adds to a query on records `r`. */
export interface Scope {
  join: RawBuilder<unknown>
  where: Condition[]
}

/**
 * own:    `where r.user_id = <caller>`
 * linked: `join (select user_id from links where owner_id = <caller> union select <caller>) v on v.user_id = r.user_id`
 * all:    nothing
 *
 * `linked` reads the set of visible users first: with `r.user_id = … or r.user_id in (…)` MySQL and MariaDB read every
 * record. The caller's own id is read from the records and is no literal, so that both halves of the union have the
 * type of the column and the join keeps its index. Non-numeric ids are also compared byte for byte: a collation may
 * take `abc` for `ABC`.
 *
 * @throws Error for `none`: the route has refused such a caller.
 */
export function scopeOf({ reach, userId, records, plainIds, source: { dialect, table } }: ScopeContext): Scope {
  const key = idKey(dialect, plainIds)
  const own = (column: string) => sameId(dialect, plainIds, column, userId)
  const userIds = (alias: string) => {
    const [id, bytes] = key(`${alias}.user_id`)
    return bytes ? sql`${id}, ${bytes} as bytes` : id
  }
  const nothing = sql``
  switch (reach) {
    case 'all':
      return { join: nothing, where: [] }
    case 'own':
      return { join: nothing, where: [own('r.user_id')] }
    case 'linked':
      return {
        join: sql`inner join (
          select ${userIds('l')} from ${table('links')} as l where ${own('l.owner_id')}
          union
          select ${userIds('o')} from ${table(records)} as o where ${own('o.user_id')}
        ) as v on ${sameIds(key, 'v.user_id', 'r.user_id')}`,
        where: []
      }
    case 'none':
      throw new Error('A caller who may see nothing has no query.')
  }
}
