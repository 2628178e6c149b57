/** Checks the bodies of refusals (contract 92 to 95) and their precedence. */
import { type Asker, fail, type QueryPairs, requireHeader } from './client.js'
import type { ListUnderTest } from './list-under-test.js'

const validQuery = ({ list }: ListUnderTest): QueryPairs => (list.parameters.search ? [['search', '']] : [])

/** The refusal of a caller comes before the refusal of a parameter (contract 101). */
const requestsOf = (tested: ListUnderTest): readonly QueryPairs[] => [validQuery(tested), [['page', 0]]]

export async function strangersLearnNothing(tested: ListUnderTest): Promise<void> {
  const strangers = [
    { name: 'nobody', headers: {} },
    { name: 'somebody with a bad token', headers: { authorization: 'Bearer not.a.token' } }
  ]
  for (const stranger of strangers) {
    for (const query of requestsOf(tested)) {
      await requireRefusal(tested, stranger, query, 401, tested.settings.messages.unauthorized)
    }
  }
}

/** @returns why the check is skipped */
export async function rolesWithoutReachAreRefused(tested: ListUnderTest): Promise<string | undefined> {
  const { callers, list } = tested
  const refused = callers.filter((caller) => caller.reach[list.name] === 'none')
  if (refused.length === 0) return `No caller's 'reach.${list.name}' is 'none'.`
  for (const caller of refused) {
    for (const query of requestsOf(tested)) await requireRefusal(tested, caller, query, 403, list.messages.forbidden)
  }
  return undefined
}

/** @returns why the check is skipped */
export async function callersNeedTheirIds(tested: ListUnderTest): Promise<string | undefined> {
  const { callers, allowed, list, settings } = tested
  const lacking = callers.filter((caller) => caller.reach[list.name] !== 'none' && !allowed.includes(caller))
  if (lacking.length === 0) return `No caller lacks ids.${Object.values(list.within).join(' or ids.')}.`
  for (const caller of lacking) {
    for (const query of requestsOf(tested)) await requireRefusal(tested, caller, query, 500, settings.messages.internal)
  }
  return undefined
}

async function requireRefusal(
  tested: ListUnderTest,
  asker: Asker,
  query: QueryPairs,
  status: number,
  error: string
): Promise<void> {
  const answer = await tested.ask(asker, query)
  const expected = JSON.stringify({ status, error })
  if (answer.status !== status) fail(answer, `expected ${status} ${expected}, got ${answer.status}.`)
  const got = JSON.stringify(answer.body)
  if (got !== expected) fail(answer, `expected the body ${expected}, got ${got.slice(0, 300)}.`)
  if (status === 401) requireHeader(answer, 'www-authenticate', 'Bearer')
}
