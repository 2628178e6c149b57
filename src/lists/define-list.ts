/** `defineList` makes a list from its definition. The lists of the plugin and the lists of hosts use it. */
import { type SchemaOptions, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { isPlainObject } from '../errors/describe.js'
import { type Column, type Columns, type Documented, distinctTexts, type ForRoles } from './columns.js'
import { parametersOf } from './filters.js'
import type { Field, List, Path } from './list.js'
import { checkExamples } from './mistakes/examples.js'
import { checkReferences } from './mistakes/references.js'
import { checkAdditions, checkShape } from './mistakes/shape.js'
import { orderOf, ordersOf, sortSchema } from './orders.js'
import { itemSchema, pageSchema, querySchema } from './schemas.js'
import { pathOf, searchOf, searchSchema } from './search.js'
import { type Joinable, joinable, joinsOf } from './shared-tables.js'
import type { DefinedList } from './types/defined-list.js'
import { type Additions, columnsOf, type Definition, isColumn, joinedOf } from './types/definition.js'

/**
 * Defines a list: the fields of an item, the search, the filters, and whose records each role sees. Mount the list with
 * the option `lists` of `defineOptions`.
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
 *   fields: {
 *     id: column.id({ examples: ['7'] }),
 *     issued_at: column.utcTime({ whenNull: 'error', examples: ['2024-03-01T09:30:00Z'] })
 *   },
 *   columns: { user_id: column.id() },
 *   id: 'id',
 *   owner: 'user_id',
 *   order: '-issued_at',
 *   roles: { Admin: 'all' },
 *   otherRoles: 'own',
 *   messages: { found: 'Certificates retrieved successfully.', forbidden: 'You may not see certificates.' }
 * })
 */
// An intersection of `Spec` and `Definition<Spec>` would say `never` where this says which names there are.
export const defineList = <const Spec>(
  definition: [Spec] extends [never] ? Spec : Definition<Spec>
): DefinedList<Spec> => define(given(definition as Definition)) as never

export const isList = (value: unknown): boolean => definedLists.has(Object(value))

const definedLists = new WeakSet<object>()

/** An undefined property, as in `otherRoles: isOpen ? 'all' : undefined`, is one that the definition leaves out. */
function given<Of>(value: Of): Of
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(given)
  if (!isPlainObject(value) || isColumn(value)) return value
  // Without a column or a condition that is undefined by mistake, callers would see more.
  const { own, linked }: { own?: unknown; linked?: unknown } = value
  const isKept = (name: string, property: unknown) =>
    property !== undefined || ((name === 'own' || name === 'linked') && own === linked)
  const properties = Object.entries(value).filter(([name, property]) => isKept(name, property))
  const isWhole = (name: string) => name === 'where' || name === 'within'
  return Object.fromEntries(
    properties.map(([name, property]) => [name, isWhole(name) ? copyOf(property) : given(property)])
  )
}

/** Keeps what is undefined. A copy, so that a later change of the definition has no effect. */
function copyOf(conditions: unknown): unknown {
  if (!isPlainObject(conditions)) return conditions
  const entries = Object.entries(conditions as Record<string, unknown>)
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]))
}

function define(definition: Definition) {
  checkShape(definition)
  checkReferences(definition)
  const { sort = [], search, filters = {}, columns: _columns, unshown: _unshown, ...kept } = definition
  const { name, key, paging, roles, otherRoles = 'none', within = {} } = kept

  const columns = columnsOf(definition)
  const joined = joinedOf(definition)
  const fields = mapped(definition.fields, (entry, name) => fieldOf(name, entry, columns, joined))

  const ofFilters = Object.entries(filters).flatMap(([name, filter]) => parametersOf(columns, name, filter))
  const order = orderOf(definition.order)
  const orders = ordersOf(sort)
  const searched = search?.columns.map((column) => onlyFor(fields, pathOf(column), `Reads ${column} only`)) ?? []
  const sorted = sort.map((column) => onlyFor(fields, `r.${column}`, `Takes ${column} only`))
  const parameters: TProperties = {
    ...(search && { search: described(searchSchema(search), ...searched) }),
    ...Object.fromEntries(
      ofFilters.map(({ name, column, schema }) => [
        name,
        Type.Optional(described(schema, onlyFor(fields, `r.${column}`, 'Only')))
      ])
    ),
    ...(sort.length > 0 && { sort: described(sortSchema(orders), ...sorted) })
  }
  checkExamples(name, fields, parameters)

  const item = itemSchema(fields)
  const filtersByName = Object.fromEntries(ofFilters.map(({ name, schema: _schema, ...filter }) => [name, filter]))
  const asked = { key, paging, parameters, filters: filtersByName }

  const list = {
    ...kept,
    definition,
    columns: Object.freeze(columns),
    joined,
    fields,
    joins: joinsOf(fields),
    order,
    orders: { '': order, ...orders },
    search: searchOf(search),
    ...asked,
    roles: Object.freeze(structuredClone(roles)),
    otherRoles: structuredClone(otherRoles),
    within: Object.freeze({ ...within }) as Readonly<Record<string, string>>,
    item,
    page: pageSchema(asked, item),
    query: querySchema(asked),
    extend(additions: Additions = {}) {
      const added = given(additions)
      checkAdditions(definition, added)
      return define(extended(definition, added))
    }
  }
  definedLists.add(list)
  return Object.freeze(list)
}

