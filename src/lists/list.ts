/** A list, as the plugin uses it. `defineList` makes a list from its definition. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Columns } from './columns.js'
import type { TimeParameter } from './dates.js'
import { people } from './people.js'

/** A field reads a column of the record or of one of these tables. The values are SQL aliases. */
export const joinable = { users: 'u', practitioners: 'p', memberships: 'm' } as const satisfies Partial<
  Record<keyof typeof people, string>
>
export type Joinable = keyof typeof joinable

/** A field of an item. */
export interface Field {
  /** The column with the SQL alias of its table, such as `u.email`. */
  readonly column: string
  readonly schema: TSchema
  /** The format of a time. */
  readonly format?: RegExp | undefined
  /** Converts the text of the record's first row, or the texts of all rows. Throws `UnreadableValue`. */
  read(first: string | null, all: () => readonly (string | null)[]): unknown
}

export type Fields = Readonly<Record<string, Field>>

/** What a parameter other than `search`, `page` and `limit` compares. */
export interface Filter {
  readonly column: string
  readonly operator: '=' | '>=' | '<'
  /** For a range: how the query string gives the time. */
  readonly time?: TimeParameter
}

/** A list that `defineList` has made, without the types of its answers. */
export interface List<Name extends string = string, Shape extends Columns = Columns> {
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
  readonly columns: Shape
  /** The column of the record's id. A field has the same name. */
  readonly id: string
  /** The column of the owner's id, as in `users.user_id`. */
  readonly owner: string
  /** The column of the time that sorts the list. */
  readonly newest: string
  /** The column of the practitioner's id, as in `practitioners.practitioner_id`. */
  readonly practitioner?: string | undefined
  /** The JSON schemas of the parameters, without `page` and `limit`. */
  readonly parameters: TProperties
  /** The columns that the parameter `search` searches, such as `r.payment_intent` and `u.email`. */
  readonly search: {
    /** Columns of the list's table. */
    readonly records: readonly string[]
    /** Columns of the users. */
    readonly users: readonly string[]
  }
  /** The filter of each other parameter. */
  readonly filters: Readonly<Record<string, Filter>>
  /** The fields of an item, in their order. */
  readonly fields: Fields
  /** The joined tables by SQL alias, such as `{ u: 'users', m: 'memberships' }`. */
  readonly joins: Readonly<Record<string, Joinable>>
  /** Whose records each role sees. */
  readonly roles: Readonly<Record<string, Reach>>
  /** The reach of a role that `roles` does not name. */
  readonly otherRoles: Reach
  /** `message` of a 200 answer. */
  readonly found: string
  /** 403: the caller's role may not see the list. */
  readonly forbidden: string
  /** The prefix of the schema names in OpenAPI. */
  readonly schemaName: string
  /** The JSON schema of an item. */
  readonly item: TSchema
  /** The JSON schema of a 200 answer. */
  readonly answer: TSchema
}

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

/** Whose records a caller of a role sees. */
export const reachOf = ({ roles, otherRoles }: Pick<List, 'roles' | 'otherRoles'>, role: string): Reach =>
  (Object.hasOwn(roles, role) && roles[role]) || otherRoles

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
    names: [...lists.map(({ name }) => name), ...Object.keys(people).filter((name) => used.includes(name))],
    columns: { ...people, ...Object.fromEntries(lists.map(({ name, columns }) => [name, columns])) } as Readonly<
      Record<string, Columns>
    >
  }
}
