/**
 * The same bytes in every host: each request of ./requests.ts to each host of ./hosts. One entry is one host. A host that
 * does something more is a row more, in the file of its theme; ./host.ts says what a row may hold.
 */
import t, { type Test } from 'tap'
import { listen } from '../support/listening.js'
import { openWorld } from '../support/tables.js'
import { roleOf } from './askers.js'
import { type Answer, textOf } from './client.js'
import { build, clientOf, type Host, type Lists } from './host.js'
import { callers } from './hosts/callers.js'
import { compilers } from './hosts/compilers.js'
import { hooks } from './hosts/hooks.js'
import { paths } from './hosts/paths.js'
import { plugins } from './hosts/plugins.js'
import { refusals } from './hosts/refusals.js'
import { servers } from './hosts/servers.js'
import { tokens } from './hosts/tokens.js'
import { difference, failure, report } from './report.mjs'
import { type MatrixRequest, nameOf, requests } from './requests.js'

/** The one that every other is compared with: as the README shows it. */
const plain: Host = { name: 'nothing of its own' }

const hosts: readonly Host[] = [
  ...servers,
  ...compilers,
  ...hooks,
  ...paths,
  ...tokens,
  ...callers,
  ...plugins,
  ...refusals
]

/** The answer to each request; undefined where it is not asked. */
type Answers = (Answer | undefined)[]

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
  for (const host of hosts) {
    t.test(host.name, (t) => (host.refused ? refuses(t, host, lists) : agrees(t, host, lists, expected)))
  }
})

t.test('the table is as large as is said, and each row is there once', async (t) => {
  for (const names of [hosts.map(({ name }) => name), requests.map(nameOf)]) {
    t.ok(names.length >= 40)
    t.equal(new Set(names).size, names.length)
  }
})

async function agrees(t: Test, host: Host, lists: Lists, expected: Answers): Promise<void> {
  let answers: Answers = []
  const problem = await failure(async () => {
    answers = await answersOf(t, host, lists)
  })
  const different = problem ? [`does not start: ${problem}`] : differences(host, answers, expected)
  const tried = problem ? 1 : answers.filter(Boolean).length
  const { notAsked } = host
  conclude(host, tried, different, notAsked && `${requests.length - tried} not asked: ${notAsked.because}`)
  t.strictSame(different, [])
  t.equal(tried < requests.length, notAsked !== undefined, 'no request is left out without a reason')
  t.strictSame(addedBy(host, answers, expected), new Set(host.adds), 'each header that the row names is its own')
}

async function refuses(t: Test, host: Host, lists: Lists): Promise<void> {
  const message = await failure(async () => {
    const app = await build(host, lists)
    t.teardown(() => app.close())
    await app.ready()
  })
  const isClear = message !== undefined && host.refused?.test(message)
  conclude(host, 1, isClear ? [] : [`the boot says: ${message}`], `does not start: ${message}`)
  t.match(message, host.refused)
}

async function answersOf(t: Test, host: Host, lists: Lists): Promise<Answers> {
  const app = await build(host, lists)
  t.teardown(() => app.close())
  const client = clientOf(host, (await listen(app)).address)
  t.teardown(() => client.close())
  const isAsked = (request: MatrixRequest) => !host.notAsked?.requests(request)
  return Promise.all(requests.map((request) => (isAsked(request) ? client.ask(request) : undefined)))
}

/** What is not as on the plain host, one line for each request. */
function differences(host: Host, answers: Answers, expected: Answers): string[] {
  return requests.flatMap((request, index) => {
    const [answer, plain] = [answers[index], expected[index]]
    const problem = answer && plain && difference(textOf(answer, host.adds), textOf(plain, host.adds))
    return problem ? [`${nameOf(request)}: ${problem}`] : []
  })
}

/** Those of the row's headers that do make a difference: a row must not excuse more than it needs. */
function addedBy({ adds = [] }: Host, answers: Answers, expected: Answers): Set<string> {
  const differs = (name: string) =>
    answers.some((answer, index) => answer && answer.headers[name] !== expected[index]?.headers[name])
  return new Set(adds.filter(differs))
}

const conclude = ({ name }: Host, tried: number, different: string[], refused?: string) =>
  report({ part: 'hosts', name, tried, different, refused })
