/** The rule of each option, with the words for the error message. */
import { types } from 'node:util'
import type { AnySelect, KyselyInstance } from '../database/tables.js'
import { defaultMessages, placeholdersIn } from '../errors/client-texts.js'
import { describe, describeWord, hintFor, isPlainObject } from '../errors/describe.js'
import { linkTablesOf } from '../lists/aliases.js'
import { isList } from '../lists/define-list.js'
import type { List } from '../lists/list.js'
import { aReach, notReach } from '../lists/mistakes/reach.js'
import { type Rule, rule, twiceIn, type Wrong } from '../lists/mistakes/rules.js'
import { defaultLists } from '../lists/ready/index.js'
import type { Roles } from '../lists/roles.js'
import { sharedTables } from '../lists/shared-tables.js'
import type { DefinedList } from '../lists/types/defined-list.js'

const isFunction = (value: unknown) => typeof value === 'function'

export const notDatabase: Wrong = (value) => {
  const { getExecutor, isTransaction } = (value ?? {}) as Partial<KyselyInstance>
  if (isTransaction === true) return 'a transaction (give the instance that it was begun on)'
  if (isTransaction === false && isFunction(getExecutor)) return undefined
  return value instanceof Promise ? 'a promise (give the instance that it resolves to)' : describe(value)
}

const notDatabaseOfRequest: Wrong = (value) => {
  if (!isFunction(value)) return notDatabase(value)
  return types.isAsyncFunction(value)
    ? 'an async function (look the tenant up in authenticate, and return its instance here)'
    : undefined
}

const notEach = (values: readonly unknown[], isRight: (value: unknown) => boolean): string | undefined =>
  values.every(isRight) ? undefined : `${describe(values.find((each) => !isRight(each)))} in the array`

const notHooks: Wrong = (value) => {
  if (isFunction(value)) return undefined
  if (!Array.isArray(value)) return describe(value)
  return value.length === 0 ? 'an empty array (leave the option out for @fastify/jwt)' : notEach(value, isFunction)
}

export const notLists: Wrong = (value) => {
  if (!Array.isArray(value)) return describe(value)
  if (value.length === 0) return 'an empty array'
  const wrong = notEach(value, isList)
  if (wrong) return wrong
  const named = value.map(({ name, path, openapi: { operationId } }: List) => ({ name, path, operationId }))
  for (const property of ['name', 'path', 'operationId'] as const) {
    const twice = twiceIn(named.map((list) => list[property]))
    if (twice) return `two lists with the ${property} '${twice}'`
  }
  return undefined
}

const oneOf = (expected: string, ...words: readonly string[]): Rule => ({
  expected,
  wrong: (value) => (words.some((word) => word === value) ? undefined : describeWord(value, words))
})

/** Without `names` every name is allowed. An undefined entry is always allowed. */
const notRecordOf =
  (names: readonly string[] | undefined, wrong: (entry: unknown, name: string) => string | undefined): Wrong =>
  (value) => {
    if (!isPlainObject(value)) return describe(value)
    for (const [name, entry] of Object.entries(value)) {
      if (names && !names.includes(name)) return `an entry '${name}'${hintFor(name, names)}`
      const problem = entry === undefined ? undefined : wrong(entry, name)
      if (problem) return `'${name}': ${problem}`
    }
    return undefined
  }

const notMessage = (value: unknown, name: string) => {
  if (typeof value !== 'string') return describe(value)
  const allowed = placeholdersIn((defaultMessages as Record<string, string>)[name] ?? '')
  const other = placeholdersIn(value).find((placeholder) => !allowed.includes(placeholder))
  return other && `the placeholder ${other} (allowed: ${allowed.join(', ') || 'none'})`
}

const isTable = (value: unknown): boolean => {
  // Rejects `members as m`, which Kysely would parse as an alias.
  if (typeof value === 'string') return /^[^\s.`"]+(\.[^\s.`"]+)?$/.test(value)
  const { isSelectQueryBuilder, toOperationNode } = (value ?? {}) as Partial<AnySelect>
  return isSelectQueryBuilder === true && isFunction(toOperationNode)
}

/** @param roles the option `roles`, which may name more tables of links */
export function tablesRule(lists: readonly List[], roles?: unknown): Rule {
  // The option may have replaced a role of the definition, which still names its table.
  const links = lists.flatMap((list) => [list, { ...list, ...(list as Partial<DefinedList<Roles>>).definition }])
  const ofLists = [...lists.map(({ name }) => name), ...Object.keys(sharedTables)]
  const names = [...new Set([...ofLists, ...links.flatMap(linkTablesOf), ...linksIn(roles)])]
  // Two registrations can share their tables.
  const allowed = [...names, ...defaultLists.map(({ name }) => name)]
  return {
    expected: `an object of ${names.join(', ')}; each a table name ("members", "crm.members") or a Kysely select`,
    wrong: notRecordOf(allowed, (table) => (isTable(table) ? undefined : describe(table)))
  }
}

const linksIn = (option: unknown): string[] =>
  Object.values(Object(option))
    .flatMap((roles) => Object.values(Object(roles)).flat())
    .map((part) => Object(part).by)
    .filter((by) => typeof by === 'string')

const isPositiveInteger = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0
const wholeNumber = rule('a whole number from 1', isPositiveInteger)
const isNames = (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string')
const words = oneOf("'reject', 'ignore' or an array of parameter names", 'reject', 'ignore')

/** In the order of the documentation. */
export const rulesFor = (lists: readonly List[], roles?: unknown) => {
  const names = lists.map(({ name }) => name)
  const tables = tablesRule(lists, roles)
  const ofLists = lists.flatMap(({ name, record }) =>
    ['Found', 'Forbidden', ...(record ? ['RecordFound', 'RecordNotFound'] : [])].map((text) => `${name}${text}`)
  )
  const texts = [...Object.keys(defaultMessages), ...ofLists]
  return {
    db: {
      expected: 'a Kysely instance (not a transaction) or a function (request) => Kysely',
      wrong: notDatabaseOfRequest
    },
    resolveRole: rule('a function (request) => { userId, role } | null', isFunction),
    authenticate: { expected: 'a Fastify onRequest hook or an array of such hooks', wrong: notHooks },
    tables: {
      expected: `${tables.expected}; or a function (db) => such an object`,
      wrong: (value) => (isFunction(value) ? undefined : tables.wrong(value))
    },
    lists: { expected: 'an array of lists, each made by defineList', wrong: notLists },
    roles: {
      expected: `an object of ${names.join(', ')}; each an object of role names with ${aReach}`,
      wrong: notRecordOf(names, (ofRoles, name) => {
        const list = lists.find((each) => each.name === name) as List
        return notRecordOf(undefined, (reach) => notReach(reach, list))(ofRoles)
      })
    },
    defaultLimit: wholeNumber,
    maxLimit: wholeNumber,
    timeout: rule(
      'a whole number of milliseconds from 1 to 2147483647',
      (value) => isPositiveInteger(value) && Number(value) < 2 ** 31
    ),
    messages: { expected: `an object of strings: ${texts.join(', ')}`, wrong: notRecordOf(texts, notMessage) },
    unknownParameters: { ...words, wrong: (value) => (isNames(value) ? undefined : words.wrong(value)) },
    checkOnReady: oneOf("'error', 'warn' or 'off'", 'error', 'warn', 'off')
  } satisfies Record<string, Rule>
}
