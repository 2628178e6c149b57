/** Finds the mistakes in a definition. */
import { describe, describeWord, hintFor } from '../errors/describe.js'
import { takenName } from './check-additions.js'
import { checkShape, refuseFor } from './check-shape.js'
import type { Column, Columns, Kind } from './columns.js'
import { type Joinable, joinable, type Reach, reaches } from './list.js'
import { people } from './people.js'
import type { PlainDefinition, PlainFilter } from './plain-definition.js'

/** The parameters of every list, `search` and `sort`. */
const reserved = ['search', 'sort', 'page', 'limit']

type Added = Readonly<Record<string, Columns>>

/** @throws TypeError that names the list and the mistake */
export function checkDefinition(given: PlainDefinition): void {
  const refuse = refuseFor(Object(given).name)
  if (Object(given) !== given) refuse(`the definition must be an object, and is ${describe(given)}`)
  checkShape(given, refuse)
  const { columns, fields, search, filters = {}, sort = [], roles, otherRoles, people: more = {} } = given
  /** @returns the column, of the list's table or of a joined table */
  const columnOf = (property: string, path: string): Column => {
    const [table = '', joined] = path.split('.')
    const ofTable = Object.hasOwn(joinable, table)
      ? { ...textsOf(people[table as Joinable]), ...(more as Added)[table] }
      : {}
    const known = joined === undefined ? columns : ofTable
    const found = Object.hasOwn(known, joined ?? path) && known[joined ?? path]
    if (found) return found
    const names = Object.keys(known).map((name) => (joined === undefined ? name : `${table}.${name}`))
    const allowed = names.length > 0 ? names : Object.keys(joinable).map((table) => `${table}.…`)
    return refuse(`${property} has no column '${path}'${hintFor(path, allowed)}; there are ${allowed.join(', ')}`)
  }
  const requireKind = (property: string, path: string, ...kinds: Kind[]): Column => {
    const found = columnOf(property, path)
    if (!kinds.includes(found.kind)) {
      refuse(`${property} needs a column of the kind ${kinds.join(' or ')}, and '${path}' is of the kind ${found.kind}`)
    }
    return found
  }

  for (const [table, columns = {}] of Object.entries(more as Added)) {
    const taken = takenName(people[table as Joinable], columns)
    if (taken) refuse(`the table '${table}' has the column '${taken}' already`)
  }
  for (const [name, { kind, values }] of [columns, ...Object.values(more as Added)].flatMap(Object.entries<Column>)) {
    if (kind === 'enum' && !isEnum(values)) {
      refuse(`column '${name}' needs different texts that are not empty and have no control characters`)
    }
  }
  for (const property of ['id', 'owner'] as const) requireKind(`'${property}'`, String(given[property]), 'id')
  const neverNull = (property: string, column: string) => {
    if (columns[column]?.whenNull !== 'error') {
      refuse(`the column '${column}' of ${property} must never be null: give it whenNull: 'error'`)
    }
  }
  neverNull("'id'", given.id)
  const { newest, oldest } = given
  if ((newest === undefined) === (oldest === undefined)) {
    refuse("the definition needs exactly one of 'newest' and 'oldest', the column that sorts the list")
  }
  const [order, sorted] = newest === undefined ? ["'oldest'", String(oldest)] : ["'newest'", newest]
  requireKind(order, sorted, 'time', 'date')
  neverNull(order, sorted)
  for (const [place, column] of sort.entries()) {
    requireKind("'sort'", column, 'id', 'text', 'enum', 'decimal', 'integer', 'date', 'time')
    if (column.includes('.')) refuse(`'sort' can name columns of the list's table, and '${column}' is of another table`)
    neverNull("'sort'", column)
    if (sort.indexOf(column) !== place) refuse(`'sort' names the column '${column}' twice`)
  }
  if (given.practitioner !== undefined) requireKind("'practitioner'", String(given.practitioner), 'id')

  for (const [name, { column = name }] of Object.entries(fields)) {
    columnOf(`field '${name}'`, column)
    if (column.startsWith('practitioners.') && given.practitioner === undefined) {
      refuse(`field '${name}' needs the property 'practitioner', the column with the id of the practitioner`)
    }
  }
  if (fields[given.id] === undefined || fields[given.id]?.column !== undefined) {
    refuse(`'fields' needs the field '${given.id}' of the id, without 'column'`)
  }

  for (const [place, column] of (search?.columns ?? []).entries()) {
    if (search?.columns.indexOf(column) !== place) refuse(`'search' names the column '${column}' twice`)
    if (column.includes('.') && !column.startsWith('users.')) {
      refuse(`'search' can read the list's table and users, and '${column}' is of another table`)
    }
    requireKind("'search'", column, 'text')
  }

  const names = Object.entries(filters).flatMap(([name, filter]) => {
    checkFilter(name, filter, refuse, requireKind, columnOf)
    return filter.range ? [`${name}_from`, `${name}_to`] : [name]
  })
  for (const [place, name] of names.entries()) {
    if (reserved.includes(name) || names.indexOf(name) !== place) refuse(`the parameter '${name}' is taken`)
  }

  const others = otherRoles === undefined ? [] : [['otherRoles', otherRoles] as const]
  for (const [role, reach] of [...Object.entries(roles), ...others]) {
    if (reaches.includes(reach as Reach)) continue
    const { own }: { own?: unknown } = Object(reach)
    if (typeof own === 'string') requireKind(`the reach of '${role}'`, own, 'id')
    else {
      const rule = `must be one of ${reaches.join(', ')}, or { own: a column }`
      refuse(`the reach of '${role}' ${rule}, and is ${describeWord(reach, reaches)}`)
    }
  }
}

function checkFilter(
  name: string,
  { column = name, several, range, present, description }: PlainFilter,
  refuse: (problem: string) => never,
  requireKind: (property: string, path: string, ...kinds: Kind[]) => Column,
  columnOf: (property: string, path: string) => Column
): void {
  const what = `filter '${name}'`
  if ([several, range, present].filter(Boolean).length > 1) {
    refuse(`${what} can have only one of 'several', 'range' and 'present'`)
  }
  const { from, to } = Object(description)
  const hasTexts = (texts: unknown[]) => texts.every((text) => typeof text === 'string')
  if (description !== undefined && !hasTexts([description]) && !(range && hasTexts([from, to]))) {
    refuse(`'description' of ${what} must be a text${range ? ', or { from, to } with two texts' : ''}`)
  }
  if (column.includes('.')) refuse(`${what} can read the list's table, and '${column}' is of another table`)
  if (present) columnOf(what, column)
  else if (range) requireKind(what, column, 'time', 'date', 'decimal', 'integer')
  else if (several) requireKind(what, column, 'text', 'enum', 'id')
  else requireKind(what, column, 'text', 'enum', 'id', 'boolean')
}

/** Different texts that a query string can hold. */
const isEnum = (values: unknown): boolean =>
  Array.isArray(values) &&
  values.length > 0 &&
  new Set(values).size === values.length &&
  values.every((value) => typeof value === 'string' && /^\P{Cc}+$/u.test(value))

/** Without the ids: a record can lack its user, and the users can stand in for the practitioners. */
const textsOf = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([, { kind }]) => kind === 'text'))
