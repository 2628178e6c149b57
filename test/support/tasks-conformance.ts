/** The conformance checks of the tasks, whose server a test can change. */
import type { Test } from 'tap'
import { type ConformanceHost, conformance } from '../../src/conformance/index.js'
import type { List } from '../../src/index.js'
import { problemsIn } from './faults.js'
import { resolveRole, serve } from './server.js'
import { byAfter, byNumber, openTasks, rowOf } from './tasks.js'
import { headersOf } from './tokens.js'

type Body = Record<string, unknown>

/** The status of a changed body is also that of the answer. */
type Change = (body: Body, url: string) => Body

interface Facts {
  lists?: readonly List[]
  known?: Body[]
  maxLimit?: number
  /** The roles of the callers. */
  roles?: readonly string[]
}

const both = [byNumber, byAfter] as unknown as readonly List[]
const all = ['Admin', 'Owner', 'Linked']

/** The problems of the checks whose title has the word, for a list with numbers and for one whose pages follow records. */
export async function problemsOf(
  t: Test,
  word: string,
  change: Change = (body) => body,
  { lists = both, known = [], maxLimit = 100, roles = all }: Facts = {}
): Promise<string[]> {
  const { db, insert, links } = await openTasks(t, 'sqlite')
  await insert(Array.from({ length: 40 }, (_, place) => rowOf(place + 1)))
  const problems = new Set<string>()
  for (const list of lists) {
    const { app } = await serve(t, { db, lists: [list], resolveRole, maxLimit })
    const inject: ConformanceHost['app']['inject'] = async (request) => {
      const { headers, body: given } = await app.inject(request)
      const body = change(JSON.parse(given), request.url)
      return { statusCode: Number(body.status) || 200, headers, body: JSON.stringify(body) }
    }
    const callerOf = (userId: number, role: string, reach: unknown) => ({
      ...{ name: role, userId, role, headers: headersOf({ userId, role }), reach: { tasks: reach } },
      linked: links.filter(({ owner_id }) => owner_id === userId).map(({ user_id }) => user_id)
    })
    const everyone = [
      ...[callerOf(9, 'Admin', 'all'), callerOf(1, 'Owner', 'own'), callerOf(10, 'Linked', 'linked')],
      callerOf(12, 'Guest', 'none')
    ]
    const callers = everyone.filter(({ role }) => roles.includes(role))
    const host = { app: { inject }, callers, ...(known.length > 0 && { known: { tasks: known } }) }
    const checks = conformance(() => host as never, { lists: [list], maxLimit } as never)
    const found = await problemsIn(checks.filter(({ name }) => name.includes(word)))
    // Both lists have the same problem.
    for (const problem of found) problems.add(problem.replace(/\?[^ ]*/, word === 'counts' ? '$&' : '?'))
  }
  return [...problems].slice(0, 1)
}
