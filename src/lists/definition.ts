/** The types of a definition, which `defineList` takes. */
import type { Columns } from './columns.js'
import type { Documented, OfKind, SearchEntry } from './fields-and-filters.js'
import type { Reach } from './list.js'

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
