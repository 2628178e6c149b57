/** `defineList` makes a list from its definition. The lists of the plugin and the lists of hosts use it. */
import { type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { checkAdditions, checkDefinition, checkExamples } from './check-definition.js'
import { type Column, type Columns, distinctTexts, enumSchema } from './columns.js'
import type { DefinedList } from './defined-list.js'
import type {
  Definition,
  FieldEntries,
  FilterEntries,
  OfKind,
  PlainDefinition,
  PlainEntry,
  SearchEntry
} from './definition.js'
import { type Field, type Filter, type Joinable, joinable } from './list.js'
import { people } from './people.js'
import { maxTextLength, pageSchema, querySchema } from './schemas.js'

/**
 * Defines a list: its columns, the fields of an item, the search, the filters, and whose records each role sees. Mount the
 * list with the option `lists` of `listingOptions`.
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
  const Newest extends OfKind<Shape, 'time'>,
  const Fields extends FieldEntries<Shape>,
  const Filters extends FilterEntries<Shape, Newest> = Record<never, never>,
  const Search extends SearchEntry<Shape> | undefined = undefined
>(
  definition: Definition<Name, Key, Shape, Newest, Fields, Filters, Search>
): DefinedList<Name, Key, Shape, Newest, Fields, Filters, Search> =>
  listOf(definition as unknown as PlainDefinition) as never

/** Whether a value is a list of `defineList`. */
export const isList = (value: unknown): boolean => definedLists.has(Object(value))

const definedLists = new WeakSet<object>()

function listOf(definition: PlainDefinition) {
  checkDefinition(definition)
  const { openapi, search, filters = {}, messages, ...ofRecords } = definition
  const { name: schemaName, ...operation } = openapi
  const { name, key, columns } = ofRecords
  const entries = Object.entries(definition.fields)
  const fields = Object.fromEntries(entries.map(([name, entry]) => [name, fieldOf(columns, name, entry)]))
  const joined = new Set(entries.map(([, { column = '' }]) => /^(\w+)\./.exec(column)?.[1]))
  const joins = Object.fromEntries(
    Object.entries(joinable)
      .filter(([table]) => joined.has(table))
      .map(([table, alias]) => [alias, table as Joinable])
  )
  const ofFilters = Object.entries(filters).flatMap(([name, entry]) => parametersOf(columns, name, entry))
  const parameters: TProperties = {
    ...(search && { search: searchParameter(search) }),
    ...Object.fromEntries(ofFilters.map(([name, , schema]) => [name, schema]))
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
    parameters,
    search: {
      records: searched.filter((column) => !column.includes('.')).map((column) => `r.${column}`),
      users: searched.filter((column) => column.includes('.')).map((column) => column.replace('users', 'u'))
    },
    filters: Object.fromEntries(ofFilters.map(([name, filter]) => [name, filter])),
    fields,
    joins,
    found: messages.found,
    forbidden: messages.forbidden,
    schemaName,
    item,
    answer: pageSchema(key, item),
    query: querySchema(parameters),
    extend(additions: Partial<Pick<PlainDefinition, 'columns' | 'fields' | 'filters'>> = {}) {
      checkAdditions(definition, additions)
      return listOf({
        ...definition,
        columns: { ...columns, ...additions.columns },
        fields: { ...definition.fields, ...additions.fields },
        filters: { ...filters, ...additions.filters }
      })
    }
  }
  definedLists.add(list)
  return Object.freeze(list)
}

function fieldOf(columns: Columns, name: string, { column = name, ...documented }: PlainEntry): Field {
  const [table, joined] = column.split('.') as [Joinable, string?]
  const aliased = joined === undefined ? `r.${column}` : `${joinable[table]}.${joined}`
  if (joined !== undefined && table === 'memberships') {
    const schema = Type.Array(Type.String(), { ...documented })
    return { column: aliased, schema, read: (_first, all) => distinctTexts(all()) }
  }
  const kind = (joined === undefined ? columns[column] : (people[table] as Columns)[joined]) as Column
  const { schema, format, read } = kind
  return { column: aliased, schema: schema({ ...documented }), format, read }
}

function searchParameter({ columns: _columns, required, ...documented }: NonNullable<PlainDefinition['search']>) {
  const text = Type.String({ maxLength: maxTextLength, ...documented })
  return required ? text : Type.Optional(text)
}

type FilterEntry = NonNullable<PlainDefinition['filters']>[string]

/** The parameters of a filter, each with its schema. */
function parametersOf(
  columns: Columns,
  name: string,
  { column = name, range, ...documented }: FilterEntry
): [name: string, filter: Filter, schema: TSchema][] {
  const { values, time } = columns[column] as Column
  if (range && time) {
    const { pattern, examples } = time
    const { description = `Only records by their ${name} time.` } = documented
    const schema = (end: string) =>
      Type.Optional(Type.String({ pattern, examples, description: `${description} ${end}` }))
    return [
      [`${name}_from`, { column, operator: '>=', time }, schema('From this time on.')],
      [`${name}_to`, { column, operator: '<', time }, schema('Before this time.')]
    ]
  }
  const schema = values ? enumSchema(values, documented) : Type.String({ maxLength: maxTextLength, ...documented })
  return [[name, { column, operator: '=' }, Type.Optional(schema)]]
}
