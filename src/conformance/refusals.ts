/** Checks the bodies of refusals (contract 92 to 95) and their precedence. */
import type { TSchema } from '@sinclair/typebox'
import { maxTextLength, maxValues, querySchema } from '../lists/schemas.js'
import { fill, type SharedMessages } from '../options/messages.js'
import { type Answer, type Asker, fail, type Query, requireHeader } from './client.js'
import type { ListUnderTest } from './list-under-test.js'

const validQuery = ({ list }: ListUnderTest): Query => (list.parameters.search ? [['search', '']] : [])

/** The refusal of a caller comes before the refusal of a parameter (contract 101). */
const requestsOf = (tested: ListUnderTest): readonly Query[] => [validQuery(tested), [['page', 0]]]

export async function strangersLearnNothing(tested: ListUnderTest): Promise<void> {
  const strangers = [
    { name: 'nobody', headers: {} },
    { name: 'somebody with a bad token', headers: { authorization: 'Bearer not.a.token' } }
  ]
  for (const stranger of strangers) {
    for (const query of requestsOf(tested)) {
      const answer = await requireRefusal(tested, stranger, query, 401, tested.settings.messages.unauthorized)
      requireHeader(answer, 'www-authenticate', 'Bearer')
    }
  }
}

/** @returns why the check is skipped */
export async function rolesWithoutReachAreRefused(tested: ListUnderTest): Promise<string | undefined> {
  const { callers, list } = tested
  const refused = callers.filter((caller) => tested.reachOf(caller) === 'none')
  if (refused.length === 0) return `No caller's 'reach.${list.name}' is 'none'.`
  for (const caller of refused) {
    for (const query of requestsOf(tested)) {
      await requireRefusal(tested, caller, query, 403, list.forbidden)
    }
  }
  return undefined
}

export async function wrongParametersAreRefused(tested: ListUnderTest): Promise<void> {
  for (const caller of tested.allowed.slice(0, 1)) {
    for (const [query, rule, values] of wrongQueries(tested)) {
      await requireRefusal(tested, caller, query, 400, fill(tested.settings.messages[rule], values))
    }
    if (tested.settings.unknownParameters === 'ignore') await tested.page(caller, { [misspelt]: '' })
  }
}

const misspelt = 'serach'

type WrongQuery = [query: Query, rule: keyof SharedMessages, values: Record<string, string | number>]

function* wrongQueries(tested: ListUnderTest): Generator<WrongQuery> {
  const { list, settings } = tested
  const { unknownParameters } = settings
  const valid = validQuery(tested)
  const { properties, required } = querySchema(list.parameters, settings)
  for (const [name, { maximum, enum: allowed }] of Object.entries<TSchema>(properties)) {
    if (name === 'page' || name === 'limit') {
      for (const value of ['0', '1.5', '1e3', '', maximum + 1]) {
        yield [[...valid, [name, value]], 'parameterNotPositive', { name, maximum }]
      }
    }
    if (allowed) yield [[...valid, [name, 'wrong']], 'parameterNotAllowed', { name, allowed: allowed.join(', ') }]
    const { form, operator } = list.filters[name] ?? {}
    if (form) yield [[...valid, [name, 'wrong']], form.message, { name, ...form.placeholders }]
    if (operator === 'in') {
      const values = Array.from({ length: maxValues + 1 }, () => [name, ''] as const)
      yield [[...valid, ...values], 'parameterTooMany', { name, maximum: maxValues }]
    }
  }
  for (const { from, to, form } of list.ranges) {
    const { less, greater } = form.order
    yield [[...valid, [from, greater], [to, less]], 'parameterRangeReversed', { name: from, other: to }]
  }
  const name = 'search'
  if (required?.includes(name)) yield [[], 'parameterMissing', { name }]
  if (properties[name]) {
    yield [[...valid, ...valid], 'parameterRepeated', { name }]
    yield [[[name, '\n']], 'parameterControlCharacters', { name }]
    yield [[[name, 'a'.repeat(maxTextLength + 1)]], 'parameterTooLong', { name, maximum: maxTextLength }]
  }
  if (unknownParameters !== 'ignore') {
    const allowed = new Set([...Object.keys(properties), ...(unknownParameters === 'reject' ? [] : unknownParameters)])
    const values = { name: misspelt, allowed: [...allowed].join(', ') }
    yield [[...valid, [misspelt, '']], 'parameterUnknown', values]
  }
}

async function requireRefusal(
  tested: ListUnderTest,
  asker: Asker,
  query: Query,
  status: number,
  error: string
): Promise<Answer> {
  const answer = await tested.ask(asker, query)
  const expected = JSON.stringify({ status, error })
  if (answer.status !== status) fail(answer, `expected ${status} ${expected}, got ${answer.status}.`)
  const got = JSON.stringify(answer.body)
  if (got !== expected) fail(answer, `expected the body ${expected}, got ${got.slice(0, 300)}.`)
  return answer
}
