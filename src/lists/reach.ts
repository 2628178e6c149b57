/** Whose records a caller may see. */

/** The records whose id column is the caller's id. */
export interface OwnBy<Column extends string = string> {
  /** The column that is the caller's id in the caller's own records. */
  readonly own: Column
}

/** The records whose id column is linked to the caller, and not the caller's own. */
export interface LinkedBy<Column extends string = string> {
  /** The column whose id is linked to the caller. */
  readonly linked: Column
  /**
   * The table of the links in the option `tables`, with the columns `owner_id`, the caller, and `linked_id`.
   *
   * @default 'links', whose column is `user_id` instead of `linked_id`
   */
  readonly by?: string | undefined
}

/**
 * Whose records a role may see. `'own'`: the caller's. `'linked'`: the caller's and those of linked users. `'all'`:
 * everybody's. `'none'`: nobody's, and the answer is a 403.
 */
export type Reach = 'own' | 'linked' | 'all' | 'none'

/**
 * The reach of a role. `{ own: 'instructor_id' }`: the records whose column `instructor_id` is the caller's id.
 * `{ linked: 'clinic_id', by: 'clinic_staff' }`: those of the clinics that the table `clinic_staff` links to the caller. An
 * array: the records that any of its parts reaches.
 */
export type RoleReach<Column extends string = string> =
  | Reach
  | OwnBy<Column>
  | LinkedBy<Column>
  | readonly (OwnBy<Column> | LinkedBy<Column>)[]

/** The records whose id `column` is the caller's id, or with `by`, linked to the caller in that table. */
export interface Part {
  readonly column: string
  readonly by?: string
}

/** A reach in the one form that the SQL and the checks read: the records of any part. */
export type ResolvedReach = 'all' | 'none' | readonly Part[]

export interface Caller {
  readonly userId: string
  readonly role: string
}

/** Whose records the roles of a list see. */
export interface Roles {
  /** The column of the owner's id, as in `users.user_id`. Undefined for a list without users. */
  readonly owner?: string | undefined
  /** Whose records each role sees. */
  readonly roles: Readonly<Record<string, RoleReach>>
  /** The reach of a role that `roles` does not name. */
  readonly otherRoles: RoleReach
}

/** Without an owner, a definition names neither `own` nor `linked`. */
export function reachOf(given: RoleReach, { owner = '' }: Pick<Roles, 'owner'>): ResolvedReach {
  if (given === 'all' || given === 'none') return given
  if (given === 'own') return [{ column: owner }]
  if (given === 'linked') return [{ column: owner, by: 'links' }, { column: owner }]
  return [given]
    .flat()
    .map((part): Part => ('own' in part ? { column: part.own } : { column: part.linked, by: part.by ?? 'links' }))
}

export const reachOfRole = (list: Roles, role: string): ResolvedReach =>
  reachOf((Object.hasOwn(list.roles, role) && list.roles[role]) || list.otherRoles, list)

/** The reaches of all roles. */
export const reachesOf = (list: Roles): ResolvedReach[] =>
  [...Object.values(list.roles), list.otherRoles].map((given) => reachOf(given, list))

export const partsOf = (reach: ResolvedReach): readonly Part[] => (typeof reach === 'string' ? [] : reach)

const partsOfRoles = (list: Roles): Part[] => reachesOf(list).flatMap(partsOf)

/** Whether a reach is one id, so that its records are few and found fast. */
export const isOwn = (reach: ResolvedReach): boolean => nameOf(reach) === 'own' && reach.length === 1

/** Whether a reach is `linked`, which has one column. */
export const isLinked = (reach: readonly Part[]): reach is [Part, Part] =>
  reach.length === 2 && reach[0]?.column === reach[1]?.column && reach[0]?.by === 'links' && reach[1]?.by === undefined

/** The word for the log. A reach with linked records is `linked`. */
export const nameOf = (reach: ResolvedReach): Reach =>
  typeof reach === 'string' ? reach : linkTables(reach).length > 0 ? 'linked' : 'own'

/** The columns whose ids decide whether a record is in the reach of a role. */
export const columnsOfReach = (list: Roles, by?: string): string[] => {
  const parts = partsOfRoles(list).filter((part) => by === undefined || part.by === by)
  return [...new Set(parts.map(({ column }) => column))]
}

/** The tables of links that the parts read, such as `links`. */
export const linkTables = (parts: readonly Part[]): string[] => [...new Set(parts.flatMap(({ by }) => by ?? []))]

/** The tables of links that any role reads. */
export const linkTablesOf = (list: Roles): string[] => linkTables(partsOfRoles(list))

/** The SQL alias of a table of links. */
export const linkAlias = (by: string): string => (by === 'links' ? 'l' : `l_${by}`)

/** The column of the linked ids. */
export const linkedColumn = (by: string) => (by === 'links' ? 'user_id' : 'linked_id')

export const linkedId = (by: string) => `${linkAlias(by)}.${linkedColumn(by)}` as const
