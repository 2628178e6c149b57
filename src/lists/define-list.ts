/** `defineList` makes a list from its definition. The lists of the plugin and the lists of hosts use it. */
import { type TProperties, Type } from '@sinclair/typebox'
import { checkAdditions } from './check-additions.js'
import { checkDefinition } from './check-definition.js'
import { checkExamples } from './check-examples.js'
import { type Column, type Columns, distinctTexts } from './columns.js'
import type { DefinedList } from './defined-list.js'
import type { Definition } from './definition.js'
import type { FieldEntries, FilterEntries, MorePeople, SearchEntry, Sortable } from './fields-and-filters.js'
import { type Field, type Joinable, joinable, type Order } from './list.js'
import { parametersOf, searchParameter, sortParameter } from './parameters.js'
import { people } from './people.js'
import type { PlainAdditions, PlainDefinition, PlainEntry } from './plain-definition.js'
import { pageSchema, querySchema } from './schemas.js'

/**
 * Defines a list: its columns, the fields of an item, the search, the filters, and whose records each role sees. Mount the
 * list with the option `lists` of `defineOptions`.
 *
 * @throws TypeError for what the compiler refuses, because a host may be written in JavaScript, and for an example that
 *   does not fit its field
 * @example
 * export const certificates = defineList({
 *   name: 'certificates',
 *   path: '/certificate/list',
 *   key: 'certificates',
 *   openapi: {
 *     name: 'Certificate', operationId: 'listCertificates', summary: 'List certificates', description: 'Newest first.'
 *   },
 *   columns: { id: column.id(), user_id: column.id(), issued_at: column.utcTime({ whenNull: 'error' }) },
 *   id: 'id',
 *   owner: 'user_id',
 *   newest: 'issued_at',
 *   fields: { id: { examples: ['7'] }, issued_at: { examples: ['2024-03-01T09:30:00Z'] } },
 *   roles: { Admin: 'all' },
 *   otherRoles: 'own',
 *   messages: { found: 'Certificates retrieved successfully.', forbidden: 'You may not see certificates.' }
 * })
 */
export const defineList = <
  const Name extends string,
  const Key extends string,
  Shape extends Columns,
  const Fields extends FieldEntries<Shape, People>,
  const Filters extends FilterEntries<Shape> = Record<never, never>,
  const Search extends SearchEntry<Shape, People> | undefined = undefined,
  const People extends MorePeople = Record<never, never>,
  const Sort extends Sortable<Shape> = never
>(
  definition: Definition<Name, Key, Shape, Fields, Filters, Search, People, Sort>
): DefinedList<Name, Key, Shape, Fields, Filters, Search, People, Sort> =>
  listOf(definition as unknown as PlainDefinition) as never

/** Whether a value is a list of `defineList`. */
export const isList = (value: unknown): boolean => definedLists.has(Object(value))

const definedLists = new WeakSet<object>()

function listOf(definition: PlainDefinition) {
  checkDefinition(definition)
  const { openapi, search, filters = {}, messages, newest, oldest, sort = [], people: more, ...ofRecords } = definition
  const { name: schemaName, ...operation } = openapi
  const { name, key, columns } = ofRecords
  const tables = peopleOf(more)
  const entries = Object.entries(definition.fields)
  const fields = Object.fromEntries(entries.map(([name, entry]) => [name, fieldOf(columns, tables, name, entry)]))
  const joined = new Set(entries.map(([, { column = '' }]) => /^(\w+)\./.exec(column)?.[1]))
  const joins = Object.fromEntries(
    Object.entries(joinable)
      .filter(([table]) => joined.has(table))
      .map(([table, alias]) => [alias, table as Joinable])
  )
  const ofFilters = Object.entries(filters).flatMap(([name, entry]) => parametersOf(columns, name, entry))
  const order: Order = newest ? { column: newest, direction: 'desc' } : { column: String(oldest), direction: 'asc' }
  const orders = Object.fromEntries(
    sort.flatMap((column): [string, Order][] => [
      [column, { column, direction: 'asc' }],
      [`-${column}`, { column, direction: 'desc' }]
    ])
  )
  const parameters: TProperties = {
    ...(search && { search: searchParameter(search) }),
    ...Object.fromEntries(ofFilters.map(([name, , schema]) => [name, schema])),
    ...(sort.length > 0 && { sort: sortParameter(Object.keys(orders)) })
  }
  checkExamples(name, fields, parameters)
  const searched = search?.columns ?? []
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema])
  const item = Type.Object(Object.fromEntries(schemas), { additionalProperties: false })
  const list = {
    otherRoles: 'none',
    ...ofRecords,
    // A later change of the definition has no effect.
    columns: Object.freeze({ ...columns }),
    roles: Object.freeze({ ...ofRecords.roles }),
    ...operation,
    people: tables,
    order,
    orders: { '': order, ...orders },
    parameters,
    search: {
      records: searched.filter((column) => !column.includes('.')).map((column) => `r.${column}`),
      users: searched.filter((column) => column.includes('.')).map((column) => column.replace('users', 'u')),
      term: search?.term ?? String
    },
    filters: Object.fromEntries(ofFilters.map(([name, filter]) => [name, filter])),
    ranges: Object.entries(filters).flatMap(([name, { column = name, range }]) =>
      range ? [{ from: `${name}_from`, to: `${name}_to`, form: columns[column]?.form }] : []
    ),
    fields,
    joins,
    found: messages.found,
    forbidden: messages.forbidden,
    schemaName,
    item,
    page: pageSchema(key, item),
    query: querySchema(parameters),
    extend(additions: PlainAdditions = {}) {
      checkAdditions(definition, additions)
      const { path = definition.path, key = definition.key, openapi, search, ...others } = additions
      return listOf({
        ...definition,
        path,
        key,
        openapi: { ...definition.openapi, ...openapi },
        columns: { ...columns, ...others.columns },
        people: addedPeople(more, others.people),
        fields: { ...definition.fields, ...others.fields },
        ...(search && {
          search: {
            ...definition.search,
            ...search,
            columns: [...searched, ...(search.columns ?? [])]
          }
        }),
        filters: { ...filters, ...others.filters },
        sort: [...sort, ...(others.sort ?? [])]
      })
    }
  }
  definedLists.add(list)
  return Object.freeze(list)
}

/** Both tables have the columns of both. */
const addedPeople = (one: object = {}, other: object = {}): Record<'users' | 'practitioners', Columns> => {
  const both = (table: keyof MorePeople) => ({ ...(one as MorePeople)[table], ...(other as MorePeople)[table] })
  return { users: both('users'), practitioners: both('practitioners') }
}

/** The columns of the joined tables, with those that the definition adds. */
const peopleOf = (more?: MorePeople): Readonly<Record<string, Columns>> => ({ ...people, ...addedPeople(people, more) })

function fieldOf(
  columns: Columns,
  tables: Readonly<Record<string, Columns>>,
  name: string,
  { column = name, ...documented }: PlainEntry
): Field {
  const [table, joined] = column.split('.') as [Joinable, string?]
  const aliased = joined === undefined ? `r.${column}` : `${joinable[table]}.${joined}`
  if (joined !== undefined && table === 'memberships') {
    const schema = Type.Array(Type.String(), { ...documented })
    return { column: aliased, schema, read: (_first, all) => distinctTexts(all()) }
  }
  const kind = (joined === undefined ? columns[column] : tables[table]?.[joined]) as Column
  const { schema, format, read } = kind
  return { column: aliased, schema: schema({ ...documented }), format, read }
}
