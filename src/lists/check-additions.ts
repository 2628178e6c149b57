/** Finds the mistakes in what `extend` adds to a list. */
import { describe } from '../errors/describe.js'
import { refuseFor } from './check-shape.js'
import type { PlainAdditions, PlainDefinition } from './plain-definition.js'

/** @returns the first name that both objects have */
export const takenName = (before: object | undefined, added: object | undefined): string | undefined =>
  Object.keys(Object(added)).find((name) => Object.hasOwn(Object(before), name))

const added = ['columns', 'fields', 'filters'] as const
const replaced = ['path', 'key', 'openapi', 'people', 'search', 'sort']

/** @throws TypeError for a name that the list has already, and for a property that a list cannot change */
export function checkAdditions(definition: PlainDefinition, additions: PlainAdditions): void {
  const refuse = refuseFor(definition.name)
  if (Object(additions) !== additions) refuse(`'extend' needs an object, and not ${describe(additions)}`)
  const other = Object.keys(additions).find((name) => ![...added, ...replaced].includes(name))
  if (other) {
    const rule = 'adds columns, people, fields, filters, sort and search, and replaces path, key and openapi'
    refuse(`'extend' ${rule}. It cannot change '${other}'`)
  }
  for (const property of added) {
    const taken = takenName(definition[property], additions[property])
    if (taken) refuse(`the list has the ${property.slice(0, -1)} '${taken}' already`)
  }
  for (const table of ['users', 'practitioners'] as const) {
    const taken = takenName(definition.people?.[table], additions.people?.[table])
    if (taken) refuse(`the table '${table}' has the column '${taken}' already`)
  }
}
