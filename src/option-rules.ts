/** What each option must be, said in words for whoever got it wrong. */
import { describe } from './describe.js'
import { defaultMessages } from './messages.js'
import { isDatabase, recordNames, relationNames, type Select } from './relations.js'
import { reaches } from './visibility.js'

/** Says what an option must be. */
export interface Rule {
  expected: string
  /** What came instead, in words; undefined when the value is right. */
  wrong: Wrong
}

type Wrong = (value: unknown) => string | undefined

const unless =
  (holds: (value: unknown) => boolean): Wrong =>
  (value) =>
    holds(value) ? undefined : describe(value)

/** An object as one writes it: no array, no Map, no class. */
const isObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const isFunction = (value: unknown) => typeof value === 'function'

/** `members` or `crm.members`; Kysely would read an alias into ` as `. */
const isRelation = (value: unknown): boolean => {
  if (typeof value === 'string') return /^[^\s.`"]+(\.[^\s.`"]+)?$/.test(value)
  const { isSelectQueryBuilder, toOperationNode } = (value ?? {}) as Partial<Select<unknown>>
  return isSelectQueryBuilder === true && typeof toOperationNode === 'function'
}

/** Every key is one of the names, and every value that is given follows the rule. */
const unlessRecordOf =
  (names: readonly string[] | undefined, wrong: Wrong): Wrong =>
  (value) => {
    if (!isObject(value)) return describe(value)
    for (const [name, entry] of Object.entries(value)) {
      if (names && !names.includes(name)) return `an entry '${name}'`
      const problem = entry === undefined ? undefined : wrong(entry)
      if (problem) return `'${name}': ${problem}`
    }
    return undefined
  }

const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value)

const isPositiveInteger = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0

const isArrayOfStrings = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')

/** Every option's rule, in the order in which they are documented. */
export const rules = {
  db: {
    expected: 'a Kysely instance (not a transaction) or a function (request) => Kysely',
    wrong: unless((value) => isFunction(value) || isDatabase(value))
  },
  resolveRole: { expected: 'a function (request) => { userId, role } | null', wrong: unless(isFunction) },
  authenticate: { expected: 'a Fastify onRequest hook', wrong: unless(isFunction) },
  relations: {
    expected: `an object of ${relationNames.join(', ')}; each a table name ("members", "crm.members") or a Kysely select`,
    wrong: unlessRecordOf(relationNames, unless(isRelation))
  },
  visibility: {
    expected: `an object of ${recordNames.join(', ')}; each an object of role names with ${reaches.join(', ')}`,
    wrong: unlessRecordOf(recordNames, unlessRecordOf(undefined, unless(isOneOf(...reaches))))
  },
  defaultLimit: { expected: 'a whole number from 1', wrong: unless(isPositiveInteger) },
  maxLimit: { expected: 'a whole number from 1', wrong: unless(isPositiveInteger) },
  timeout: {
    expected: 'milliseconds, a whole number from 1 to 2147483647',
    wrong: unless((value) => isPositiveInteger(value) && Number(value) < 2 ** 31)
  },
  messages: {
    expected: `an object of strings: ${Object.keys(defaultMessages).join(', ')}`,
    wrong: unlessRecordOf(
      Object.keys(defaultMessages),
      unless((value) => typeof value === 'string')
    )
  },
  unknownParameters: {
    expected: "'reject', 'ignore' or an array of parameter names",
    wrong: unless((value) => isOneOf('reject', 'ignore')(value) || isArrayOfStrings(value))
  },
  shareTotals: { expected: 'true or false', wrong: unless((value) => typeof value === 'boolean') },
  checkOnReady: { expected: "'error', 'warn' or 'off'", wrong: unless(isOneOf('error', 'warn', 'off')) }
} satisfies Record<string, Rule>
