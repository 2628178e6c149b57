/** Whose records a caller may see, as a host writes it. */
import { everything, type Grant, type Grants, linkTables, type Reach } from './grants.js'

/** A value of a column in a condition: a text, an id, or true and false. */
export type WhereValue = string | number | bigint | boolean

/** The values that columns must have, such as `{ state: ['open', 'closed'], region: null }`. */
export type Where = Readonly<Record<string, WhereValue | readonly (WhereValue | null)[] | null | undefined>>

interface Narrowed<Values> {
  /**
   * Only records whose columns have these values: one value, one of several, or null for none, also among several. They are
   * compared as filters compare.
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

/** @param role undefined for a caller without any, who is as one of an unknown role */
export const reachOfRole = (list: Roles, role: string | undefined): Grants =>
  reachOf((role !== undefined && Object.hasOwn(list.roles, role) && list.roles[role]) || list.otherRoles, list)

/** The reaches of all roles. */
export const reachesOf = (list: Roles): Grants[] =>
  [...Object.values(list.roles), list.otherRoles].map((given) => reachOf(given, list))

/** The columns whose ids decide whether a record is in the reach of a role. */
export const columnsOfReach = (list: Roles, by?: string): string[] => {
  const grants = reachesOf(list).flatMap((reach) => reach.filter((grant) => by === undefined || grant.by === by))
  const within = by === undefined ? Object.keys(list.within) : []
  return [...new Set([...grants.flatMap(({ column }) => column ?? []), ...within])]
}

/** The columns of the conditions of all roles. */
export const columnsOfWhere = (list: Roles): string[] =>
  reachesOf(list).flatMap((reach) => reach.flatMap(({ where = [] }) => where.map(([column]) => column)))

/** The tables of links that any role reads. */
export const linkTablesOf = (list: Roles): string[] => linkTables(reachesOf(list).flat())
