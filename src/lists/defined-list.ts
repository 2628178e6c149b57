/** The types of a list that `defineList` has made, and of its rows, items, pages and queries. */
import type {
  Static,
  TArray,
  TBoolean,
  TInteger,
  TNumber,
  TObject,
  TOptional,
  TSchema,
  TString,
  TUnsafe
} from '@sinclair/typebox'
import type { Columns, Kind, TypedColumn } from './columns.js'
import type { Additions, MoreSearch } from './definition.js'
import type { FieldEntries, FilterEntries, MorePeople, PeopleColumns, Sortable } from './fields-and-filters.js'
import type { List } from './list.js'
import type { pageSchema } from './schemas.js'

type ColumnOf<Entries, Name extends keyof Entries> = Entries[Name] extends { column: infer Column } ? Column : Name

type SchemaOf<Of> = Of extends { read(text: never): infer Value } ? TUnsafe<Value> : never

type FieldSchema<Shape, People, ColumnName> = ColumnName extends keyof Shape
  ? SchemaOf<Shape[ColumnName]>
  : ColumnName extends `memberships.${string}`
    ? TArray<TString>
    : ColumnName extends `${infer Table extends 'users' | 'practitioners'}.${infer Name}`
      ? SchemaOf<PeopleColumns<People, Table>[Name & keyof PeopleColumns<People, Table>]>
      : never

type ItemSchema<Shape, People, Fields> = TObject<{
  [Name in keyof Fields & string]: FieldSchema<Shape, People, ColumnOf<Fields, Name>>
}>

type SearchSchema<Search> = Search extends { required: true }
  ? { search: TString }
  : Search extends object
    ? { search: TOptional<TString> }
    : unknown

/** A parameter that is a text in a query string is a number or a boolean in `find`. */
type ParameterSchema<Of> = Of extends { kind: 'enum'; read(text: never): infer Value }
  ? TUnsafe<Exclude<Value, null>>
  : Of extends { kind: 'boolean' }
    ? TBoolean
    : Of extends { kind: 'decimal' | 'integer' }
      ? TNumber
      : TString

type FilterSchema<Filter, Of> = Filter extends { present: true }
  ? TBoolean
  : Filter extends { several: true }
    ? TUnsafe<Static<ParameterSchema<Of>> | readonly Static<ParameterSchema<Of>>[]>
    : ParameterSchema<Of>

type FilterSchemas<Shape, Filters> = {
  [Name in keyof Filters & string as Filters[Name] extends { range: true }
    ? `${Name}_from` | `${Name}_to`
    : Name]: TOptional<FilterSchema<Filters[Name], Shape[ColumnOf<Filters, Name> & keyof Shape]>>
}

type SortSchema<Sort extends string> = [Sort] extends [never]
  ? unknown
  : { sort: TOptional<TUnsafe<Sort | `-${Sort}`>> }

type QuerySchema<Shape, Filters, Search, Sort extends string> = TObject<
  SearchSchema<Search> &
    FilterSchemas<Shape, Filters> &
    SortSchema<Sort> & { page: TOptional<TInteger>; limit: TOptional<TInteger> }
>

/** A list that `defineList` has made. */
export interface DefinedList<
  Name extends string,
  Key extends string,
  Shape extends Columns,
  Fields,
  Filters,
  Search,
  People = unknown,
  Sort extends string = never
> extends List<Name, Shape> {
  /** Carries the type of the columns that the list adds to joined tables. Always undefined at run time. */
  readonly more?: People
  /** The JSON schema of the query, with default paging. */
  readonly query: QuerySchema<Shape, Filters, Search, Sort>
  /** The JSON schema of an item. */
  readonly item: ItemSchema<Shape, People, Fields>
  /** The JSON schema of a 200 answer. */
  readonly page: ReturnType<typeof pageSchema<Key, ItemSchema<Shape, People, Fields>>>
  /**
   * Returns a list with more columns, fields, filters, searched columns and orders. The path, the key and the OpenAPI texts
   * can be replaced, so that two versions of a list stand in one server. Everything else stays as it is.
   *
   * @throws TypeError for a name that is taken, and for every mistake that `defineList` refuses
   * @example
   * payments.extend({ columns: { currency: column.text() }, fields: { currency: { examples: ['EUR'] } } })
   */
  extend<
    MoreShape extends Columns = Record<never, never>,
    const MorePeopleColumns extends MorePeople = Record<never, never>,
    const MoreFields extends FieldEntries<Shape & MoreShape, People & MorePeopleColumns> = Record<never, never>,
    const MoreFilters extends FilterEntries<Shape & MoreShape> = Record<never, never>,
    const Searched extends MoreSearch<Shape & MoreShape, People & MorePeopleColumns> | undefined = undefined,
    const MoreSort extends Sortable<Shape & MoreShape> = never,
    const OtherKey extends string = Key
  >(
    additions: Additions<OtherKey, MoreShape, MoreFields, MoreFilters, Searched, MorePeopleColumns, MoreSort>
  ): DefinedList<
    Name,
    OtherKey,
    Shape & MoreShape,
    Fields & MoreFields,
    Filters & MoreFilters,
    Search extends object ? Search : Searched,
    People & MorePeopleColumns,
    Sort | MoreSort
  >
}

/** The rows that a list reads from its table, as a host's select must return them. */
export type RowOf<Of extends { readonly columns: Columns }> = {
  [Name in keyof Of['columns']]: Of['columns'][Name] extends TypedColumn<Kind, unknown, infer Cell> ? Cell : never
}

/** An item of a list. */
export type ItemOf<Of extends { readonly item: TSchema }> = Static<Of['item']>

/** A 200 answer of a list. */
export type PageOf<Of extends { readonly page: TSchema }> = Static<Of['page']>

/** The query of a list. */
export type QueryOf<Of extends { readonly query: TSchema }> = Static<Of['query']>
