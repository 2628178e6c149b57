/** The lists on a Galera cluster under load and writes, while its three nodes fail in turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { listsOf, newest, refusalProblem, search, startCluster } from '../support/cluster.js'
import type { Db } from '../support/databases.js'
import type { Answer } from '../support/server.js'
import { tell, times } from './sizes.js'

const timeout = 600_000
t.setTimeout(6 * timeout)

let cluster: Awaited<ReturnType<typeof startCluster>>
t.before(async () => {
  cluster = await startCluster(t)
})

let tried = 0
let broken = 0
let slowest = 0

/** Writes payments and requests both lists in parallel until the promise settles, and checks every answer. */
async function underLoad(t: Test, fault: () => Promise<unknown>, workers = 6): Promise<void> {
  const { lists, write, problemOf } = cluster
  const problems: string[] = []
  let [answers, repeated, over] = [0, 0, false]
  const ask = async (url: string) => {
    answers++
    const start = performance.now()
    const answer = await lists.ask(url)
    slowest = Math.max(slowest, performance.now() - start)
    return answer
  }
  const reader = async (url: string) => {
    while (!over) {
      let answer = await ask(url)
      if (refusalProblem(answer) === undefined) {
        repeated++
        await sleep(1_000)
        answer = await ask(url)
      }
      const problem = problemOf(url, answer)
      if (problem) problems.push(problem)
      await sleep(5)
    }
  }
  const writer = async () => {
    while (!over) {
      await write()
      await sleep(20)
    }
  }
  const faulty = fault().finally(() => {
    over = true
  })
  const readers = Array.from({ length: workers }, (_, index) => reader(index % 2 ? newest : search))
  await Promise.all([faulty, writer(), ...readers])
  t.comment(`${answers} answers, ${repeated} of them a 503 that was asked again after a second`)
  t.ok(answers > repeated * 2)
  t.strictSame(problems.slice(0, 3), [], 'no answer was wrong, and no repeated request was refused')
  tried += answers
  broken += problems.length
}

const during = times(1_000, 2_000, 5_000)

t.test('a node that stops and starts again', { timeout }, async (t) => {
  const [, node] = cluster.nodes
  await underLoad(t, async () => {
    await node.end('SIGTERM')
    await sleep(during)
    await node.start()
    await sleep(during)
  })
  await cluster.agree(t)
})

t.test(
  'a killed node that copies the data of a donor, which refuses queries during the copy',
  { timeout },
  async (t) => {
    const [first, second, killed] = cluster.nodes
    for (const { db } of [first, second]) await set(db, 'wsrep_sst_donor_rejects_queries = on')
    await underLoad(t, async () => {
      await killed.end('SIGKILL')
      await sleep(during)
      await killed.start()
      await sleep(during)
    })
    await cluster.agree(t)
  }
)

const set = (db: Db, setting: string) => sql.raw(`set global ${setting}`).execute(db)
const isolate = (db: Db, on: 0 | 1) => set(db, `wsrep_provider_options = 'gmcast.isolate=${on}'`)
const refuses = ({ status }: Answer) => status !== 200
const answers = ({ status }: Answer) => status === 200

for (const [what, leave, comeBack] of [
  ['has lost the others', (db: Db) => isolate(db, 1), (db: Db) => isolate(db, 0)],
  [
    'refuses, as one does that is copied',
    (db: Db) => set(db, 'wsrep_desync = on, global wsrep_reject_queries = all'),
    (db: Db) => set(db, 'wsrep_reject_queries = none, global wsrep_desync = off')
  ]
] as const) {
  t.test(`a node that ${what}`, { timeout }, async (t) => {
    const [, , { db }] = cluster.nodes
    const { ask, until } = await listsOf(t, db)
    await underLoad(t, async () => {
      await leave(db)
      t.equal(refusalProblem(await until(refuses)), undefined, 'the lists on the node itself are unavailable')
      await sleep(during)
      t.equal(refusalProblem(await ask()), undefined)
      await comeBack(db)
      t.ok(answers(await until(answers)))
      await sleep(during)
    })
    await cluster.agree(t)
  })
}

t.test('nodes that have lost each other refuse queries, and recover by themselves', { timeout }, async (t) => {
  const { nodes, lists } = cluster
  const [{ db }, ...others] = nodes
  await Promise.all(others.map(({ db }) => isolate(db, 1)))
  for (const { db } of nodes) t.equal(refusalProblem(await (await listsOf(t, db)).until(refuses)), undefined)
  for (const url of [newest, search]) t.equal(refusalProblem(await lists.ask(url)), undefined)
  const { until } = await listsOf(t, db)
  await Promise.all(others.map(({ db }) => isolate(db, 0)))
  t.ok(answers(await until(answers)), 'a server that started during the outage answers')
  await sleep(1_000)
  t.equal(cluster.problemOf(newest, await lists.ask()), undefined)
  await cluster.agree(t)
})

t.test('the figures', async (t) => {
  t.ok(tried > 0)
  const worst = `answer ${Math.round(slowest)} ms`
  tell({ what: 'answers of a cluster: wrong, or refused again after a second', tried, broken, worst })
})
