/** What a reach is (contract 61 to 68). The file of each list has its roles, and `query/scope.ts` has the SQL. */

/**
 * Whose records a role may see. `'own'`: the caller's. `'linked'`: the caller's and those of linked users. `'all'`:
 * everybody's. `'none'`: nobody's, and the answer is a 403.
 */
export type Reach = 'own' | 'linked' | 'all' | 'none'

export const reaches: readonly Reach[] = ['own', 'linked', 'all', 'none']

export interface Caller {
  /** Records with this `user_id` are the caller's own. */
  readonly userId: string
  readonly role: string
}
