/** The types of a definition, which `defineList` takes. The compiler refuses an unknown column and a name that is taken. */
import type { Columns } from './columns.js'
import type {
  Comparable,
  Documented,
  FieldEntries,
  FilterEntries,
  NamedAfterColumns,
  NoReserved,
  OfKind,
  SearchEntry
} from './entries.js'
import type { Reach } from './reach.js'

type EnvelopeKey = 'status' | 'message' | 'page' | 'limit' | 'total'

/** The definition of a list: one file says everything about the list. */
// An intersection of parts, because in one object type a misspelt property hides all other mistakes.
export type Definition<
  Name extends string,
  Key extends string,
  Shape extends Columns,
  Id extends string,
  Newest extends string,
  Fields extends FieldEntries<Shape>,
  Filters extends FilterEntries<Shape, Newest>,
  Search extends SearchEntry<Shape> | undefined
> = {
  /** The name of the list in `tables`, `visibility`, `messages` and the log. Also the name of its default table. */
  readonly name: Name
  /** The path of the route, after the `prefix` of the registration. */
  readonly path: `/${string}`
  /** The property of the answer that holds the items. */
  readonly key: Key extends EnvelopeKey ? `'${Key}' is a key of every answer already` : Key
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
} & {
  /** The columns that the list reads from its table. */
  readonly columns: Shape
} & {
  /** The column of the record's id. A field has the same name. */
  readonly id: Id extends OfKind<Shape, 'id'>
    ? Id
    : { [Name in keyof Shape & string]: Shape[Name]['kind'] extends 'id' ? Name : never }[keyof Shape & string]
  /**
   * The column of the record's user, as in `users.user_id`. May be null. Without a field of this column, the conformance
   * checks cannot see whose record an item is.
   */
  readonly owner: {
    [Name in keyof Shape & string]: Shape[Name]['kind'] extends 'id' ? Name : never
  }[keyof Shape & string]
  /** The column of the time that sorts the list, newest first. Never null. */
  readonly newest: Newest extends OfKind<Shape, 'time'>
    ? Newest
    : { [Name in keyof Shape & string]: Shape[Name]['kind'] extends 'time' ? Name : never }[keyof Shape & string]
  /** The column of the practitioner, as in `practitioners.practitioner_id`, for fields of `practitioners`. */
  readonly practitioner?: {
    [Name in keyof Shape & string]: Shape[Name]['kind'] extends 'id' ? Name : never
  }[keyof Shape & string]
} & {
  /** The fields of an item, in their order. */
  readonly fields: Fields &
    NamedAfterColumns<Fields, keyof Shape & string, 'column'> & {
      // Without `Documented`, a mistake in another field would be reported here too.
      readonly [Name in NoInfer<Id>]: Documented & { readonly column?: never }
    }
} & {
  /** The parameter `search`. Without this property, the list has no search. */
  readonly search?: Search
} & {
  /** The parameters that keep records by the value of a column, or by a range of times. */
  readonly filters?:
    | (Filters & NamedAfterColumns<Filters, OfKind<Shape, Comparable>, 'text, enum or id column'> & NoReserved)
    | undefined
} & {
  /** Whose records each role sees. */
  readonly roles: Readonly<Record<string, Reach>>
  /**
   * The reach of a role that `roles` does not name.
   *
   * @default 'none'
   */
  readonly otherRoles?: Reach
} & {
  /** The texts of the list. The option `messages` replaces them under the names `…Found` and `…Forbidden`. */
  readonly messages: {
    /** `message` of a 200 answer. */
    readonly found: string
    /** 403: the caller's role may not see the list. */
    readonly forbidden: string
  }
}

type New<More, Old, What extends string> = {
  readonly [Name in keyof More]: Name extends keyof Old
    ? `the list has the ${What} '${Name & string}' already`
    : unknown
}

/** What `extend` adds to a list. */
export interface Additions<Shape extends Columns, Fields, Filters, MoreShape extends Columns, MoreFields, MoreFilters> {
  /** More columns of the list's table. */
  readonly columns?: MoreShape & New<MoreShape, Shape, 'column'>
  /** More fields, after those of the list. */
  readonly fields?: MoreFields &
    New<MoreFields, Fields, 'field'> &
    NamedAfterColumns<MoreFields, keyof (Shape & MoreShape) & string, 'column'>
  /** More filters. */
  readonly filters?: MoreFilters &
    New<MoreFilters, Filters, 'filter'> &
    NamedAfterColumns<MoreFilters, OfKind<Shape & MoreShape, Comparable>, 'text, enum or id column'> &
    NoReserved
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
