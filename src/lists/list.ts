/** A list, as the plugin uses it. `defineList` makes a list from its definition. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Columns } from './columns.js'
import type { ListingMessages } from './messages.js'
import type { people } from './people.js'
import type { Reach } from './reach.js'

/** A field reads a column of the record or of one of these tables. The values are SQL aliases. */
export const joinable = { users: 'u', practitioners: 'p', memberships: 'm' } as const satisfies Partial<
  Record<keyof typeof people, string>
>
export type Joinable = keyof typeof joinable

export type ListName = 'assessments' | 'payments'

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

export interface List {
  /** The name of the list and of its table. The SQL alias of the table is `r`. */
  readonly name: ListName
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly key: string
  readonly columns: Columns
  /** The column of the record's id. A field has the same name. */
  readonly id: string
  /** The column of the owner's id, as in `users.user_id`. */
  readonly owner: string
  /** The column of the time that sorts the list. */
  readonly newest: string
  /** The column of the practitioner's id, as in `practitioners.practitioner_id`. */
  readonly practitioner?: string | undefined
  readonly parameters: TProperties
  /** The columns that the parameter `search` searches, such as `r.payment_intent` and `u.email`. */
  readonly search: Readonly<Record<'records' | 'users', readonly string[]>>
  /** The column that each other parameter filters by. */
  readonly filters: Readonly<Record<string, string>>
  readonly fields: Fields
  /** The joined tables by SQL alias, such as `{ u: 'users', m: 'memberships' }`. */
  readonly joins: Readonly<Record<string, Joinable>>
  /**
   * All tables of the list by SQL alias. Statements also use `k` (the ids of a page), `v` (the visible users), and `o`
   * (own records).
   */
  readonly tables: Readonly<Record<string, ListName | keyof typeof people>>
  readonly roles: Readonly<Record<string, Reach>>
  readonly otherRoles: Reach
  /** The names of the list's texts in `ListingMessages`. */
  readonly texts: { readonly found: keyof ListingMessages; readonly forbidden: keyof ListingMessages }
  /** The JSON schema of a 200 answer. */
  readonly answer: TSchema
  /** The schema `answer` with an `$id` for OpenAPI. */
  readonly page: TSchema
}
