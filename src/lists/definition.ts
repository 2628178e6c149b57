/** The types of a definition, which `defineList` takes. */
import type { Columns, Kind } from './columns.js'
import type { Joinable, Reach } from './list.js'
import type { people } from './people.js'

/** For the OpenAPI document. */
export interface Documented {
  readonly description?: string
  /** The first example stands in the OpenAPI document. */
  readonly examples: readonly unknown[]
}

/** The names of the columns of a kind. */
export type OfKind<Shape extends Columns, Of extends Kind> = {
  [Name in keyof Shape & string]: Shape[Name]['kind'] extends Of ? Name : never
}[keyof Shape & string]

/** Without the ids, which are columns of the list too. */
type JoinedColumn = { [Table in Joinable]: `${Table}.${OfKind<(typeof people)[Table], 'text'>}` }[Joinable]

/** The fields of an item. Without `column`, a field is named after its column. */
export type FieldEntries<Shape extends Columns> = Readonly<
  Record<string, Documented & { readonly column?: (keyof Shape & string) | JoinedColumn }>
>

/** A parameter that keeps the records with exactly one value of a column. */
type EqualityEntry<Shape extends Columns> = Documented & {
  readonly column?: OfKind<Shape, 'text' | 'enum' | 'id'>
  readonly range?: never
}

/**
 * Two parameters that keep the records of a time, only for the column of `newest`: `created` gives `created_from`
 * (inclusive) and `created_to` (exclusive). A value is a day, `YYYY-MM-DD`, or a time, `YYYY-MM-DDThh:mm:ss`, with `Z` for a
 * `utcTime`.
 */
interface RangeEntry<Newest> {
  readonly column: Newest
  readonly range: true
  readonly description?: string
}

/** The parameters that keep records by the value of a column, or by a range of times. */
export type FilterEntries<Shape extends Columns, Newest> = Readonly<
  Record<string, EqualityEntry<Shape> | RangeEntry<Newest>>
>

/** The parameter `search`. */
export interface SearchEntry<Shape extends Columns> extends Documented {
  /** Columns of texts, of the list's table and of the users. */
  readonly columns: readonly (OfKind<Shape, 'text'> | `users.${OfKind<(typeof people)['users'], 'text'>}`)[]
  /** Whether a request without the parameter is a 400. */
  readonly required?: boolean
}

/** The definition of a list: one file says everything about the list. */
export interface Definition<
  Name extends string,
  Key extends string,
  Shape extends Columns,
  Newest,
  Fields,
  Filters,
  Search
> {
  /** The name of the list in `tables`, `visibility`, `messages` and the log. Also the name of its default table. */
  readonly name: Name
  /** The path of the route, after the `prefix` of the registration. */
  readonly path: `/${string}`
  /** The property of the answer that holds the items. */
  readonly key: Key
  /** What the OpenAPI document says of the list. */
  readonly openapi: {
    /** The prefix of the schema names: `Payment` gives `PaymentPage` and `PaymentItem`. */
    readonly name: string
    /** Unique in the document. */
    readonly operationId: string
    /** A few words, such as `List payments`. */
    readonly summary: string
    /** One sentence. */
    readonly description: string
  }
  /** The columns that the list reads from its table. */
  readonly columns: Shape
  /** The column of the record's id. A field has the same name. */
  readonly id: OfKind<Shape, 'id'>
  /**
   * The column of the record's user, as in `users.user_id`. May be null. Without a field of this column, the conformance
   * checks cannot see whose record an item is.
   */
  readonly owner: OfKind<Shape, 'id'>
  /** The column of the time that sorts the list, newest first. Never null. */
  readonly newest: Newest
  /** The column of the practitioner, as in `practitioners.practitioner_id`, for fields of `practitioners`. */
  readonly practitioner?: OfKind<Shape, 'id'>
  /** The fields of an item, in their order. */
  readonly fields: Fields
  /** The parameter `search`. Without this property, the list has no search. */
  readonly search?: Search
  /** The parameters that keep records by the value of a column, or by a range of times. */
  readonly filters?: Filters | undefined
  /** Whose records each role sees. */
  readonly roles: Readonly<Record<string, Reach>>
  /**
   * The reach of a role that `roles` does not name.
   *
   * @default 'none'
   */
  readonly otherRoles?: Reach
  /** The texts of the list. The option `messages` replaces them under the names `…Found` and `…Forbidden`. */
  readonly messages: {
    /** `message` of a 200 answer. */
    readonly found: string
    /** 403: the caller's role may not see the list. */
    readonly forbidden: string
  }
}

/** What `extend` adds to a list. */
export interface Additions<Shape, Fields, Filters> {
  /** More columns of the list's table. */
  readonly columns?: Shape
  /** More fields, after those of the list. */
  readonly fields?: Fields
  /** More filters. */
  readonly filters?: Filters
}

/** A definition without the types of its columns. */
export interface PlainDefinition {
  readonly name: string
  readonly path: string
  readonly key: string
  readonly openapi: Readonly<Record<'name' | 'operationId' | 'summary' | 'description', string>>
  readonly columns: Columns
  readonly id: string
  readonly owner: string
  readonly newest: string
  readonly practitioner?: string
  readonly fields: Readonly<Record<string, PlainEntry>>
  readonly search?: Documented & { readonly columns: readonly string[]; readonly required?: boolean }
  readonly filters?: Readonly<Record<string, PlainEntry & { readonly range?: boolean }>>
  readonly roles: Readonly<Record<string, Reach>>
  readonly otherRoles?: Reach
  readonly messages: Readonly<Record<'found' | 'forbidden', string>>
}

export interface PlainEntry extends Partial<Documented> {
  readonly column?: string
}
