/** The types of a list's item, of its pages and of its query. `Spec` is the type of the definition. */
import type { Column, ForRoles } from '../column.js'
import type { WayName, WayOf } from '../filter-parameters.js'
import type { ColumnsOf, JoinedOf, MembersOf, PropertyOf } from './names.js'
import type { AfterParameters, AfterProperties, PageParameters, PageProperties } from './pages.js'

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

/** An item of a list. */
export type Item<Spec, Fields = MembersOf<Spec, 'fields'>> = [Partly<Fields>] extends [never]
  ? Values<Spec, Fields, keyof Fields>
  : Flat<Values<Spec, Fields, Exclude<keyof Fields, Partly<Fields>>> & Partial<Values<Spec, Fields, Partly<Fields>>>>

/** The filters that can be counted. */
type CountedName<Spec, Filters = PropertyOf<Spec, 'filters'>> = {
  [Name in keyof Filters]: Filters[Name] extends { readonly counted: true } ? Name & string : never
}[keyof Filters]

type ValueText<Value> = Value extends boolean ? `${Value}` : Value & string

type CountsOf<Spec, Filters = PropertyOf<Spec, 'filters'>> = {
  [Name in CountedName<Spec> & keyof Filters]?: Record<
    ValueText<Exclude<ParameterAt<Spec, Filters, Name>, readonly unknown[]>>,
    number
  >
}

/** What a list with counted filters adds, of its answers or of its query. */
type IfCounted<Spec, More> = [CountedName<Spec>] extends [never] ? unknown : More

type ByPaging<Spec, Numbered, After> = PropertyOf<Spec, 'paging'> extends 'after' ? After : Numbered

/** A 200 answer of a list. */
export type PageBody<Spec> = Flat<
  ByPaging<Spec, PageProperties, AfterProperties> &
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

type ParameterAt<Spec, Filters, Name extends keyof Filters> = ParameterBy<
  ColumnsOf<Spec>[ColumnAt<Filters[Name], Name> & keyof ColumnsOf<Spec>]
>[WayOf<Filters[Name]>]

type RangeName<Filters> = {
  [Name in keyof Filters]: Filters[Name] extends { readonly range: true } ? Name : never
}[keyof Filters]

type FilterQuery<
  Spec,
  Filters = MembersOf<Spec, 'filters'>,
  Ranges extends keyof Filters = RangeName<Filters>,
  Compared extends keyof Filters = Exclude<keyof Filters, Ranges>
> = {
  // Without `as`, the comment above a filter is also the hover of its parameter.
  -readonly [Name in Compared]?: ParameterAt<Spec, Filters, Name>
} & {
  -readonly [Name in Ranges as `${Name & string}_from` | `${Name & string}_to`]?: ParameterAt<Spec, Filters, Name>
}

interface SearchQuery {
  /**
   * Part of a text that is searched, of at most 256 characters. The text is literal, and ASCII letters match in either
   * case. An empty text matches every record.
   */
  search: string
}

/** The query of a list. */
export type Query<Spec> = Flat<
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
        counts?: CountedName<Spec> | readonly CountedName<Spec>[]
      }
    > &
    ByPaging<Spec, PageParameters, AfterParameters>
>
