/** Checks the bodies of refusals (contract 92 to 95) and their precedence. */
import { type Asker, fail, type Query, requireHeader } from './client.js'
import { widestIn } from './expected-reach.js'
import { recordPath } from './record-route-checks.js'
import type { ListUnderTest } from './viewer.js'

export async function strangersLearnNothing(tested: ListUnderTest): Promise<void> {
  const strangers = [
    { name: 'nobody', headers: {} },
    { name: 'somebody with a bad token', headers: { authorization: 'Bearer not.a.token' } }
  ]
  await requireRefusals(tested, strangers, 401, tested.settings.messages.unauthorized)
}

export async function rolesWithoutReachAreRefused(tested: ListUnderTest): Promise<string | undefined> {
  const { host, list } = tested
  const refused = host.callers.filter(({ reach }) => reach[list.name] === 'none')
  await requireRefusals(tested, refused, 403, list.messages.forbidden)
  return refused.length > 0 ? undefined : `No caller's 'reach.${list.name}' is 'none'.`
}

export async function callersNeedTheirIds(tested: ListUnderTest): Promise<string | undefined> {
  const { host, viewers, list, settings } = tested
  const seeing = viewers.map(({ given }) => given)
  const lacking = host.callers.filter((each) => each.reach[list.name] !== 'none' && !seeing.includes(each))
  await requireRefusals(tested, lacking, 500, settings.messages.internal)
  return lacking.length > 0 ? undefined : `No caller lacks ids.${Object.values(list.within).join(' or ids.')}.`
}

async function requireRefusals(tested: ListUnderTest, askers: readonly Asker[], status: number, error: string) {
  const expected = JSON.stringify({ status, error })
  for (const asker of askers) {
    for (const [path, query] of await requestsOf(tested)) {
      const answer = await tested.ask(asker, path, query)
      if (answer.status !== status) fail(answer, `expected ${status} ${expected}, got ${answer.status}.`)
      const got = JSON.stringify(answer.body)
      if (got !== expected) fail(answer, `expected the body ${expected}, got ${got.slice(0, 300)}.`)
      if (status === 401) requireHeader(answer, 'www-authenticate', 'Bearer')
    }
  }
}

/** The refusal of a caller comes before the refusal of a parameter (contract 101). */
async function requestsOf(tested: ListUnderTest): Promise<[path: string, query?: Query][]> {
  const { path, parameters, record } = tested.list
  const search = parameters.search ? { search: '' } : {}
  const walk = record && (await (widestIn(tested) ?? tested.viewers[0])?.walk())
  const paths = record ? [recordPath(tested.list, walk?.found[0]?.id)] : []
  return [[path, search], [path, { page: 0 }], ...paths.map((path): [string] => [path])]
}
