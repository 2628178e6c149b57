/** Finds the mistakes in a definition. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { InvalidOption } from '../errors/boot-error.js'
import { describe, describeWord, hintFor } from '../errors/describe.js'
import { checkShape } from './check-shape.js'
import type { Column, Columns, Kind } from './columns.js'
import type { PlainDefinition } from './definition.js'
import { type Fields, type Joinable, joinable, type Reach, reaches } from './list.js'
import { people } from './people.js'

/** The parameters of every list, and `search`. */
const reserved = ['search', 'page', 'limit']

/** @throws TypeError that names the list and the mistake */
export function checkDefinition(given: PlainDefinition): void {
  const refuse = refuseFor(Object(given).name)
  if (Object(given) !== given) refuse(`the definition must be an object, and is ${describe(given)}`)
  checkShape(given, refuse)
  const { columns, fields, search, filters, roles, otherRoles } = given
  /** @returns the column, of the list's table or of a joined table */
  const columnOf = (property: string, path: string): Column => {
    const [table = '', joined] = path.split('.')
    const ofTable: Columns = Object.hasOwn(joinable, table) ? textsOf(people[table as Joinable]) : {}
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

  for (const [name, { kind, values }] of Object.entries(columns)) {
    if (kind === 'enum' && !isEnum(values)) {
      refuse(`column '${name}' needs different texts that are not empty and have no control characters`)
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

  for (const column of search?.columns ?? []) {
    if (column.includes('.') && !column.startsWith('users.')) {
      refuse(`'search' can read the list's table and users, and '${column}' is of another table`)
    }
    requireKind("'search'", column, 'text')
  }

  const names = Object.entries(filters ?? {}).flatMap(([name, { column = name, range }]) => {
    if (!range) requireKind(`filter '${name}'`, column, 'text', 'enum', 'id')
    else if (column !== given.newest) refuse(`filter '${name}' can be a range only of the column '${given.newest}'`)
    return range ? [`${name}_from`, `${name}_to`] : [name]
  })
  for (const [place, name] of names.entries()) {
    if (reserved.includes(name) || names.indexOf(name) !== place) refuse(`the parameter '${name}' is taken`)
  }

  const others: [string, Reach][] = otherRoles === undefined ? [] : [['otherRoles', otherRoles]]
  for (const [role, reach] of [...Object.entries(roles), ...others]) {
    if (reaches.includes(reach)) continue
    refuse(`the reach of '${role}' must be one of ${reaches.join(', ')}, and is ${describeWord(reach, reaches)}`)
  }
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

/** @throws TypeError for a name that the list has already, and for a property that a list cannot change */
export function checkAdditions(definition: PlainDefinition, additions: object): void {
  const refuse = refuseFor(definition.name)
  for (const [property, added] of Object.entries(additions)) {
    if (property !== 'columns' && property !== 'fields' && property !== 'filters') {
      refuse(`'extend' adds columns, fields and filters, and cannot change '${property}'`)
    } else {
      const taken = Object.keys(Object(added)).find((name) => Object.hasOwn(Object(definition[property]), name))
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
      if (!fits) {
        const { examples: _examples, description: _description, ...rule } = schema
        const form = format ? ` and the form ${format.source}` : ''
        refuse(
          `the example ${JSON.stringify(example)} does not fit ${what}, whose schema is ${JSON.stringify(rule)}${form}`
        )
      }
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