const mapped = <From, To>(record: Readonly<Record<string, From>>, make: (value: From, name: string) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]))

/** `Lead`, `Lead or Desk`, `Lead, Desk or Admin` */
const oneOf = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')

/** `Takes state only where Lead or Desk reaches the record.` Nothing for a column that every role sees. */
function onlyFor(fields: List['fields'], path: Path, what: string): string {
  const showing = Object.values(fields).filter(({ column }) => column === path)
  const readers = showing.flatMap(({ roles = [] }) => roles)
  const isForAll = showing.length === 0 || showing.some(({ roles }) => !roles)
  return isForAll ? '' : `${what} where ${oneOf([...new Set(readers)])} reaches the record.`
}

const described = <Of extends TSchema>(schema: Of, ...texts: readonly string[]): Of => {
  const description = [schema.description, ...texts].filter(Boolean).join(' ')
  return { ...schema, ...(description && { description }) }
}

function fieldOf(
  name: string,
  entry: Definition['fields'][string],
  columns: Columns,
  joined: Readonly<Record<string, Columns>>
): Field {
  const given: { column?: string; roles?: ForRoles['roles'] | undefined } & Partial<Documented> = isColumn(entry)
    ? { ...entry.documented, ...(entry.roles && { roles: entry.roles }) }
    : entry
  const { column = name, roles: readers, ...texts } = given
  const roles = readers && [...readers]
  const only = roles ? `Only where ${oneOf(roles)} reaches the record.` : ''
  const documented = described({ ...texts } as TSchema, only) as SchemaOptions
  const [table, inTable] = column.split('.') as [Joinable, string?]
  const path: Path = inTable === undefined ? `r.${column}` : `${joinable[table]}.${inTable}`
  if (path.startsWith('m.')) {
    const schema = Type.Array(Type.String(), documented)
    return { column: path, roles, schema, read: (_first, all) => distinctTexts(all()) }
  }
  const { schema, format, read } = (inTable === undefined ? columns : (joined[table] as Columns))[
    inTable ?? column
  ] as Column
  return { column: path, roles, schema: schema(documented), format, read }
}

const merged = <Of extends object>(one: Of | undefined, other: Of | undefined) => ({ ...one, ...other }) as Of

function extended(definition: Definition, { path, key, paging, record, ...more }: Additions): Definition {
  const { search } = more
  return {
    ...definition,
    ...(path && { path }),
    ...(key && { key }),
    ...(record && { record }),
    ...(paging && { paging }),
    openapi: { ...definition.openapi, ...more.openapi },
    columns: merged(definition.columns, more.columns),
    joined: {
      users: merged(definition.joined?.users, more.joined?.users),
      practitioners: merged(definition.joined?.practitioners, more.joined?.practitioners)
    },
    fields: merged(definition.fields, more.fields),
    ...(search && {
      search: {
        examples: [],
        ...definition.search,
        ...search,
        columns: [...(definition.search?.columns ?? []), ...(search.columns ?? [])]
      }
    }),
    filters: mapped(merged(definition.filters, more.filters), (filter, name) => ({
      ...definition.filters?.[name],
      ...filter
    })),
    sort: [...(definition.sort ?? []), ...(more.sort ?? [])],
    unshown: [...(definition.unshown ?? []), ...(more.unshown ?? [])]
  } as Definition
}
