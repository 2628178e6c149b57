/** The types of what a definition says of fields, filters, the search and the orders. */
import type { Columns, Kind } from './columns.js'
import type { Joinable } from './list.js'
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
