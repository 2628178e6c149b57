/** The rule of each option, with the words for the error message. */
import type { KyselyInstance } from '../database/tables.js'
import { describe } from '../errors/describe.js'
import { lists } from '../lists/index.js'
import { defaultMessages } from '../lists/messages.js'
import { reaches } from '../lists/reach.js'
import { type Rule, unless, unlessRecordOf, type Validate } from './rule.js'
import { tablesRule } from './tables.js'

export const notDatabase: Validate = (value) => {
  const { getExecutor, isTransaction } = (value ?? {}) as Partial<KyselyInstance>
  if (isTransaction === true) return 'a transaction (give the instance that it was begun on)'
  if (isTransaction === false && typeof getExecutor === 'function') return undefined
  return value instanceof Promise ? 'a promise (give the instance that it resolves to)' : describe(value)
}

const isFunction = (value: unknown) => typeof value === 'function'

const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    values.includes(value)

const isString = (value: unknown) => typeof value === 'string'

const isPositiveInteger = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0

const wholeNumber: Rule = { expected: 'a whole number from 1', validate: unless(isPositiveInteger) }

const listNames = lists.map(({ name }) => name)

/** In the order of the documentation. */
export const rules = {
  db: {
    expected: 'a Kysely instance (not a transaction) or a function (request) => Kysely',
    validate: (value) => (isFunction(value) ? undefined : notDatabase(value))
  },
  resolveRole: { expected: 'a function (request) => { userId, role } | null', validate: unless(isFunction) },
  authenticate: { expected: 'a Fastify onRequest hook', validate: unless(isFunction) },
  tables: {
    expected: `${tablesRule.expected}; or a function (db) => such an object`,
    validate: (value) => (isFunction(value) ? undefined : tablesRule.validate(value))
  },
  visibility: {
    expected: `an object of ${listNames.join(', ')}; each an object of role names with ${reaches.join(', ')}`,
    validate: unlessRecordOf(listNames, unlessRecordOf(undefined, unless(isOneOf(...reaches))))
  },
  defaultLimit: wholeNumber,
  maxLimit: wholeNumber,
  timeout: {
    expected: 'a whole number of milliseconds from 1 to 2147483647',
    validate: unless((value) => isPositiveInteger(value) && Number(value) < 2 ** 31)
  },
  messages: {
    expected: `an object of strings: ${Object.keys(defaultMessages).join(', ')}`,
    validate: unlessRecordOf(Object.keys(defaultMessages), unless(isString))
  },
  unknownParameters: {
    expected: "'reject', 'ignore' or an array of parameter names",
    validate: unless((value) => isOneOf('reject', 'ignore')(value) || (Array.isArray(value) && value.every(isString)))
  },
  shareTotals: { expected: 'true or false', validate: unless((value) => typeof value === 'boolean') },
  checkOnReady: { expected: "'error', 'warn' or 'off'", validate: unless(isOneOf('error', 'warn', 'off')) }
} satisfies Record<string, Rule>
