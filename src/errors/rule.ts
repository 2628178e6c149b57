/** Rules for values of the host, and the words for a value that breaks a rule. */
import { describe } from './describe.js'

/** What a value must be. */
export interface Rule {
  expected: string
  /** Says in words what came instead. Undefined when the value is right. */
  validate: Validate
}

export type Validate = (value: unknown) => string | undefined

export const unless =
  (holds: (value: unknown) => boolean): Validate =>
  (value) =>
    holds(value) ? undefined : describe(value)

/** A plain object: no array, no Map, no instance of a class. */
const isObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Every key is one of the names, and every value that is given follows the rule. */
export const unlessRecordOf =
  (names: readonly string[] | undefined, validate: Validate): Validate =>
  (value) => {
    if (!isObject(value)) return describe(value)
    for (const [name, entry] of Object.entries(value)) {
      if (names && !names.includes(name)) return `an entry '${name}'`
      const problem = entry === undefined ? undefined : validate(entry)
      if (problem) return `'${name}': ${problem}`
    }
    return undefined
  }
