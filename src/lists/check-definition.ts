/** Finds the mistakes in a definition: those that the compiler also finds, and those that no compiler finds. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { InvalidOption } from '../errors/boot-error.js'
import { describe } from '../errors/describe.js'
import { hintFor } from '../errors/suggestion.js'
import type { Column, Columns, Kind } from './columns.js'
import type { PlainDefinition, PlainEntry } from './definition.js'
import { type Fields, type Joinable, joinable } from './list.js'
import { people } from './people.js'
import { reaches } from './reach.js'

const properties =
  'name path key openapi columns id owner newest practitioner fields search filters roles otherRoles messages'.split(
    ' '
  )

/** The properties of every answer. */
const envelope = ['status', 'message', 'page', 'limit', 'total']

/** The parameters of every list, and `search`. */
const reserved = ['search', 'page', 'limit']

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** @throws TypeError that names the list and the mistake */
export function checkDefinition(given: PlainDefinition): void {
  const { name, path, key, openapi, columns, fields, search, filters, roles, otherRoles, messages } = given
  const refuse = refuseFor(name)
  const requireTexts = (property: string, texts: object | undefined, names: readonly string[]) => {
    for (const each of names) {
      const value: unknown = Object(texts)[each]
      if (!isText(value)) refuse(`'${property}' needs the text '${each}', and has ${describe(value)}`)
    }
  }
  /** @returns the column, of the list's table or of a joined table */
  const columnOf = (property: string, path: string): Column => {
    const [table = '', joined] = path.split('.')
    const ofTable: Columns = Object.hasOwn(joinable, table) ? people[table as Joinable] : {}
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
  const columnNamed = (property: string, name: string, { column = name }: PlainEntry) => {
    if (!isText(column)) refuse(`'column' of ${property} must be a text, and is ${describe(column)}`)
    return column
  }

  if (!/^[a-z]\w*$/i.test(String(name)) || Object.hasOwn(people, name)) {
    refuse(`'name' must be a word of letters and digits, and none of ${Object.keys(people).join(', ')}`)
  }
  for (const property of Object.keys(given)) {
    if (!properties.includes(property)) refuse(`there is no property '${property}'${hintFor(property, properties)}`)
  }
  if (!/^\/[^\s?#]+$/.test(String(path))) refuse("'path' must begin with '/', and has no space, '?' or '#'")
  if (!isText(key) || envelope.includes(key)) refuse(`'key' must be a text, and none of ${envelope.join(', ')}`)
  requireTexts('openapi', openapi, ['name', 'operationId', 'summary', 'description'])
  requireTexts('messages', messages, ['found', 'forbidden'])

  for (const [name, column] of Object.entries(Object(columns) as Columns)) {
    if (!isText(column?.kind)) refuse(`column '${name}' must be made by 'column', and is ${describe(column)}`)
    const { values } = column
    if (values && (values.length === 0 || new Set(values).size < values.length || !values.every(isText))) {
      refuse(`column '${name}' needs different texts that are not empty`)
    }
  }
  for (const [property, kind] of [
    ['id', 'id'],
    ['owner', 'id'],
    ['newest', 'time']
  ] as const) {
    requireKind(`'${property}'`, String(given[property]), kind)
  }
  for (const property of ['id', 'newest'] as const) {
    if (columns[given[property]]?.whenNull !== 'error') {
      refuse(`the column of '${property}' is never null: give it whenNull: 'error'`)
    }
  }
  if (given.practitioner !== undefined) requireKind("'practitioner'", given.practitioner, 'id')

  for (const [name, entry] of Object.entries(Object(fields) as PlainDefinition['fields'])) {
    const column = columnNamed(`field '${name}'`, name, entry)
    columnOf(`field '${name}'`, column)
    if (column.startsWith('practitioners.') && given.practitioner === undefined) {
      refuse(`field '${name}' needs the property 'practitioner', the column with the id of the practitioner`)
    }
  }
  if (Object(fields)[given.id] === undefined || fields[given.id]?.column !== undefined) {
    refuse(`'fields' needs the field '${given.id}' of the id, without 'column'`)
  }

  if (search && !Array.isArray(search.columns)) refuse("'search' needs an array 'columns'")
  for (const column of search?.columns ?? []) {
    if (column.includes('.') && !column.startsWith('users.')) {
      refuse(`'search' can read the list's table and users, and '${column}' is of another table`)
    }
    requireKind("'search'", column, 'text')
  }

  const names = Object.entries(filters ?? {}).flatMap(([name, entry]) => {
    const column = columnNamed(`filter '${name}'`, name, entry)
    if (!entry.range) requireKind(`filter '${name}'`, column, 'text', 'enum', 'id')
    else if (column !== given.newest) refuse(`filter '${name}' can be a range only of the column '${given.newest}'`)
    return entry.range ? [`${name}_from`, `${name}_to`] : [name]
  })
  for (const [place, name] of names.entries()) {
    if (reserved.includes(name) || names.indexOf(name) !== place) refuse(`the parameter '${name}' is taken`)
  }

  if (Object.keys(Object(roles)).length === 0) refuse("'roles' must name at least one role with its reach")
  for (const [role, reach] of Object.entries({ ...roles, ...(otherRoles !== undefined && { otherRoles }) })) {
    if (!reaches.includes(reach)) refuse(`the reach of '${role}' must be one of ${reaches.join(', ')}`)
  }
}

/** @throws TypeError for a name that the list has already, and for a property that a list cannot change */
export function checkAdditions(definition: PlainDefinition, additions: object): void {
  const refuse = refuseFor(definition.name)
  for (const [property, added] of Object.entries(additions)) {
    if (property !== 'columns' && property !== 'fields' && property !== 'filters') {
      refuse(`'extend' adds columns, fields and filters, and cannot change '${property}'`)
    } else {
      const taken = Object.keys(added).find((name) => Object.hasOwn(Object(definition[property]), name))
      if (taken) refuse(`the list has the ${property.slice(0, -1)} '${taken}' already`)
    }
  }
}

/** @throws TypeError for an example that does not fit its field or its parameter */
export function checkExamples(list: string, fields: Fields, parameters: TProperties): void {
  const refuse = refuseFor(list)
  const check = (what: string, schema: TSchema, format?: RegExp) => {
    const { examples }: { examples?: unknown } = schema
    if (!Array.isArray(examples) || examples.length === 0) refuse(`${what} needs 'examples', an array`)
    for (const example of examples as unknown[]) {
      const fits = Value.Check(schema, example) && (typeof example !== 'string' || (format?.test(example) ?? true))
      if (!fits) refuse(`the example ${JSON.stringify(example)} does not fit ${what}`)
    }
  }
  for (const [name, { schema, format }] of Object.entries(fields)) check(`field '${name}'`, schema, format)
  for (const [name, schema] of Object.entries(parameters)) check(`parameter '${name}'`, schema)
}

const refuseFor =
  (list: unknown) =>
  (problem: string): never => {
    throw new InvalidOption(`List '${list}': ${problem}.`)
  }
