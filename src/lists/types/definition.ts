/** What `defineList` takes. `Spec` is the type of what the author has written, so only names of columns fit. */
import type { Kind } from '../../kinds/index.js'
import type { Column, Columns, Documented, ForRoles } from '../column.js'
import type { FilterEntry, WayName, WayOf } from '../filter-parameters.js'
import type { ListMessages, OpenapiTexts, RecordRoute } from '../list.js'
import type { RoleReach } from '../roles.js'
import type { SearchEntry } from '../search-parameter.js'
import { sharedTables } from '../shared-tables.js'
import type { ColumnsOf, IdOf, JoinedName, JoinedOf, Names, NamesFor, PropertyOf, TextsOf, WhereOf } from './names.js'

/** The definition of a list: one file says everything about the list. */
export interface Definition<Spec = unknown> {
  /** The name of the list in `tables`, `roles`, `messages` and the log. Also the name of its default table. */
  readonly name: string
  /** The path of the route, after the `prefix` of the registration. */
  readonly path: `/${string}`
  /** The property of the answer that holds the items. */
  readonly key: string
  /**
   * How a client asks for the next page. `'number'`: `?page=2`, with a total. `'after'`:
   * `?after=<next of the page before>`, so that records that come and go move no other; the total only for
   * `?total=true`.
   *
   * @default 'number'
   */
  readonly paging?: 'number' | 'after'
  /** Gives one record by its id to those who see it in the list: `{ path: '/lesson/:lesson_id', key: 'lesson', … }`. */
  readonly record?: RecordRoute
  /** What the OpenAPI document says of the list. */
  readonly openapi: OpenapiTexts
  /** The columns of the list's table that no field shows, or that a field shows under another name. */
  readonly columns?: GivenColumns<Spec> | undefined
  /** More columns of `users` and `practitioners`, for fields and the search. */
  readonly joined?: MoreJoined<Spec> | undefined
  /** The column of the record's id. A field has the same name. */
  readonly id: NamesFor<Spec, 'id'>
  /**
   * The column of the record's user, as in `users.user_id`. May be null. Without a field of this column, the
   * conformance checks cannot see whose record an item is. A list without users has no owner.
   */
  readonly owner?: NamesFor<Spec, 'id'> | undefined
  /** The time or date that sorts the list: `'-issued_at'` is newest first, `'issued_at'` oldest first. Never null. */
  readonly order: `${'-' | ''}${NamesFor<Spec, 'order'>}`
  /**
   * The columns that the parameter `sort` may name: `?sort=name`, or `?sort=-name` from the greatest to the least.
   * Records without a value come last in both.
   */
  readonly sort?: readonly NamesFor<Spec, 'sort'>[] | undefined
  /** The column of the practitioner, as in `practitioners.practitioner_id`, for fields of `practitioners`. */
  readonly practitioner?: NamesFor<Spec, 'id'> | undefined
  /** The fields of an item, in their order. A column of the list's table can stand here instead of in `columns`. */
  readonly fields: FieldsOf<Spec>
  /** The parameter `search`. Without this property, the list has no search. */
  readonly search?: SearchEntry<NamesFor<Spec, 'search'> | TextsOf<JoinedOf<Spec>, 'users'>> | undefined
  /** The parameters that keep records by their columns. */
  readonly filters?: FiltersOf<Spec> | undefined
  /**
   * The columns that no field shows, although `search`, `sort` or a filter reads them, so that every role can find out
   * their values: `?cost_from=5` tells whose `cost` is at least 5. A column for some roles has a field with `roles`.
   */
  readonly unshown?: readonly (Names<ColumnsOf<Spec>>[Kind] | TextsOf<JoinedOf<Spec>, 'users'>)[] | undefined
  /**
   * Whose records each role sees: `'own'`, `'linked'`, `'all'`, `'none'`, `{ own: 'instructor_id' }`,
   * `{ linked: 'clinic_id', by: 'clinic_staff' }`, `{ where: { region: 'south' } }`, or an array of such objects for
   * the records of any of them. `where` narrows each of them: `{ own: 'user_id', where: { state: 'open' } }`.
   */
  readonly roles: Readonly<Record<string, RoleReach<IdOf<ColumnsOf<Spec>>, WhereOf<ColumnsOf<Spec>>> | undefined>>
  /**
   * The reach of a role that `roles` does not name.
   *
   * @default 'none'
   */
  readonly otherRoles?: RoleReach<IdOf<ColumnsOf<Spec>>, WhereOf<ColumnsOf<Spec>>> | undefined
  /**
   * The columns of every record that the caller may see, each with the name of its id in `ids` of `resolveRole`:
   * `{ tenant_id: 'tenant' }` limits every reach, `'all'` too. A caller without the id gets a 500.
   */
  readonly within?: { readonly [Name in IdOf<ColumnsOf<Spec>>]?: string } | undefined
  /** The texts of the list. The option `messages` replaces them under the names `…Found` and `…Forbidden`. */
  readonly messages: ListMessages
}

