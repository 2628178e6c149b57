/**
 * The same bytes in every host: each request of ./requests.ts to each host of ./hosts. One entry is one host. A host that
 * does something more is a row more, in the file of its theme; ./host.ts says what a row may hold.
 */
import t, { type Test } from 'tap'
import { listen } from '../support/hosts/listening.js'
import { openWorld } from '../support/servers/tables.js'
import { type Answer, textOf } from './client.js'
import { build, clientOf, type Host, type Lists } from './host.js'
import { callers } from './hosts/callers.js'
import { compilers } from './hosts/compilers.js'
import { hooks } from './hosts/hooks.js'
import { paths } from './hosts/paths.js'
import { plugins } from './hosts/plugins.js'
import { servers } from './hosts/servers.js'
import { difference, failure, report } from './report.mjs'
import { nameOf, requests, roleOf } from './requests.js'

/** The one that every other is compared with: as the README shows it. */
const plain: Host = { name: 'nothing of its own' }

const hosts: readonly Host[] = [...servers, ...compilers, ...hooks, ...paths, ...callers, ...plugins]

// A busy machine needs more than the limit of `npm test`.
t.setTimeout(1_200_000)

t.test('the same bytes in every host', async (t) => {
  const db = await openWorld(t, 'sqlite')
  const lists: Lists = { db, resolveRole: ({ user }) => roleOf(user), timeout: 2000 }
  const expected = await answersOf(t, plain, lists)
  for (const [index, request] of requests.entries()) {
    t.equal(expected[index]?.status, request.status, `plain: ${nameOf(request)}`)
  }

  // each host waits once for the deadline
  t.jobs = 20
  for (const host of hosts) t.test(host.name, (t) => agrees(t, host, lists, expected))
})

async function agrees(t: Test, host: Host, lists: Lists, expected: Answer[]): Promise<void> {
  let answers: Answer[] = []
  const problem = await failure(async () => {
    answers = await answersOf(t, host, lists)
  })
  const different = problem ? [`does not start: ${problem}`] : differences(host, answers, expected)
  report({ part: 'hosts', name: host.name, tried: answers.length, different })
  t.strictSame(different, [])
  t.strictSame(addedBy(host, answers, expected), new Set(host.adds), 'each header that the row names is its own')
}

async function answersOf(t: Test, host: Host, lists: Lists): Promise<Answer[]> {
  const app = await build(host, lists)
  t.teardown(() => app.close())
  const client = clientOf(host, (await listen(app)).address)
  t.teardown(() => client.close())
  return Promise.all(requests.map((request) => client.ask(request)))
}

/** What is not as on the plain host, one line for each request. */
const differences = ({ adds }: Host, answers: Answer[], expected: Answer[]): string[] =>
  requests.flatMap((request, index) => {
    const [text = '', plain = ''] = [answers, expected].map((each) => textOf(each[index] as Answer, adds))
    const problem = difference(text, plain)
    return problem ? [`${nameOf(request)}: ${problem}`] : []
  })

/** Those of the row's headers that do make a difference: a row must not excuse more than it needs. */
function addedBy({ adds = [] }: Host, answers: Answer[], expected: Answer[]): Set<string> {
  const differs = (name: string) =>
    answers.some(({ headers }, index) => headers[name] !== expected[index]?.headers[name])
  return new Set(adds.filter(differs))
}
