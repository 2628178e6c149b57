/** What each option must be, said in words for whoever got it wrong. */
import { defaultMessages } from './messages.js'
import { isDatabase, recordNames, relationNames, type Select } from './relations.js'
import { reaches } from './visibility.js'

/** Says what an option must be, and how to tell. */
export interface Rule {
  expected: string
  holds(value: unknown): boolean
}

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
const isRecordOf = (names: readonly string[] | undefined, holds: Rule['holds']) => (value: unknown) =>
  isObject(value) &&
  Object.entries(value).every(
    ([name, entry]) => (names?.includes(name) ?? true) && (entry === undefined || holds(entry))
  )

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
    holds: (value) => isFunction(value) || isDatabase(value)
  },
  resolveRole: { expected: 'a function (request) => { userId, role } | null', holds: isFunction },
  authenticate: { expected: 'a Fastify onRequest hook', holds: isFunction },
  relations: {
    expected: `an object of ${relationNames.join(', ')}; each a table name ("members", "crm.members") or a Kysely select`,
    holds: isRecordOf(relationNames, isRelation)
  },
  visibility: {
    expected: `an object of ${recordNames.join(', ')}; each an object of role names with ${reaches.join(', ')}`,
    holds: isRecordOf(recordNames, isRecordOf(undefined, isOneOf(...reaches)))
  },
  defaultLimit: { expected: 'a whole number from 1', holds: isPositiveInteger },
  maxLimit: { expected: 'a whole number from 1', holds: isPositiveInteger },
  timeout: {
    expected: 'milliseconds, a whole number from 1 to 2147483647',
    holds: (value) => isPositiveInteger(value) && Number(value) < 2 ** 31
  },
  messages: {
    expected: `an object of strings: ${Object.keys(defaultMessages).join(', ')}`,
    holds: isRecordOf(Object.keys(defaultMessages), (value) => typeof value === 'string')
  },
  unknownParameters: {
    expected: "'reject', 'ignore' or an array of parameter names",
    holds: (value) => isOneOf('reject', 'ignore')(value) || isArrayOfStrings(value)
  },
  shareTotals: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
  checkOnReady: { expected: "'error', 'warn' or 'off'", holds: isOneOf('error', 'warn', 'off') }
} satisfies Record<string, Rule>
