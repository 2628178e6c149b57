/**
 * Whose records a caller may see. A reach is a list of grants: each says which records, and through the role that gave it,
 * which fields. A caller gets the union of what each grant would give alone.
 */

/** A value of a column in a condition: a text, an id, or true and false. */
export type WhereValue = string | number | bigint | boolean

/** The values that columns must have, such as `{ state: ['open', 'closed'], region: null }`. */
export type Where = Readonly<Record<string, WhereValue | readonly WhereValue[] | null | undefined>>

interface Narrowed<Values> {
  /**
   * Only records whose columns have these values: one value, one of several, or null for none. They are compared as filters
   * compare.
   */
  readonly where?: Values | undefined
}

interface ById<Values> extends Narrowed<Values> {
  /**
   * The name of the caller's id in `ids` of `resolveRole`. A caller without this id reaches nothing by this part.
   *
   * @default the `userId`
   */
  readonly callerId?: string | undefined
}

/** The records whose id column is the caller's id. */
export interface OwnBy<Column extends string = string, Values = Where> extends ById<Values> {
  /** The column that is the caller's id in the caller's own records. */
  readonly own: Column
}

/** The records whose id column is linked to the caller, and not the caller's own. */
export interface LinkedBy<Column extends string = string, Values = Where> extends ById<Values> {
  /** The column whose id is linked to the caller. */
  readonly linked: Column
  /**
   * The table of the links in the option `tables`, with the columns `owner_id`, the caller, and `linked_id`.
   *
   * @default 'links', whose column is `user_id` instead of `linked_id`
   */
  readonly by?: string | undefined
}

/** All records whose columns have these values, whoever the caller is. */
export interface AllWhere<Values = Where> {
  /** One value, one of several, or null for none. They are compared as filters compare. */
  readonly where: Values
}

/**
 * Whose records a role may see. `'own'`: the caller's. `'linked'`: the caller's and those of linked users. `'all'`:
 * everybody's. `'none'`: nobody's, and the answer is a 403.
 */
export type Reach = 'own' | 'linked' | 'all' | 'none'

type Part<Column extends string, Values> = OwnBy<Column, Values> | LinkedBy<Column, Values> | AllWhere<Values>

/**
 * The reach of a role. `{ own: 'instructor_id' }`: the records whose column `instructor_id` is the caller's id.
 * `{ linked: 'clinic_id', by: 'clinic_staff' }`: those of the clinics that the table `clinic_staff` links to the caller.
 * `{ where: { region: 'south' } }`: all records of a region. An array: the records that any of its parts reaches.
 */
export type RoleReach<Column extends string = string, Values = Where> =
  | Reach
  | Part<Column, Values>
  | readonly Part<Column, Values>[]

/** Some records, and the fields that stay hidden in them. `{}` is every record with every field. */
export interface Grant {
  /** The column whose id is the caller's, or with `by`, linked to the caller in that table. Undefined for every record. */
  readonly column?: string
  readonly by?: string
  /** The name of the caller's id. Undefined for the `userId`. */
  readonly callerId?: string
  /** Only records whose columns have one of their values, as texts. */
  readonly where?: readonly (readonly [column: string, values: readonly (string | null)[]])[]
  /** The fields that the role of the grant does not get. */
  readonly hides?: readonly string[]
  /** The searched columns that a search must not read, because the grant hides them. */
  readonly unsearched?: readonly string[]
}

/** A reach in the one form that the SQL and the checks read: the records of any grant. `[]` is nobody's. */
export type Grants = readonly Grant[]

export const everything: Grants = [{}]

/** Whether a grant is one of every record with every field. */
export const isEverything = (grants: Grants): boolean => grants.some((grant) => Object.keys(grant).length === 0)

export interface Caller {
  readonly userId: string
  readonly roles: readonly string[]
  /** More ids of the caller, by the names that grants and `within` have for them. */
  readonly ids: Readonly<Record<string, string>>
}

/** The grants whose ids the caller has. */
export const heldBy = ({ ids }: Pick<Caller, 'ids'>, grants: Grants): Grants =>
  grants.filter(({ callerId }) => callerId === undefined || Object.hasOwn(ids, callerId))

/** Whose records the roles of a list see. */
export interface Roles {
  /** The column of the owner's id, as in `users.user_id`. Undefined for a list without users. */
  readonly owner?: string | undefined
  /** Whose records each role sees. */
  readonly roles: Readonly<Record<string, RoleReach>>
  /** The reach of a role that `roles` does not name. */
  readonly otherRoles: RoleReach
  /** The columns that must be an id of the caller, whatever the reach, with the name of that id. */
  readonly within: Readonly<Record<string, string>>
}

