/** A list, as the plugin reads it. `defineList` makes a list from its definition. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import type { Kind } from '../kinds/index.js'
import type { KindRules, Notation, Operator, WhenNull } from '../kinds/kind.js'
import type { Roles } from './roles.js'

/** A column of the list's table, or of a table that the list joins. */
export interface ListColumn {
  /** What the cells hold. */
  readonly kind: Kind
  /** @internal Everything that is known of the kind. */
  readonly rules: KindRules
  /** What an item has for a null and for a zero date: an empty text, null, or the request fails. */
  readonly whenNull: WhenNull
  /** The values of the kind `enum`. */
  readonly values?: readonly string[]
  /** Converts the text of a cell. Throws `UnreadableValue`, and never guesses (contract 83 to 90). */
  read(text: string | null): unknown
}

export type ListColumns = Readonly<Record<string, ListColumn>>

/** A column with the SQL alias of its table: `u.email` (see `aliases.ts`). The compiler tells it from `email`. */
export type Path = `${string}.${string}`

/** A field of an item. */
export interface Field {
  readonly column: Path
  readonly schema: TSchema
  /** The format of a time. */
  readonly format?: RegExp | undefined
  /** The roles that get the field. Undefined for every role. */
  readonly roles?: readonly string[] | undefined
  /** Converts the text of the record's first row, or the texts of all rows. Throws `UnreadableValue`. */
  read(first: string | null, all: () => readonly (string | null)[]): unknown
}

/** What the OpenAPI document says of a list. */
export interface OpenapiTexts {
  /** The prefix of the schema names: `Payment` gives `PaymentPage` and `PaymentItem`. */
  readonly name: string
  /** Unique in the document. */
  readonly operationId: string
  /** A few words, such as `List payments`. */
  readonly summary: string
  /** One sentence. */
  readonly description: string
}

/** @internal What a parameter compares. */
export interface Filter {
  /** A column of the list's table. */
  readonly column: string
  readonly operator: Operator
  /** Undefined for a text. */
  readonly notation?: Notation | undefined
  /** The parameter of the end, such as `created_to`, where this one is the start of a range. */
  readonly to?: string | undefined
  /** The values whose records `counts` counts, which are all that the parameter can have. */
  readonly counted?: readonly string[]
}

/** The column that sorts records. The id decides between equals, in the same direction. */
export interface Order {
  /** A column of the list's table. */
  readonly column: string
  /** `asc` from the least to the greatest. */
  readonly direction: 'asc' | 'desc'
}

/** The texts of a list. */
export interface ListMessages {
  /** `message` of a 200 answer. */
  readonly found: string
  /** 403: the caller's role may not see the list. */
  readonly forbidden: string
}

/** The route of one record. */
export interface RecordRoute {
  /** The path after the `prefix`, with the id as its parameter: `/lesson/:lesson_id`. */
  readonly path: `/${string}`
  /** The property of the answer that holds the item. */
  readonly key: string
  /** The texts of its answers, which the option `messages` replaces as `…RecordFound` and `…RecordNotFound`. */
  readonly messages: {
    /** `message` of a 200 answer. */
    readonly found: string
    /** 404: there is no such record, or the caller may not see it. */
    readonly notFound: string
  }
}

/** The parameter in the path of the route of one record, such as `lesson_id`. */
export const idParameterOf = ({ path }: RecordRoute): string => path.replace(/^.*:(\w+).*$/, '$1')

/** A list that `defineList` has made, without the types of its answers. */
// Hosts do not see the internal properties in their editor. What they need of them is in `definition`.
export interface List<Name extends string = string, Of = ListColumns> extends Roles {
  /** The name of the list and of its table. The SQL alias of the table is `r`. */
  readonly name: Name
  /** The path of the route, after the `prefix` of the registration. */
  readonly path: string
  /** What the OpenAPI document says of the list. */
  readonly openapi: OpenapiTexts
  /** The property of the answer that holds the items. */
  readonly key: string
  /** How a client asks for the next page: by its number, or after the last record of the page before. */
  readonly paging?: 'number' | 'after' | undefined
  /** The route of one record. Undefined for a list without it. */
  readonly record?: RecordRoute | undefined
  /** The columns of the list's table. */
  readonly columns: Of
  /** The column of the record's id. A field has the same name. */
  readonly id: string
  /** The order of a request without `sort`. */
  readonly order: Order
  /** @internal The order of each value of the parameter `sort`, and of an empty one. */
  readonly orders: Readonly<Record<string, Order>>
  /** The column of the practitioner's id, as in `practitioners.practitioner_id`. */
  readonly practitioner?: string | undefined
  /** @internal The JSON schemas of the parameters, without `page` and `limit`. */
  readonly parameters: TProperties
  /** @internal The columns that the parameter `search` searches, such as `r.payment_intent` and `u.email`. */
  readonly search: {
    /** Columns of the list's table. */
    readonly records: readonly Path[]
    /** Columns of the users. */
    readonly users: readonly Path[]
    /** The form in which the columns hold a term. */
    term(term: string): string
  }
  /** @internal The filter of each other parameter. */
  readonly filters: Readonly<Record<string, Filter>>
  /** @internal The fields of an item, in their order. */
  readonly fields: Readonly<Record<string, Field>>
  /** @internal The joined tables by SQL alias, such as `{ u: 'users', m: 'memberships' }`. */
  readonly joins: Readonly<Record<string, string>>
  /** @internal The whole list, if this one is a caller's view of it. */
  readonly base?: List
  /** @internal The columns of the tables that lists share, by the name of the table. */
  readonly joined: Readonly<Record<string, ListColumns>>
  /** The texts of the list. */
  readonly messages: ListMessages
  /** The JSON schema of an item. */
  readonly item: TSchema
  /** The JSON schema of a 200 answer. */
  readonly page: TSchema
}
