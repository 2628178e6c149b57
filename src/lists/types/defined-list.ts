/** The types of a list that `defineList` has made, and of its rows, items, pages and queries. */
import type { Static, TSchema } from '@sinclair/typebox'
import type { CellOf, Column, ForRoles } from '../columns.js'
import type { WayName, WayOf } from '../filters.js'
import type { List } from '../list.js'
import type { AfterParameters, AfterProperties, PageParameters, PageProperties } from '../schemas.js'
import type { Additions, ColumnsOf, JoinedOf, LeftOut, MembersOf, PropertyOf } from './definition.js'
import type { ObjectSchema } from './object-schema.js'

/** An intersection as one object. */
type Flat<Of> = { [Name in keyof Of]: Of[Name] }

type ValueOf<Of> = Of extends { read(text: never): infer Value } ? Value : never

/** The value of a field that shows `users.email`, for example. */
type ValueAt<Spec, Path> = Path extends keyof ColumnsOf<Spec>
  ? ValueOf<ColumnsOf<Spec>[Path]>
  : Path extends `memberships.${string}`
    ? string[]
    : Path extends `${infer Table extends 'users' | 'practitioners'}.${infer Name}`
      ? ValueOf<JoinedOf<Spec>[Table][Name & keyof JoinedOf<Spec>[Table]]>
      : never

type ColumnAt<Entry, Name> = Entry extends { readonly column: infer Path extends string } ? Path : Name

type Values<Spec, Fields, Names extends keyof Fields> = {
  -readonly [Name in Names]: Fields[Name] extends Column | undefined
    ? ValueOf<Fields[Name]>
    : ValueAt<Spec, PropertyOf<Exclude<Fields[Name], undefined>, 'column'>>
}

/** The fields that only some roles get, and those that can be undefined in the definition. */
type Partly<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends ForRoles | undefined
    ? Name
    : undefined extends Fields[Name]
      ? Name
      : never
}[keyof Fields]

type Item<Spec, Fields = MembersOf<Spec, 'fields'>> = [Partly<Fields>] extends [never]
  ? Values<Spec, Fields, keyof Fields>
  : Flat<Values<Spec, Fields, Exclude<keyof Fields, Partly<Fields>>> & Partial<Values<Spec, Fields, Partly<Fields>>>>

/** The filters that can be counted. */
type CountedName<Filters> = {
  [Name in keyof Filters]: Filters[Name] extends { readonly counted: true } ? Name & string : never
}[keyof Filters]

type ValueText<Value> = Value extends boolean ? `${Value}` : Value & string

type CountsOf<Spec, Filters = PropertyOf<Spec, 'filters'>> = {
  [Name in CountedName<Filters> & keyof Filters]?: Record<
    ValueText<Exclude<ParameterAt<Spec, Filters, Name>, readonly unknown[]>>,
    number
  >
}

/** What a list with counted filters adds, of its answers or of its query. */
type IfCounted<Spec, More> = [CountedName<PropertyOf<Spec, 'filters'>>] extends [never] ? unknown : More

type IsAfter<Spec> = PropertyOf<Spec, 'paging'> extends 'after' ? true : false

type PageBody<Spec> = Flat<
  (IsAfter<Spec> extends true ? AfterProperties : PageProperties) &
    IfCounted<
      Spec,
      {
        /** The numbers that the parameter `counts` asks for, by filter and value. */
        counts?: CountsOf<Spec>
      }
    > & { [Key in PropertyOf<Spec, 'key'> & string]: Item<Spec>[] }
>

/** A parameter that is a text in a query string is a number or a boolean in `find`. */
type ParameterOf<Of> = Exclude<ValueOf<Of>, null>

interface ParameterBy<Of> extends Record<WayName, unknown> {
  equal: ParameterOf<Of>
  several: ParameterOf<Of> | readonly ParameterOf<Of>[]
  range: ParameterOf<Of>
  present: boolean
}

type RangeName<Filters> = {
  [Name in keyof Filters]: Filters[Name] extends { readonly range: true } ? Name : never
}[keyof Filters]

type ParameterAt<Spec, Filters, Name extends keyof Filters> = ParameterBy<
  ColumnsOf<Spec>[ColumnAt<Filters[Name], Name> & keyof ColumnsOf<Spec>]
