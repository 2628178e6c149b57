/** Whose records a caller may see. */

/**
 * Whose records a role may see. `'own'`: the caller's. `'linked'`: the caller's and those of linked users. `'all'`:
 * everybody's. `'none'`: nobody's, and the answer is a 403.
 */
export type Reach = 'own' | 'linked' | 'all' | 'none'

export const reaches: readonly Reach[] = ['own', 'linked', 'all', 'none']

/** The reach of a role. `{ own: 'instructor_id' }`: the records whose column `instructor_id` is the caller's id. */
export type RoleReach =
  | Reach
  | {
      /** The column that is the caller's id in the caller's own records. */
      readonly own: string
    }

export interface Caller {
  readonly userId: string
  readonly role: string
}

/** Whose records a caller of a role sees. Only the reach `own` has a column, so no other can compare it by mistake. */
export type Visible =
  | {
      readonly reach: 'own'
      /** The column that is the caller's id in the caller's own records: the list's `owner`, or another for the role. */
      readonly ownColumn: string
    }
  | { readonly reach: Exclude<Reach, 'own'> }

/** Whose records the roles of a list see. */
export interface Roles {
  /** The column of the owner's id, as in `users.user_id`. */
  readonly owner: string
  /** Whose records each role sees. */
  readonly roles: Readonly<Record<string, RoleReach>>
  /** The reach of a role that `roles` does not name. */
  readonly otherRoles: RoleReach
}

export const visibleTo = (list: Roles, role: string): Visible =>
  visibleBy((Object.hasOwn(list.roles, role) && list.roles[role]) || list.otherRoles, list)

export function visibleBy(reach: RoleReach, { owner }: Pick<Roles, 'owner'>): Visible {
  if (typeof reach === 'object') return { reach: 'own', ownColumn: reach.own }
  return reach === 'own' ? { reach, ownColumn: owner } : { reach }
}

/** The columns that make a record a caller's own, of any role. */
export const ownColumnsOf = ({ owner, roles, otherRoles }: Roles): string[] => {
  const others = [...Object.values(roles), otherRoles].flatMap((reach) =>
    typeof reach === 'object' ? [reach.own] : []
  )
  return [...new Set([owner, ...others])]
}
