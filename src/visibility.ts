/**
 * Who sees what (contract A "Who sees what", B1): role → reach → condition. Small enough to audit at
 * one sitting. `plan.ts` makes the condition part of every statement, and `list.ts` refuses `none`.
 */
import { type RawBuilder, sql } from 'kysely'
import { type ClientText, type Condition, idKey, sameId, sameIds } from './dialect.js'
import type { RecordName } from './relations.js'
import type { Source } from './source.js'

/**
 * Whose records a role may see: the caller's `own`, those of the caller and of `linked` users, `all`,
 * or `none`, which is a 403.
 */
export type Reach = 'own' | 'linked' | 'all' | 'none'

export const reaches: readonly Reach[] = ['own', 'linked', 'all', 'none']

/** The reach of each role on one list, and that of every role that is not named. */
export interface Visibility {
  readonly roles: ReadonlyMap<string, Reach>
  readonly otherRoles: Reach
}

/** Who is asking. */
export interface Caller {
  /** The caller's id, as text; records with this `user_id` are the caller's own. */
  readonly userId: string
  readonly role: string
}

/** A list's own table of roles with the host's additions and changes. */
export const visibilityOf = (
  roles: Readonly<Record<string, Reach>>,
  otherRoles: Reach,
  changes: Readonly<Record<string, Reach | undefined>> = {}
): Visibility => {
  const changed = Object.entries(changes).filter((change): change is [string, Reach] => change[1] !== undefined)
  return { roles: new Map([...Object.entries(roles), ...changed]), otherRoles }
}

/** Role names match exactly. */
export const reachOf = ({ roles, otherRoles }: Visibility, role: string): Reach => roles.get(role) ?? otherRoles

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
 * For `linked` the set of visible users comes first: `r.user_id = … or r.user_id in (…)` makes MySQL and
 * MariaDB read every record. The caller's own id is read from the records, not written as a literal, so
 * that both halves of the union have the column's type and the join keeps its index. Beside an id that is
 * no number stand its bytes: a collation for which `abc` is `ABC` must neither join nor unite the two.
 *
 * @throws Error for `none`: such a caller must have been refused before.
 */
export function scopeOf(
  reach: Reach,
  userId: ClientText,
  { dialect, relation }: Source,
  records: RecordName,
  plainIds: boolean
): Scope {
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
          select ${userIds('l')} from ${relation('links')} as l where ${own('l.owner_id')}
          union
          select ${userIds('o')} from ${relation(records)} as o where ${own('o.user_id')}
        ) as v on ${sameIds(key, 'v.user_id', 'r.user_id')}`,
        where: []
      }
    case 'none':
      throw new Error('A caller who may see nothing has no query.')
  }
}
