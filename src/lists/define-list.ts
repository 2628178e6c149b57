/** `defineList` makes a list from its definition. The lists of the plugin and the lists of hosts use it. */
import { type TProperties, Type } from '@sinclair/typebox'
import { joinsOf, pathOf } from './aliases.js'
import { itemSchema, pageSchema } from './answer-schemas.js'
import { extended, given } from './extend.js'
import { described, fieldsOf, onlyFor } from './fields.js'
import { parametersOf } from './filter-parameters.js'
import { checkExamples } from './mistakes/examples.js'
import { checkReferences } from './mistakes/references.js'
import { checkAdditions, checkShape } from './mistakes/shape.js'
import { querySchema } from './paging-parameters.js'
import { searchOf, searchSchema } from './search-parameter.js'
import { orderOf, ordersOf, sortSchema } from './sort-parameter.js'
import type { DefinedList } from './types/defined-list.js'
import { type Additions, columnsOf, type Definition, joinedOf } from './types/definition.js'

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

function define(definition: Definition) {
  checkShape(definition)
  checkReferences(definition)
  const { sort = [], search, filters = {}, columns: _columns, unshown: _unshown, ...kept } = definition
  const { name, key, paging, roles, otherRoles = 'none', within = {} } = kept

  const columns = columnsOf(definition)
  const fields = fieldsOf(definition)
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
    joined: joinedOf(definition),
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
