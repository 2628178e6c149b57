/** Finds the names in a definition that name no column, or a column of another kind. */
import { describe, hintFor } from '../../errors/describe.js'
import { kindsFor } from '../../kinds/index.js'
import type { Use } from '../../kinds/kind.js'
import type { Column, Columns } from '../columns.js'
import { closedValues, type FilterEntry, parametersOf, wayOf } from '../filters.js'
import { orderOf } from '../orders.js'
import { type Joinable, joinable, sharedTables } from '../shared-tables.js'
import { columnsOf, type Definition, isColumn, joinedOf } from '../types/definition.js'
import { aReach, notReach } from './reach.js'
import { type Refuse, refuseFor } from './refuse.js'

/** The parameters of every list. */
const reserved = ['search', 'sort', 'page', 'limit']

export function checkReferences(definition: Definition): void {
  const refuse: Refuse = refuseFor(definition.name)
  const { id, owner, practitioner, order, paging, sort = [], fields, search, filters = {}, unshown = [] } = definition
  const own = columnsOf(definition)
  const shown = { ...own, ...joinedByPath(definition) }
  const searchable = Object.fromEntries(
    Object.entries(shown).filter(([path]) => Object.hasOwn(own, path) || (owner && path.startsWith('users.')))
  )
  const find = (property: string, path: unknown, known: Columns, use?: Use): Column => {
    const names = Object.keys(known)
    const found = Object.hasOwn(known, String(path)) && known[String(path)]
    if (!found)
      return refuse(`${property} has no column '${path}'${hintFor(String(path), names)}; there are ${names.join(', ')}`)
    if (use && !found.rules.uses.includes(use)) {
      const kinds = kindsFor(use).join(' or ')
      refuse(`${property} needs a column of the kind ${kinds}, and '${path}' is of the kind ${found.kind}`)
    }
    return found
  }
  const findNeverNull = (property: string, path: unknown, use: Use) => {
    const { whenNull } = find(property, path, own, use)
    if (whenNull !== 'error') {
      refuse(`the column '${path}' of ${property} must never be null: give it whenNull: 'error'`)
    }
  }
  const once = (what: (name: string) => string, names: readonly string[]) => {
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    if (twice !== undefined) refuse(what(twice))
  }

  findNeverNull("'id'", id, 'id')
  if (owner !== undefined) find("'owner'", owner, own, 'id')
  if (practitioner !== undefined) find("'practitioner'", practitioner, own, 'id')
  const { column: ofOrder } = orderOf(order)
  findNeverNull("'order'", ofOrder, 'order')
  for (const column of sort) find("'sort'", column, own, 'sort')
  once((name) => `'sort' names the column '${name}' twice`, sort)

  for (const [name, entry] of Object.entries(fields)) {
    const given: { column?: string; roles?: unknown } = entry
    const { column = isColumn(entry) ? name : undefined, roles } = given
    if (column === undefined) refuse(`field '${name}' needs 'column', or is itself a column, such as column.text()`)
    find(`field '${name}'`, column, shown)
    const [person, who] = column.startsWith('practitioners.') ? ['practitioner', practitioner] : ['user', owner]
    if (column.includes('.') && who === undefined) {
      const property = person === 'user' ? 'owner' : person
      refuse(`field '${name}' needs the property '${property}', the column with the id of the ${person}`)
    }
    if (roles === undefined) continue
    if (!Array.isArray(roles) || roles.length === 0 || !roles.every((role) => typeof role === 'string')) {
      refuse(`'roles' of field '${name}' must be an array of at least one role, and is ${describe(roles)}`)
    }
    if ([id, ofOrder].includes(column)) {
      refuse(`field '${name}' cannot have 'roles', because '${column}' is in every order of the list`)
    }
  }
  const shownBy = Object.entries<object>(fields).map(([name, entry]) => (isColumn(entry) ? name : Object(entry).column))
  for (const column of paging === 'after' ? [ofOrder, ...sort] : []) {
    if (!shownBy.includes(column)) {
      refuse(`'paging' after needs a field that shows '${column}', because 'next' has the value of the order`)
    }
    if (own[column]?.kind === 'enum') {
      const why = 'because an ENUM of MySQL is sorted by its place, and compared by its text'
      refuse(`'sort' cannot name '${column}' of the kind enum together with 'paging' after, ${why}`)
    }
  }
  if (!isColumn(Object(fields[id]))) refuse(`'fields' needs the column of the id, '${id}: column.id({ examples })'`)

  for (const column of search?.columns ?? []) find("'search'", column, searchable, 'search')
  once((name) => `'search' names the column '${name}' twice`, search?.columns ?? [])

  const parameters = Object.entries<FilterEntry>(filters).flatMap(([name, filter]) => {
    const what = `filter '${name}'`
    const { column = name, description, several, range, present } = filter
    if ([several, range, present].filter(Boolean).length > 1) {
      refuse(`${what} can have only one of 'several', 'range' and 'present'`)
    }
    const ends = range && typeof description === 'object' ? [description.from, description.to] : [description ?? '']
    if (!ends.every((end) => typeof end === 'string')) {
      refuse(`'description' of ${what} must be a text${range ? ', or { from, to } with two texts' : ''}`)
    }
    const { rules, kind } = find(what, column, own, wayOf(filter))
    if (filter.counted && !closedValues(rules, filter)) {
      const closed = "a column of the kind enum or boolean, or 'present', because their values are few"
      refuse(`'counted' of ${what} needs ${closed}, and '${column}' is of the kind ${kind}`)
    }
    return parametersOf(own, name, filter).map(({ name }) => name)
  })
  const more = Object.values(filters as Readonly<Record<string, FilterEntry>>).some(({ counted }) => counted)
  once(
    (name) => `the parameter '${name}' is taken`,
    [...reserved, ...(more ? ['counts'] : []), ...(paging === 'after' ? ['after', 'total'] : []), ...parameters]
  )

  const ofFilters = Object.entries<FilterEntry>(filters).map(([name, { column = name }]) => column)
  const read: string[] = [...sort, ...(search?.columns ?? []), ...ofFilters]
  for (const column of unshown) find("'unshown'", column, searchable)
  const secret = read.find((column) => !shownBy.includes(column) && !unshown.some((other) => other === column))
  if (secret !== undefined) {
    const why = 'but a parameter reads it, so that every role can find out its values'
    refuse(
      `no field shows '${secret}', ${why}: give it a field, with 'roles' if only some may see it, or name it in 'unshown'`
    )
  }

  const { roles, otherRoles = 'none' } = definition
  for (const [role, reach] of [...Object.entries(roles), ['otherRoles', otherRoles] as const]) {
    const wrong = notReach(reach, { name: definition.name, owner, columns: own })
    if (wrong) refuse(`the reach of '${role}' must be ${aReach}, and is ${wrong}`)
  }
  for (const [column, name] of Object.entries<unknown>(definition.within ?? {})) {
    find("'within'", column, own, 'id')
    if (typeof name === 'string' && name !== '') continue
    refuse(`'within.${column}' must be the name of an id in 'ids' of resolveRole, and is ${describe(name)}`)
  }
}

/** The columns of the joined tables by their paths. Without the ids: a record can lack its user. */
const joinedByPath = (definition: Definition): Columns =>
  Object.fromEntries(
    (Object.keys(joinable) as Joinable[]).flatMap((table) =>
      Object.entries(joinedOf(definition)[table] as Columns)
        .filter(([name]) => !(sharedTables[table] as Columns)[name]?.rules.uses.includes('id'))
        .map(([name, column]) => [`${table}.${name}`, column])
    )
  )
