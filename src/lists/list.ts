/** A list, as the plugin uses it. `defineList` makes a list from its definition. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Columns } from './columns.js'
import type { Filter, Order, Range } from './filters.js'
import { type Joinable, sharedTables } from './people.js'

/**
 * A column with the SQL alias of its table, such as `u.email`, see `tablesOf`. The name of a column alone is no path, so the
 * compiler tells `list.owner` from `r.${list.owner}`.
 */
export type Path = `${string}.${string}`

/** A field of an item. */
export interface Field {
  readonly column: Path
  readonly schema: TSchema
  /** The format of a time. */
  readonly format?: RegExp | undefined
  /** Converts the text of the record's first row, or the texts of all rows. Throws `UnreadableValue`. */
  read(first: string | null, all: () => readonly (string | null)[]): unknown
}

export type Fields = Readonly<Record<string, Field>>

/** A list that `defineList` has made, without the types of its answers. */
export interface List<Name extends string = string, Of = Columns> {
  /** The name of the list and of its table. The SQL alias of the table is `r`. */
  readonly name: Name
  /** The path of the route, after the `prefix` of the registration. */
  readonly path: string
  /** The `operationId` in OpenAPI. */
  readonly operationId: string
  /** The summary in OpenAPI. */
  readonly summary: string
  /** The description in OpenAPI. */
  readonly description: string
  /** The property of the answer that holds the items. */
  readonly key: string
  /** The columns of the list's table. */
  readonly columns: Of
  /** The column of the record's id. A field has the same name. */
  readonly id: string
  /** The column of the owner's id, as in `users.user_id`. */
  readonly owner: string
  /** The order of a request without `sort`. */
  readonly order: Order
  /** The order of each value of the parameter `sort`, and of an empty one. */
  readonly orders: Readonly<Record<string, Order>>
  /** The column of the practitioner's id, as in `practitioners.practitioner_id`. */
  readonly practitioner?: string | undefined
  /** The JSON schemas of the parameters, without `page` and `limit`. */
  readonly parameters: TProperties
  /** The columns that the parameter `search` searches, such as `r.payment_intent` and `u.email`. */
  readonly search: {
    /** Columns of the list's table. */
    readonly records: readonly Path[]
    /** Columns of the users. */
    readonly users: readonly Path[]
    /** The form in which the columns hold a term. */
    term(term: string): string
  }
  /** The filter of each other parameter. */
  readonly filters: Readonly<Record<string, Filter>>
  /** The ranges among the filters. */
  readonly ranges: readonly Range[]
  /** The fields of an item, in their order. */
  readonly fields: Fields
  /** The joined tables by SQL alias, such as `{ u: 'users', m: 'memberships' }`. */
  readonly joins: Readonly<Record<string, Joinable>>
  /** The columns that the list reads from each table that it joins. */
  readonly people: Readonly<Record<string, Columns>>
  /** Whose records each role sees. */
  readonly roles: Readonly<Record<string, RoleReach>>
  /** The reach of a role that `roles` does not name. */
  readonly otherRoles: RoleReach
  /** `message` of a 200 answer. */
  readonly found: string
  /** 403: the caller's role may not see the list. */
  readonly forbidden: string
  /** The prefix of the schema names in OpenAPI. */
  readonly schemaName: string
  /** The JSON schema of an item. */
  readonly item: TSchema
  /** The JSON schema of a 200 answer. */
  readonly page: TSchema
}

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
  /** Records with this `user_id` are the caller's own. */
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

export const visibleTo = (list: Pick<List, 'roles' | 'otherRoles' | 'owner'>, role: string): Visible =>
  visibleBy((Object.hasOwn(list.roles, role) && list.roles[role]) || list.otherRoles, list)

export function visibleBy(reach: RoleReach, { owner }: Pick<List, 'owner'>): Visible {
  if (typeof reach === 'object') return { reach: 'own', ownColumn: reach.own }
  return reach === 'own' ? { reach, ownColumn: owner } : { reach }
}

/** The columns that make a record a caller's own, of any role. */
export const ownColumnsOf = ({ owner, roles, otherRoles }: List): string[] => {
  const others = [...Object.values(roles), otherRoles].flatMap((reach) =>
    typeof reach === 'object' ? [reach.own] : []
  )
  return [...new Set([owner, ...others])]
}

/**
 * The tables of a list by SQL alias, such as `{ r: 'payments', u: 'users' }`. Statements also use `k` (the ids of a page),
 * `v` (the visible users), and `o` (own records).
 */
export function tablesOf({ name, search, joins, roles, otherRoles }: List): Readonly<Record<string, string>> {
  const hasLinks = [...Object.values(roles), otherRoles].includes('linked')
  return {
    r: name,
    ...((search.users.length > 0 || joins.u) && { u: 'users' }),
    ...(hasLinks && { l: 'links' }),
    ...joins
  }
}

/** What lists read: the names of their tables, and the columns of every table that a list may read. */
export function readTablesOf(lists: readonly List[]) {
  const used = lists.flatMap((list) => Object.values(tablesOf(list)))
  return {
    names: [...lists.map(({ name }) => name), ...Object.keys(sharedTables).filter((name) => used.includes(name))],
    columns: Object.fromEntries([
      ...Object.keys(sharedTables).map((table) => [
        table,
        Object.assign({}, ...lists.map((list) => list.people[table]))
      ]),
      ...lists.map(({ name, columns }) => [name, columns])
    ]) as Readonly<Record<string, Columns>>
  }
}
