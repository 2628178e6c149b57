/** The types of a list that `defineList` has made, and of its rows, items, pages and queries. */
import type { Static, TArray, TInteger, TObject, TOptional, TSchema, TString, TUnsafe } from '@sinclair/typebox'
import type { Columns, Kind, TypedColumn } from './columns.js'
import type { Additions, FieldEntries, FilterEntries } from './definition.js'
import type { List } from './list.js'
import type { people } from './people.js'
import type { pageSchema } from './schemas.js'

type ColumnOf<Entries, Name extends keyof Entries> = Entries[Name] extends { column: infer Column } ? Column : Name

type SchemaOf<Of> = Of extends { read(text: never): infer Value } ? TUnsafe<Value> : never

type FieldSchema<Shape, ColumnName> = ColumnName extends keyof Shape
  ? SchemaOf<Shape[ColumnName]>
  : ColumnName extends `memberships.${string}`
    ? TArray<TString>
    : ColumnName extends `${infer Table extends 'users' | 'practitioners'}.${infer Name}`
      ? SchemaOf<(typeof people)[Table][Name & keyof (typeof people)[Table]]>
      : never

type ItemSchema<Shape, Fields> = TObject<{
  [Name in keyof Fields & string]: FieldSchema<Shape, ColumnOf<Fields, Name>>
}>

type SearchSchema<Search> = Search extends { required: true }
  ? { search: TString }
  : Search extends object
    ? { search: TOptional<TString> }
    : unknown

type ParameterSchema<Of> = Of extends { kind: 'enum'; read(text: never): infer Value }
  ? TUnsafe<Exclude<Value, null>>
  : TString

type FilterSchemas<Shape, Filters> = {
  [Name in keyof Filters & string as Filters[Name] extends { range: true }
    ? `${Name}_from` | `${Name}_to`
    : Name]: TOptional<
    Filters[Name] extends { range: true } ? TString : ParameterSchema<Shape[ColumnOf<Filters, Name> & keyof Shape]>
  >
}

type QuerySchema<Shape, Filters, Search> = TObject<
  SearchSchema<Search> & FilterSchemas<Shape, Filters> & { page: TOptional<TInteger>; limit: TOptional<TInteger> }
>

/** A list that `defineList` has made. */
export interface DefinedList<
  Name extends string,
  Key extends string,
  Shape extends Columns,
  Newest extends string,
  Fields,
  Filters,
  Search
> extends List<Name, Shape> {
  /** The JSON schema of the query, with default paging. */
  readonly query: QuerySchema<Shape, Filters, Search>
  /** The JSON schema of an item. */
  readonly item: ItemSchema<Shape, Fields>
  /** The JSON schema of a 200 answer. */
  readonly answer: ReturnType<typeof pageSchema<Key, ItemSchema<Shape, Fields>>>
  /**
   * Returns a list with more columns, fields and filters. Everything else stays as it is.
   *
   * @throws TypeError for a name that is taken, and for every mistake that `defineList` refuses
   * @example
   * payments.extend({ columns: { currency: column.text() }, fields: { currency: { examples: ['EUR'] } } })
   */
  extend<
    MoreShape extends Columns = Record<never, never>,
    const MoreFields extends FieldEntries<Shape & MoreShape> = Record<never, never>,
    const MoreFilters extends FilterEntries<Shape & MoreShape, Newest> = Record<never, never>
  >(
    additions: Additions<MoreShape, MoreFields, MoreFilters>
  ): DefinedList<Name, Key, Shape & MoreShape, Newest, Fields & MoreFields, Filters & MoreFilters, Search>
}

/** The rows that a list reads from its table, as a host's select must return them. */
export type RowOf<Of extends { readonly columns: Columns }> = {
  [Name in keyof Of['columns']]: Of['columns'][Name] extends TypedColumn<Kind, unknown, infer Cell> ? Cell : never
}

/** An item of a list. */
export type ItemOf<Of extends { readonly item: TSchema }> = Static<Of['item']>

/** A 200 answer of a list. */
export type PageOf<Of extends { readonly answer: TSchema }> = Static<Of['answer']>

/** The query of a list. */
export type QueryOf<Of extends { readonly query: TSchema }> = Static<Of['query']>
