/** The rule of each option, with the words for the error message. */
import { types } from 'node:util'
import type { KyselyInstance } from '../database/tables.js'
import { describe, describeWord } from '../errors/describe.js'
import { isList } from '../lists/define-list.js'
import type { List } from '../lists/list.js'
import { aReach, notReach } from '../lists/mistakes/reach.js'
import { defaultMessages, placeholdersIn } from './messages.js'
import { tablesRule } from './tables.js'
import { type Rule, unless, unlessRecordOf, type Validate } from './validate.js'

export const notDatabase: Validate = (value) => {
  const { getExecutor, isTransaction } = (value ?? {}) as Partial<KyselyInstance>
  if (isTransaction === true) return 'a transaction (give the instance that it was begun on)'
  if (isTransaction === false && typeof getExecutor === 'function') return undefined
  return value instanceof Promise ? 'a promise (give the instance that it resolves to)' : describe(value)
}

const notDatabaseOfRequest: Validate = (value) => {
  if (!isFunction(value)) return notDatabase(value)
  return types.isAsyncFunction(value)
    ? 'an async function (look the tenant up in authenticate, and return its instance here)'
    : undefined
}

const isFunction = (value: unknown) => typeof value === 'function'

const notHooks: Validate = (value) => {
  if (!Array.isArray(value)) return unless(isFunction)(value)
  if (value.length === 0) return 'an empty array (leave the option out for @fastify/jwt)'
  return value.every(isFunction) ? undefined : `${describe(value.find((hook) => !isFunction(hook)))} in the array`
}

const unlessOneOf =
  (...words: readonly string[]): Validate =>
  (value) =>
    words.some((word) => word === value) ? undefined : describeWord(value, words)

const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')

const isPositiveInteger = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0

const wholeNumber: Rule = { expected: 'a whole number from 1', validate: unless(isPositiveInteger) }

export const notLists: Validate = (value) => {
  if (!Array.isArray(value)) return describe(value)
  if (value.length === 0) return 'an empty array'
  if (!value.every(isList)) return `${describe(value.find((each) => !isList(each)))} in the array`
  const named = value.map(({ name, path, openapi: { operationId } }: List) => ({ name, path, operationId }))
  for (const property of ['name', 'path', 'operationId'] as const) {
    const names = named.map((list) => list[property])
    const twice = names.find((name, place) => names.indexOf(name) !== place)
    if (twice) return `two lists with the ${property} '${twice}'`
  }
  return undefined
}

const notMessage = (value: unknown, name: string) => {
  if (typeof value !== 'string') return describe(value)
  const allowed = placeholdersIn((defaultMessages as Record<string, string>)[name] ?? '')
  const other = placeholdersIn(value).find((placeholder) => !allowed.includes(placeholder))
  return other && `the placeholder ${other} (allowed: ${allowed.join(', ') || 'none'})`
}

/** The tables of links that a valid option `roles` names. */
const linksIn = (option: unknown): string[] =>
  Object.values(Object(option))
    .flatMap((roles) => Object.values(Object(roles)).flat())
    .map((part) => Object(part).by)
    .filter((by) => typeof by === 'string')

/** In the order of the documentation. */
export const rulesFor = (lists: readonly List[], roles?: unknown) => {
  const listNames = lists.map(({ name }) => name)
  const tables = tablesRule(lists, linksIn(roles))
  const ofLists = lists.flatMap(({ name, record }) =>
    ['Found', 'Forbidden', ...(record ? ['RecordFound', 'RecordNotFound'] : [])].map((text) => `${name}${text}`)
  )
  const texts = [...Object.keys(defaultMessages), ...ofLists]
  return {
    db: {
      expected: 'a Kysely instance (not a transaction) or a function (request) => Kysely',
      validate: notDatabaseOfRequest
    },
    resolveRole: { expected: 'a function (request) => { userId, role } | null', validate: unless(isFunction) },
    authenticate: { expected: 'a Fastify onRequest hook or an array of such hooks', validate: notHooks },
    tables: {
      expected: `${tables.expected}; or a function (db) => such an object`,
      validate: (value) => (isFunction(value) ? undefined : tables.validate(value))
    },
    lists: {
      expected: 'an array of lists, each made by defineList',
      validate: notLists
    },
    roles: {
      expected: `an object of ${listNames.join(', ')}; each an object of role names with ${aReach}`,
      validate: unlessRecordOf(listNames, (roles, name) => {
        const list = lists.find((each) => each.name === name) as List
        return unlessRecordOf(undefined, (reach) => notReach(reach, list))(roles)
      })
    },
    defaultLimit: wholeNumber,
    maxLimit: wholeNumber,
    timeout: {
      expected: 'a whole number of milliseconds from 1 to 2147483647',
      validate: unless((value) => isPositiveInteger(value) && Number(value) < 2 ** 31)
    },
    messages: {
      expected: `an object of strings: ${texts.join(', ')}`,
      validate: unlessRecordOf(texts, notMessage)
    },
    unknownParameters: {
      expected: "'reject', 'ignore' or an array of parameter names",
      validate: (value) => (isNames(value) ? undefined : unlessOneOf('reject', 'ignore')(value))
    },
    checkOnReady: { expected: "'error', 'warn' or 'off'", validate: unlessOneOf('error', 'warn', 'off') }
  } satisfies Record<string, Rule>
}