>[WayOf<Filters[Name]>]

/** Without `as`, the comment above a filter is also the hover of its parameter. */
type ComparedQuery<Spec, Filters, Names extends keyof Filters> = {
  -readonly [Name in Names]?: ParameterAt<Spec, Filters, Name>
}

type RangeQuery<Spec, Filters, Names extends keyof Filters> = {
  -readonly [Name in Names as `${Name & string}_from` | `${Name & string}_to`]?: ParameterAt<Spec, Filters, Name>
}

type FilterQuery<
  Spec,
  Filters = MembersOf<Spec, 'filters'>,
  Ranges extends keyof Filters = RangeName<Filters>
> = ComparedQuery<Spec, Filters, Exclude<keyof Filters, Ranges>> & RangeQuery<Spec, Filters, Ranges>

interface SearchQuery {
  /**
   * Part of a text that is searched, of at most 256 characters. The text is literal, and ASCII letters match in either
   * case. An empty text matches every record.
   */
  search: string
}

type Query<Spec> = Flat<
  (PropertyOf<Spec, 'search'> extends { readonly required: true }
    ? SearchQuery
    : PropertyOf<Spec, 'search'> extends object
      ? Partial<SearchQuery>
      : unknown) &
    FilterQuery<Spec> &
    (PropertyOf<Spec, 'sort'> extends readonly (infer Name extends string)[] ? { sort?: Name | `-${Name}` } : unknown) &
    IfCounted<
      Spec,
      {
        /** The filters whose values are counted. */
        counts?: CountedName<PropertyOf<Spec, 'filters'>> | readonly CountedName<PropertyOf<Spec, 'filters'>>[]
      }
    > &
    (IsAfter<Spec> extends true ? AfterParameters : PageParameters)
>

/** The definition of an extended list. Not exported, so that a host's declarations show its members. */
type Extended<Spec, More> = {
  readonly [Name in keyof Spec | keyof More]: Name extends Exclude<keyof Spec, LeftOut<Spec>>
    ? Name extends Exclude<keyof More, LeftOut<More>>
      ? Name extends 'columns' | 'joined' | 'fields' | 'filters'
        ? Spec[Name] & More[Name]
        : Name extends 'sort' | 'unshown'
          ? Spec[Name] | More[Name]
          : Name extends 'path' | 'key' | 'paging' | 'record'
            ? More[Name]
            : Spec[Name]
      : Spec[Name]
    : More[Name & keyof More]
}

/** A list that `defineList` has made. `Spec` is the type of its definition. */
export interface DefinedList<Spec> extends List<PropertyOf<Spec, 'name'> & string, ColumnsOf<Spec>> {
  /** The definition, which `extend` adds to. */
  readonly definition: Spec
  /** The JSON schema of the query, with default paging. */
  readonly query: ObjectSchema<Query<Spec>>
  /** The JSON schema of an item. */
  readonly item: ObjectSchema<Item<Spec>>
  /** The JSON schema of a 200 answer. */
  readonly page: ObjectSchema<PageBody<Spec>>
  /**
   * Returns a list with more columns, fields, filters, searched columns and orders. The path, the key and the OpenAPI
   * texts can be replaced, so that two versions of a list stand in one server. Everything else stays as it is.
   *
   * @throws TypeError for a name that is taken, and for every mistake that `defineList` refuses
   * @example
   * payments.extend({ fields: { currency: column.text({ examples: ['EUR'] }) } })
   */
  extend<const More>(
    additions: [More] extends [never] ? More : Additions<Extended<Spec, More>, keyof MembersOf<Spec, 'filters'>>
  ): DefinedList<Extended<Spec, More>>
}

/** The rows that a list reads from its table, as a host's select must return them. */
export type RowOf<Of extends { readonly columns: object }> = {
  -readonly [Name in keyof Of['columns']]: CellOf<Of['columns'][Name]>
}

/** An item of a list. */
export type ItemOf<Of extends { readonly item: TSchema }> = Static<Of['item']>

/** A 200 answer of a list. */
export type PageOf<Of extends { readonly page: TSchema }> = Static<Of['page']>

/** The query of a list. */
export type QueryOf<Of extends { readonly query: TSchema }> = Static<Of['query']>
