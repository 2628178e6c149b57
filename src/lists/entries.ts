/** The types of the fields, the filters and the search of a definition. */
import type { Columns, Kind } from './columns.js'
import type { Joinable } from './list.js'
import type { people } from './people.js'

/** For the OpenAPI document. */
export interface Documented {
  readonly description?: string
  /** The first example stands in the OpenAPI document. */
  readonly examples: readonly unknown[]
}

// These types are repeated where they apply, because a compiler message shows the name of an alias and not the columns.
export type OfKind<Shape extends Columns, Of extends Kind> = {
  [Name in keyof Shape & string]: Shape[Name]['kind'] extends Of ? Name : never
}[keyof Shape & string]

/** Without the ids, which are columns of the list too. */
type JoinedColumn = { [Table in Joinable]: `${Table}.${OfKind<(typeof people)[Table], 'text'>}` }[Joinable]

export type Comparable = 'text' | 'enum' | 'id'

/** The fields of an item. Without `column`, a field is named after its column. */
export type FieldEntries<Shape extends Columns> = Readonly<
  Record<string, Documented & { readonly column?: (keyof Shape & string) | JoinedColumn }>
>

/** A parameter that keeps the records with exactly one value of a column. */
type EqualityEntry<Shape extends Columns> = Documented & {
  readonly column?: {
    [Name in keyof Shape & string]: Shape[Name]['kind'] extends Comparable ? Name : never
  }[keyof Shape & string]
  readonly range?: never
}

/**
 * Two parameters that keep the records of a time, only for the column of `newest`: `created` gives `created_from`
 * (inclusive) and `created_to` (exclusive). A value is a day, `YYYY-MM-DD`, or has the format of the column.
 */
interface RangeEntry<Newest> {
  readonly column: Newest
  readonly range: true
  readonly description?: string
}

export type FilterEntries<Shape extends Columns, Newest> = Readonly<
  Record<string, EqualityEntry<Shape> | RangeEntry<Newest>>
>

/** The parameter `search`. */
export interface SearchEntry<Shape extends Columns> extends Documented {
  /** Columns of texts, of the list's table and of the users. */
  readonly columns: readonly (
    | { [Name in keyof Shape & string]: Shape[Name]['kind'] extends 'text' ? Name : never }[keyof Shape & string]
    | `users.${OfKind<(typeof people)['users'], 'text'>}`
  )[]
  /** Whether a request without the parameter is a 400. */
  readonly required?: boolean
}

/** After a mistake in an entry, the compiler knows no names. Then this type adds no further errors. */
export type NamedAfterColumns<Given, ColumnName, Kinds extends string> = string extends keyof Given
  ? unknown
  : {
      readonly [Name in keyof Given]: Given[Name] extends { column: string }
        ? unknown
        : Name extends ColumnName
          ? unknown
          : `there is no ${Kinds} with the name '${Name & string}': give the name in 'column'`
    }

type Reserved<Name extends string> = `'${Name}' is a parameter of the lists already`

export interface NoReserved {
  /** Every list has this parameter. */
  readonly page?: Reserved<'page'>
  /** Every list has this parameter. */
  readonly limit?: Reserved<'limit'>
  /** The definition's own property `search` describes this parameter. */
  readonly search?: Reserved<'search'>
}
