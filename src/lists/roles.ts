/** Whose records a caller may see, as a host writes it. */

/**
 * Whose records a role may see. `'own'`: the caller's. `'linked'`: the caller's and those of linked users. `'all'`:
 * everybody's. `'none'`: nobody's, and the answer is a 403.
 */
export type Reach = 'own' | 'linked' | 'all' | 'none'

/** A value of a column in a condition: a text, an id, or true and false. */
export type WhereValue = string | number | bigint | boolean

/** The values that columns must have, such as `{ state: ['open', 'closed'], region: null }`. */
export type Where = Readonly<Record<string, WhereValue | readonly (WhereValue | null)[] | null | undefined>>

interface Narrowed<Values> {
  /** Only records whose columns have these values, as filters compare: one value, one of several, or null for none. */
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
 * `{ linked: 'clinic_id', by: 'clinic_staff' }`: those of clinics that the table `clinic_staff` links to the caller.
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