type Optional<Of> = { readonly [Name in keyof Of]?: Of[Name] | undefined }

/** What `extend` adds, and the path, key and OpenAPI texts that it replaces. `Before` has the names of the filters. */
export interface Additions<Spec = unknown, Before = never>
  extends Optional<
    Pick<Definition<Spec>, 'path' | 'key' | 'paging' | 'record' | 'columns' | 'joined' | 'fields' | 'sort' | 'unshown'>
  > {
  /** More filters, and `{ counted: true }` for those that the list has. */
  readonly filters?: FiltersOf<Spec, Before> | undefined
  /** Other texts for the OpenAPI document. */
  readonly openapi?: Optional<OpenapiTexts> | undefined
  /** More columns for the search, and another description and other examples. */
  readonly search?:
    | (Pick<SearchEntry<NamesFor<Spec, 'search'> | TextsOf<JoinedOf<Spec>, 'users'>>, 'columns'> & Optional<Documented>)
    | undefined
}

/** Without the undefined ones, once the definition has been read. */
type GivenColumns<Spec> = unknown extends Spec ? Columns : Readonly<Record<string, Column | undefined>>

/** More columns of the tables that lists join. */
export interface MoreJoined<Spec = unknown> {
  /** More columns of `users`. */
  readonly users?: GivenColumns<Spec> | undefined
  /** More columns of `practitioners`. */
  readonly practitioners?: GivenColumns<Spec> | undefined
}

/** A field of another name than its column, or of another table. */
interface FieldEntry<Spec> extends Documented, Optional<ForRoles> {
  /** The column that the field shows. */
  readonly column: Names<ColumnsOf<Spec>>[Kind] | JoinedName<Spec>
}

type FieldsOf<Spec, Fields = PropertyOf<Spec, 'fields'>> = unknown extends Spec
  ? Readonly<Record<string, Column | FieldEntry<Spec>>>
  : {
      readonly [Name in keyof Fields]?: Fields[Name] extends Column | undefined
        ? Column | undefined
        : FieldEntry<Spec> | undefined
    }

/** A filter that is named after no column that its way compares must say its column. */
type FiltersOf<Spec, Before = never, Filters = PropertyOf<Spec, 'filters'>> = unknown extends Spec
  ? Readonly<Record<string, FilterEntry>>
  : {
      readonly [Name in keyof Filters]?: Name extends Before
        ? Pick<FilterEntry, 'counted'> | undefined
        : FilterOf<Name, WayOf<Filters[Name]>, NamesFor<Spec, WayOf<Filters[Name]>>> | undefined
    }

type FilterOf<Name, Way extends WayName, Column extends string> = FilterEntry<Column> &
  (Name extends Column ? unknown : Required<Pick<FilterEntry<Column>, 'column'>>) &
  (Way extends 'equal' | 'several' ? Pick<Documented, 'examples'> : unknown)

export const isColumn = (entry: object): entry is Column => 'whenNull' in entry

/** The columns of the list's table: those of `columns`, and the fields that are columns. */
export const columnsOf = ({ columns, fields }: Pick<Definition, 'columns' | 'fields'>): Columns => ({
  ...Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Column] => isColumn(entry[1]))),
  ...columns
})

/** The columns of the joined tables, with those that the definition adds. */
export const joinedOf = ({ joined: more = {} }: Pick<Definition, 'joined'>): Readonly<Record<string, Columns>> => ({
  ...sharedTables,
  users: { ...sharedTables.users, ...more.users },
  practitioners: { ...sharedTables.practitioners, ...more.practitioners }
})
