/** Finds the names in a definition that name no column, or a column of another kind. */
import { kindsFor } from '../../kinds/index.js'
import type { Use } from '../../kinds/kind.js'
import { type Joinable, joinable } from '../aliases.js'
import type { Column, Columns } from '../column.js'
import { closedValues, type FilterEntry, parametersOf, wayOf } from '../filter-parameters.js'
import { sharedTables } from '../shared-tables.js'
import { orderOf } from '../sort-parameter.js'
import { columnsOf, type Definition, isColumn, joinedOf } from '../types/definition.js'
import { aReach, notReach } from './reach.js'
import { mustBe, type Refuse, type Rule, refuseFor, rule, text, thereAre, twiceIn } from './rules.js'

/** The parameters of every list. */
const reserved = ['search', 'sort', 'page', 'limit']

const someRoles = rule(
  'an array of at least one role',
  (roles) => Array.isArray(roles) && roles.length > 0 && roles.every((role) => typeof role === 'string')
)
const nameOfId = text("the name of an id in 'ids' of resolveRole")

export function checkReferences(definition: Definition): void {
  const refuse: Refuse = refuseFor(definition.name)
  const { id, owner, practitioner, order, paging, sort = [], fields, search, filters = {}, unshown = [] } = definition
  const searched = search?.columns ?? []
  const own = columnsOf(definition)
  const shown = { ...own, ...joinedByPath(definition, Object.keys(joinable)) }
  const searchable = { ...own, ...joinedByPath(definition, owner ? ['users'] : []) }
  const find = (property: string, path: unknown, known: Columns, use?: Use): Column => {
    const found = Object.hasOwn(known, String(path)) && known[String(path)]
    if (!found) return refuse(`${property} has no column '${path}'${thereAre(Object.keys(known), String(path))}`)
    if (use && !found.rules.uses.includes(use)) {
      const kinds = kindsFor(use).join(' or ')
      refuse(`${property} needs a column of the kind ${kinds}, and '${path}' is of the kind ${found.kind}`)
    }
    return found
  }
  const findNeverNull = (property: string, path: unknown, use: Use) => {
    if (find(property, path, own, use).whenNull === 'error') return
    refuse(`the column '${path}' of ${property} must never be null: give it whenNull: 'error'`)
  }
  const findOnce = (property: string, paths: readonly string[], known: Columns, use: Use) => {
    for (const path of paths) find(property, path, known, use)
    const twice = twiceIn(paths)
    if (twice !== undefined) refuse(`${property} names the column '${twice}' twice`)
  }

  findNeverNull("'id'", id, 'id')
  if (owner !== undefined) find("'owner'", owner, own, 'id')
  if (practitioner !== undefined) find("'practitioner'", practitioner, own, 'id')
  const { column: ofOrder } = orderOf(order)
  findNeverNull("'order'", ofOrder, 'order')
  findOnce("'sort'", sort, own, 'sort')

  for (const [name, entry] of Object.entries(fields)) {
    const what = `field '${name}'`
    const column = shownBy(name, entry)
    if (column === undefined) refuse(`${what} needs 'column', or is itself a column, such as column.text()`)
    find(what, column, shown)
    const property = column.startsWith('practitioners.') ? 'practitioner' : 'owner'
    if (column.includes('.') && definition[property] === undefined) {
      const person = property === 'owner' ? 'user' : property
      refuse(`${what} needs the property '${property}', the column with the id of the ${person}`)
    }
    if (entry.roles === undefined) continue
    mustBe(refuse, `'roles' of ${what}`, someRoles, entry.roles)
    if ([id, ofOrder].includes(column)) {
      refuse(`${what} cannot have 'roles', because '${column}' is in every order of the list`)
    }
  }
  const inFields = Object.entries(fields).map(([name, entry]) => shownBy(name, entry))
  for (const column of paging === 'after' ? [ofOrder, ...sort] : []) {
    if (!inFields.includes(column)) {
      refuse(`'paging' after needs a field that shows '${column}', because 'next' has the value of the order`)
    }
    if (own[column]?.kind === 'enum') {
      const why = 'because an ENUM of MySQL is sorted by its place, and compared by its text'
      refuse(`'sort' cannot name '${column}' of the kind enum together with 'paging' after, ${why}`)
    }
  }
  if (!isColumn(Object(fields[id]))) refuse(`'fields' needs the column of the id, '${id}: column.id({ examples })'`)

  findOnce("'search'", searched, searchable, 'search')

  const read: string[] = [...sort, ...searched]
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
    read.push(column)
    return parametersOf(own, name, filter).map(({ name }) => name)
  })
  const isCounted = Object.values<FilterEntry>(filters).some(({ counted }) => counted)
  const ofPaging = paging === 'after' ? ['after', 'total'] : []
  const taken = twiceIn([...reserved, ...(isCounted ? ['counts'] : []), ...ofPaging, ...parameters])
  if (taken) refuse(`the parameter '${taken}' is taken`)

  for (const column of unshown) find("'unshown'", column, searchable)
  const secret = read.find((column) => ![...inFields, ...unshown].includes(column))
  if (secret !== undefined) {
    const why = 'but a parameter reads it, so every role can find out its values'
    const advice = "give it a field, with 'roles' if only some may see it, or name it in 'unshown'"
    refuse(`no field shows '${secret}', ${why}: ${advice}`)
  }

  const { name, roles, otherRoles = 'none', within = {} } = definition
  const reachOfList: Rule = { expected: aReach, wrong: (reach) => notReach(reach, { name, owner, columns: own }) }
  for (const [role, reach] of [...Object.entries(roles), ['otherRoles', otherRoles] as const]) {
    mustBe(refuse, `the reach of '${role}'`, reachOfList, reach)
  }
  for (const [column, name] of Object.entries(within)) {
    find("'within'", column, own, 'id')
    mustBe(refuse, `'within.${column}'`, nameOfId, name)
  }
}

/** The column that a field shows. */
const shownBy = (name: string, entry: Definition['fields'][string]): string | undefined =>
  isColumn(entry) ? name : entry.column

/** The columns of joined tables by their paths. Without the ids: a record can lack its user. */
const joinedByPath = (definition: Definition, tables: readonly string[]): Columns =>
  Object.fromEntries(
    tables.flatMap((table) =>
      Object.entries(joinedOf(definition)[table] as Columns)
        .filter(([name]) => !(sharedTables[table as Joinable] as Columns)[name]?.rules.uses.includes('id'))
        .map(([name, column]) => [`${table}.${name}`, column])
    )
  )
