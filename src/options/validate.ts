/** Rules for values that the host gives. */
import { describe, hintFor } from '../errors/describe.js'

export interface Rule {
  expected: string
  /** Returns a description of a wrong value. */
  validate: Validate
}

export type Validate = (value: unknown) => string | undefined

export const unless =
  (holds: (value: unknown) => boolean): Validate =>
  (value) =>
    holds(value) ? undefined : describe(value)

const isObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Without `names` every key is allowed. An undefined value is always allowed. */
export const unlessRecordOf =
  (names: readonly string[] | undefined, validate: (value: unknown, name: string) => string | undefined): Validate =>
  (value) => {
    if (!isObject(value)) return describe(value)
    for (const [name, entry] of Object.entries(value)) {
      if (names && !names.includes(name)) return `an entry '${name}'${hintFor(name, names)}`
      const problem = entry === undefined ? undefined : validate(entry, name)
      if (problem) return `'${name}': ${problem}`
    }
    return undefined
  }