/** Without an owner, a definition names neither `own` nor `linked`. */
export function reachOf(given: RoleReach, { owner = '' }: Pick<Roles, 'owner'>): Grants {
  if (given === 'all') return everything
  if (given === 'none') return []
  if (given === 'own') return [{ column: owner }]
  if (given === 'linked') return [{ column: owner, by: 'links' }, { column: owner }]
  return [given].flat().map(grantOf)
}

function grantOf(part: Part<string, Where>): Grant {
  const { own, linked, by = 'links', callerId, where }: Partial<OwnBy & LinkedBy> = part
  const column = own ?? linked
  const textOf = (value: WhereValue | null | undefined) => (value === null ? null : String(value))
  const conditions = Object.entries(where ?? {}).map(([name, values]) => [name, [values].flat().map(textOf)] as const)
  return {
    ...(column !== undefined && { column }),
    ...(linked !== undefined && { by }),
    ...(callerId !== undefined && { callerId }),
    ...(conditions.length > 0 && { where: conditions })
  }
}

export const reachOfRole = (list: Roles, role: string): Grants =>
  reachOf((Object.hasOwn(list.roles, role) && list.roles[role]) || list.otherRoles, list)

/** The reaches of all roles. */
export const reachesOf = (list: Roles): Grants[] =>
  [...Object.values(list.roles), list.otherRoles].map((given) => reachOf(given, list))

/** Leaves out the grants whose records and fields another one gives, too. */
export function uncovered(grants: Grants): Grants {
  const read = grants.map(({ hides = [], unsearched = [], ...records }) => ({
    records: JSON.stringify(records),
    limits: [...hides, ...unsearched]
  }))
  type Read = (typeof read)[number]
  const covers = (one: Read, other: Read) =>
    (one.records === '{}' || one.records === other.records) && one.limits.every((name) => other.limits.includes(name))
  // Of two equal ones, the first stays.
  const isCovered = (one: Read, place: number) =>
    read.some((other, at) => at !== place && covers(other, one) && (at < place || !covers(one, other)))
  return grants.filter((_, place) => !isCovered(read[place] as Read, place))
}

/** Whether no id of the caller decides: every record, or those of a condition. Their pages are planned. */
export const isOfAll = ([grant, ...others]: Grants): boolean =>
  grant !== undefined && others.length === 0 && grant.column === undefined && !grant.unsearched

/** Whether a reach is one id, so that its records are few and found fast. */
export const isOwn = (reach: Grants): boolean => reach.length === 1 && nameOf(reach) === 'own'

/** Whether a reach is `linked`, which has one column. */
export function isLinked(reach: Grants): reach is [Grant & { column: string }, Grant] {
  const [{ column: linked, by, ...one } = {}, { column: own, ...other } = {}, ...more] = reach
  return by === 'links' && linked === own && Object.keys({ ...one, ...other, ...more }).length === 0
}

/** The word for the log. A reach with linked records is `linked`, and one of a condition alone is `all`. */
export function nameOf(reach: Grants): Reach {
  if (reach.length === 0) return 'none'
  if (reach.some(({ column }) => column === undefined)) return 'all'
  return linkTables(reach).length > 0 ? 'linked' : 'own'
}

/** The columns whose ids decide whether a record is in the reach of a role. */
export const columnsOfReach = (list: Roles, by?: string): string[] => {
  const grants = reachesOf(list).flatMap((reach) => reach.filter((grant) => by === undefined || grant.by === by))
  const within = by === undefined ? Object.keys(list.within) : []
  return [...new Set([...grants.flatMap(({ column }) => column ?? []), ...within])]
}

/** The columns of the conditions of all roles. */
export const columnsOfWhere = (list: Roles): string[] =>
  reachesOf(list).flatMap((reach) => reach.flatMap(({ where = [] }) => where.map(([column]) => column)))

/** The names of the caller's ids that grants and the list compare, besides the `userId`. */
export const idNamesOf = ({ within }: Pick<Roles, 'within'>, grants: Grants): string[] => [
  ...new Set([...grants.flatMap(({ callerId }) => callerId ?? []), ...Object.values(within)])
]

/** The tables of links that grants read, such as `links`. */
export const linkTables = (grants: Grants): string[] => [...new Set(grants.flatMap(({ by }) => by ?? []))]

/** The tables of links that any role reads. */
export const linkTablesOf = (list: Roles): string[] => linkTables(reachesOf(list).flat())

/** The SQL alias of a table of links. */
export const linkAlias = (by: string): string => (by === 'links' ? 'l' : `l_${by}`)

/** The column of the linked ids. */
export const linkedColumn = (by: string) => (by === 'links' ? 'user_id' : 'linked_id')

export const linkedId = (by: string) => `${linkAlias(by)}.${linkedColumn(by)}` as const
