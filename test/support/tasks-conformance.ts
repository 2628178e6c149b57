/** The conformance checks of the tasks, whose server a test can change. */
import type { Test } from 'tap'
import { type ConformanceHost, conformance } from '../../src/conformance/index.js'
import type { List } from '../../src/index.js'
import { problemsIn } from './faults.js'
import { resolveRole, serve } from './server.js'
import { byAfter, byNumber, openTasks, rowOf } from './tasks.js'
import { headersOf } from './tokens.js'

type Change = (body: Record<string, unknown>, url: string) => object

/** The problems of the checks whose title has the word, for a list with numbers and for one whose pages follow records. */
export async function problemsOf(t: Test, word: string, change: Change = (body) => body): Promise<string[]> {
  const { db, insert, links } = await openTasks(t, 'sqlite')
  await insert(Array.from({ length: 40 }, (_, place) => rowOf(place + 1)))
  const problems = new Set<string>()
  for (const list of [byNumber, byAfter] as unknown as readonly List[]) {
    const { app } = await serve(t, { db, lists: [list], resolveRole })
    const inject: ConformanceHost['app']['inject'] = async (request) => {
      const { statusCode, headers, body } = await app.inject(request)
      return { statusCode, headers, body: JSON.stringify(change(JSON.parse(body), request.url)) }
    }
    const callerOf = (userId: number, role: string, reach: unknown) => ({
      ...{ name: role, userId, role, headers: headersOf({ userId, role }), reach: { tasks: reach } },
      linked: links.filter(({ owner_id }) => owner_id === userId).map(({ user_id }) => user_id)
    })
    const callers = [callerOf(9, 'Admin', 'all'), callerOf(1, 'Owner', 'own'), callerOf(10, 'Linked', 'linked')]
    const checks = conformance(() => ({ app: { inject }, callers }) as never, { lists: [list] } as never)
    const found = await problemsIn(checks.filter(({ name }) => name.includes(word)))
    // Both lists have the same problem.
    for (const problem of found) problems.add(problem.replace(/\?[^ ]*/, word === 'counts' ? '$&' : '?'))
  }
  return [...problems].slice(0, 1)
}
