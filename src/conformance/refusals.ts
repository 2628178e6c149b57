/** Checks the bodies of refusals (contract 92 to 95) and their precedence. */
import { type Asker, fail, type QueryPairs, requireHeader } from './client.js'
import type { ListUnderTest } from './list-under-test.js'

/** The refusal of a caller comes before the refusal of a parameter (contract 101). */
async function requestsOf(tested: ListUnderTest): Promise<[QueryPairs, path?: string][]> {
  const { parameters, record } = tested.list
  const ofList: [QueryPairs][] = [[parameters.search ? [['search', '']] : []], [[['page', 0]]]]
  if (!record) return ofList
  const reader = tested.widestFor() ?? tested.allowed[0]
  const seen = reader && (await tested.walk(reader)).found[0]
  return [...ofList, [[], tested.pathOf(seen?.id)]]
}

export async function strangersLearnNothing(tested: ListUnderTest): Promise<void> {
  const strangers = [
    { name: 'nobody', headers: {} },
    { name: 'somebody with a bad token', headers: { authorization: 'Bearer not.a.token' } }
  ]
  for (const stranger of strangers) await requireRefusals(tested, stranger, 401, tested.settings.messages.unauthorized)
}

export async function rolesWithoutReachAreRefused(tested: ListUnderTest): Promise<string | undefined> {
  const { callers, list } = tested
  const refused = callers.filter((caller) => caller.reach[list.name] === 'none')
  if (refused.length === 0) return `No caller's 'reach.${list.name}' is 'none'.`
  for (const caller of refused) await requireRefusals(tested, caller, 403, list.messages.forbidden)
  return undefined
}

export async function callersNeedTheirIds(tested: ListUnderTest): Promise<string | undefined> {
  const { callers, allowed, list, settings } = tested
  const lacking = callers.filter((caller) => caller.reach[list.name] !== 'none' && !allowed.includes(caller))
  if (lacking.length === 0) return `No caller lacks ids.${Object.values(list.within).join(' or ids.')}.`
  for (const caller of lacking) await requireRefusals(tested, caller, 500, settings.messages.internal)
  return undefined
}

async function requireRefusals(tested: ListUnderTest, asker: Asker, status: number, error: string): Promise<void> {
  const expected = JSON.stringify({ status, error })
  for (const [query, path] of await requestsOf(tested)) {
    const answer = await tested.ask(asker, query, path)
    if (answer.status !== status) fail(answer, `expected ${status} ${expected}, got ${answer.status}.`)
    const got = JSON.stringify(answer.body)
    if (got !== expected) fail(answer, `expected the body ${expected}, got ${got.slice(0, 300)}.`)
    if (status === 401) requireHeader(answer, 'www-authenticate', 'Bearer')
  }
}
