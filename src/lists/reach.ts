/** What a reach is (contract 61 to 68). The file of each list has its roles, and `query/scope.ts` has the SQL. */

/**
 * Whose records a role may see. `'own'`: the caller's. `'linked'`: the caller's and those of linked users. `'all'`:
 * everybody's. `'none'`: nobody's, and the answer is a 403.
 */
export type Reach = 'own' | 'linked' | 'all' | 'none'

export const reaches: readonly Reach[] = ['own', 'linked', 'all', 'none']

export interface Visibility {
  readonly roles: ReadonlyMap<string, Reach>
  readonly otherRoles: Reach
}

export interface Caller {
  /** Records with this `user_id` are the caller's own. */
  readonly userId: string
  readonly role: string
}

/** @param changes the reaches that the host adds or replaces, from the option `visibility` */
export const visibilityOf = (
  roles: Readonly<Record<string, Reach>>,
  otherRoles: Reach,
  changes: Readonly<Record<string, Reach | undefined>> = {}
): Visibility => {
  const changed = Object.entries(changes).filter((change): change is [string, Reach] => change[1] !== undefined)
  return { roles: new Map([...Object.entries(roles), ...changed]), otherRoles }
}

export const reachOf = ({ roles, otherRoles }: Visibility, role: string): Reach => roles.get(role) ?? otherRoles
