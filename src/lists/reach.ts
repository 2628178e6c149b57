/**
 * What a reach is, and how a role gets one (contract 61 to 68). The file of each list has its table of roles, and
 * `query/scope.ts` has the SQL of each reach.
 */

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
