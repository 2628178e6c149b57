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

/** More columns of the tables that lists join. */
export interface MorePeople {
  /** More columns of `users`. */
  readonly users?: Columns
  /** More columns of `practitioners`. */
  readonly practitioners?: Columns
}

/** The columns of a joined table, with those that the definition adds. */
export type PeopleColumns<People, Table extends Joinable> = (typeof people)[Table] &
  (People extends { readonly [Name in Table]: infer More } ? More : unknown)

/** Without the ids, which are columns of the list too. */
type JoinedColumn<People> =
  | { [Table in Joinable]: `${Table}.${OfKind<(typeof people)[Table], 'text'>}` }[Joinable]
  | { [Table in keyof People & string]: `${Table}.${keyof People[Table] & string}` }[keyof People & string]

/** The fields of an item. Without `column`, a field is named after its column. */
export type FieldEntries<Shape extends Columns, People = unknown> = Readonly<
  Record<string, Documented & { readonly column?: (keyof Shape & string) | JoinedColumn<People> }>
>

/**
 * A parameter that keeps the records with exactly one value of a column. With `several: true`, the parameter can be given
 * up to 50 times, and keeps the records with any of the values.
 */
type EqualityEntry<Shape extends Columns> = Documented & {
  readonly column?: OfKind<Shape, 'text' | 'enum' | 'id' | 'boolean'>
  readonly several?: true
  readonly range?: false
  readonly present?: false
}

/**
 * Two parameters that keep the records of a range: `created` gives `created_from` and `created_to`. A time is a day,
 * `YYYY-MM-DD`, or `YYYY-MM-DDThh:mm:ss`, with `Z` for a `utcTime`, and the end is excluded. The end of a range of dates or
 * numbers is included.
 */
interface RangeEntry<Shape extends Columns> {
  readonly column?: OfKind<Shape, 'time' | 'date' | 'decimal' | 'integer'>
  readonly range: true
  readonly several?: false
  readonly present?: false
  /** Of both parameters, which add what their end means, or of each. */
  readonly description?: string | { readonly from: string; readonly to: string }
}

/** A parameter, `true` or `false`, that keeps the records whose column has a value, or has none. */
interface PresentEntry<Shape extends Columns> {
  readonly column?: keyof Shape & string
  readonly present: true
  readonly several?: false
  readonly range?: false
  readonly description?: string
}

/** The parameters that keep records by the value of a column, by a range, or by whether there is a value. */
export type FilterEntries<Shape extends Columns> = Readonly<
  Record<string, EqualityEntry<Shape> | RangeEntry<Shape> | PresentEntry<Shape>>
>

/** The parameter `search`. */
export interface SearchEntry<Shape extends Columns, People = unknown> extends Documented {
  /** Columns of texts, of the list's table and of the users. */
  // The union is spelled out, because a compiler error shows the name of an alias instead of the columns.
  readonly columns: readonly (
    | OfKind<Shape, 'text'>
    | `users.${OfKind<(typeof people)['users'], 'text'>}`
    | (People extends { readonly users: infer Users extends Columns } ? `users.${OfKind<Users, 'text'>}` : never)
  )[]
  /** Whether a request without the parameter is a 400. */
  readonly required?: boolean
  /**
   * Brings a term into the form in which the columns hold it, such as lower case without accents. A pure function of the
   * text, which gets no empty term. An empty result matches every record. Write the type of its parameter.
   *
   * @default the term itself
   */
  term?(term: string): string
}

/** The columns that a list can be sorted by. They are never null. */
export type Sortable<Shape extends Columns> = OfKind<Shape, Exclude<Kind, 'boolean'>>

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

/** For a role whose own records name the caller in another column than the owner's, as an instructor's lessons do. */
export interface OwnBy<Shape extends Columns> {
  /** The column that is the caller's id in the caller's own records. */
  readonly own: OfKind<Shape, 'id'>
}

/** The definition of a list: one file says everything about the list. */
export interface Definition<
  Name extends string,
  Key extends string,
  Shape extends Columns,
  Fields,
  Filters,
  Search,
  People,
  Sort extends string
> {
  /** The name of the list in `tables`, `visibility`, `messages` and the log. Also the name of its default table. */
  readonly name: Name
  /** The path of the route, after the `prefix` of the registration. */
  readonly path: `/${string}`
  /** The property of the answer that holds the items. */
  readonly key: Key
  /** What the OpenAPI document says of the list. */
  readonly openapi: OpenapiTexts
  /** The columns that the list reads from its table. */
  readonly columns: Shape
  /** More columns of `users` and `practitioners`, for fields and the search. */
  readonly people?: People
  /** The column of the record's id. A field has the same name. */
  readonly id: OfKind<Shape, 'id'>
  /**
   * The column of the record's user, as in `users.user_id`. May be null. Without a field of this column, the conformance
   * checks cannot see whose record an item is.
   */
  readonly owner: OfKind<Shape, 'id'>
  /** The column of a time or a date that sorts the list, newest first. Never null. Give this property or `oldest`. */
  readonly newest?: OfKind<Shape, 'time' | 'date'>
  /** The column of a time or a date that sorts the list, oldest first. Never null. */
  readonly oldest?: OfKind<Shape, 'time' | 'date'>
  /** The columns that the parameter `sort` may name: `?sort=name`, or `?sort=-name` from the greatest to the least. */
  readonly sort?: readonly Sort[]
  /** The column of the practitioner, as in `practitioners.practitioner_id`, for fields of `practitioners`. */
  readonly practitioner?: OfKind<Shape, 'id'>
  /** The fields of an item, in their order. */
  readonly fields: Fields
  /** The parameter `search`. Without this property, the list has no search. */
  readonly search?: Search
  /** The parameters that keep records by their columns. */
  readonly filters?: Filters | undefined
  /** Whose records each role sees. `{ own: 'instructor_id' }`: those whose column `instructor_id` is the caller's id. */
  readonly roles: Readonly<Record<string, Reach | OwnBy<Shape>>>
  /**
   * The reach of a role that `roles` does not name.
   *
   * @default 'none'
   */
  readonly otherRoles?: Reach | OwnBy<Shape>
  /** The texts of the list. The option `messages` replaces them under the names `…Found` and `…Forbidden`. */
  readonly messages: {
    /** `message` of a 200 answer. */
    readonly found: string
    /** 403: the caller's role may not see the list. */
    readonly forbidden: string
  }
}

/** More columns for the search, and another description and other examples. */
export type MoreSearch<Shape extends Columns, People> = Pick<SearchEntry<Shape, People>, 'columns'> &
  Partial<Documented>

/** What `extend` adds to a list, and the path, the key and the OpenAPI texts that it replaces. */
export interface Additions<Key, Shape extends Columns, Fields, Filters, Search, People, Sort> {
  /** Another path. */
  readonly path?: `/${string}`
  /** Another property of the answer that holds the items. */
  readonly key?: Key
  /** Other texts for the OpenAPI document. */
  readonly openapi?: Partial<OpenapiTexts>
  /** More columns of the list's table. */
  readonly columns?: Shape
  /** More columns of `users` and `practitioners`. */
  readonly people?: People
  /** More fields, after those of the list. */
  readonly fields?: Fields
  /** More columns for the search, and another description and other examples. */
  readonly search?: Search
  /** More filters. */
  readonly filters?: Filters
  /** More columns that the parameter `sort` may name. */
  readonly sort?: readonly Sort[]
}
