/** The lists on a Galera cluster under load and writes of payments, while its three nodes fail in turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import t, { type Test } from 'tap'
import { openCluster } from '../../examples/cluster.js'
import type { Db } from '../support/databases.js'
import { startGalera } from '../support/galera.mjs'
import { type Answer, serve } from '../support/server.js'
import { mysqlOf } from '../support/servers.js'
import { until } from '../support/until.js'
import { admin, fill, payments } from '../support/world.js'
import { tell, times } from './sizes.js'

/** A page with the newest written payments, and a list that no write changes. */
const newest = '/payment/list?limit=12'
const search = '/assessment/list?search=a'

/** Requests of an administrator to the lists on one database. */
async function listsOf(t: Test, db: Db) {
  const { get } = await serve(t, { db })
  const ask = (url = newest) => get(url, admin)
  /** Repeats the request until the condition holds, for at most about a minute. */
  const askUntil = async (holds: (answer: Answer) => boolean) => {
    let answer = await ask()
    await until(async () => {
      answer = await ask()
      return holds(answer)
    }, 60_000)
    return answer
  }
  return { ask, until: askUntil }
}

const timeout = 600_000
t.setTimeout(6 * timeout)

/** A cluster with the small world in it. */
const galera = await startGalera()
t.teardown(galera.stop)
const openNode = (options: PoolOptions): Db => {
  const db = mysqlOf(createPool(options))
  t.teardown(() => db.destroy())
  return db
}
const options = galera.nodes.map(({ url }) => ({ uri: `${url}/lists`, connectionLimit: 4, connectTimeout: 1_000 }))
await sql`create database lists`.execute(openNode({ uri: String(galera.nodes[0]?.url) }))
const opened = galera.nodes.map((node, index) => ({ ...node, db: openNode(options[index] as PoolOptions) }))
type Node = (typeof opened)[number]
const nodes = opened as [Node, Node, Node]
const db: Db = openCluster(options)
t.teardown(() => db.destroy())
await fill(nodes[0].db)

// The ids of payments follow the order of the writes. `begun` counts started writes, `written` confirmed ones.
const firstId = 1_000
let [begun, written] = [0, 0]
/** Writes the next payment, and repeats the write until it is confirmed. */
async function write(): Promise<void> {
  begun++
  const created_at = new Date(Date.UTC(2025, 0) + begun * 1_000).toISOString().slice(0, 19).replace('T', ' ')
  const row = { ...payments[0], payment_id: firstId + begun, payment_intent: `pi_new_${begun}`, created_at }
  const insert = db.insertInto('payments').ignore().values(row)
  while (!(await insert.execute().then(Boolean, () => false))) await sleep(50)
  written = begun
}
// A node that confirms a write has all earlier writes of every node.
for (let count = 0; count < 12; count++) await write()
const lists = await listsOf(t, db)
const found = (await lists.ask(search)).text

/** The reason why an answer is wrong. A page of the newest payments must be the state of one moment. */
function problemOf(url: string, { status, text, body }: Answer): string | undefined {
  const ids = body.data?.map(({ payment_id }) => Number(payment_id) - firstId) ?? []
  const [last = 0] = ids
  const added = Number(body.total) - payments.length
  const isWhole = ids.length === 12 && ids.every((id, index) => id === last - index)
  const isRight = url === search ? text === found : isWhole && last <= begun && added >= 12 && added <= begun
  return isRight ? undefined : `${status} ${text.slice(0, 200)}`
}

/** Checks that each node soon has every payment. */
async function agree(t: Test): Promise<void> {
  for (const { db } of nodes) {
    const { until } = await listsOf(t, db)
    const { body } = await until(({ body }) => body.total === payments.length + written)
    t.match(body, { total: payments.length + written, data: [{ payment_id: String(firstId + written) }] })
  }
}
/** The reason why an answer is wrong while the database is unreachable. */
function refusalProblem({ status, text, headers }: Answer): string | undefined {
  const isRight = text === '{"status":503,"error":"Service temporarily unavailable."}' && headers['retry-after'] === '1'
  return status === 503 && isRight ? undefined : `${status} ${text.slice(0, 200)}`
}

let tried = 0
let broken = 0
let slowest = 0

/** Writes payments and requests both lists in parallel until the promise settles, and checks every answer. */
async function underLoad(t: Test, fault: () => Promise<unknown>, workers = 6): Promise<void> {
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

async function endsAndStarts(t: Test, node: Node, signal: NodeJS.Signals): Promise<void> {
  await underLoad(t, async () => {
    await node.end(signal)
    await sleep(during)
    await node.start()
    await sleep(during)
  })
  await agree(t)
}

t.test('a node that stops and starts again', { timeout }, (t) => endsAndStarts(t, nodes[1], 'SIGTERM'))

t.test('a killed node that copies the data of a donor, which then refuses queries', { timeout }, async (t) => {
  const [first, second, killed] = nodes
  for (const { db } of [first, second]) await set(db, 'wsrep_sst_donor_rejects_queries = on')
  await endsAndStarts(t, killed, 'SIGKILL')
})

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
    const [, , { db }] = nodes
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
    await agree(t)
  })
}

t.test('nodes that have lost each other refuse queries, and recover by themselves', { timeout }, async (t) => {
  const [{ db }, ...others] = nodes
  await Promise.all(others.map(({ db }) => isolate(db, 1)))
  for (const { db } of nodes) t.equal(refusalProblem(await (await listsOf(t, db)).until(refuses)), undefined)
  for (const url of [newest, search]) t.equal(refusalProblem(await lists.ask(url)), undefined)
  const { until } = await listsOf(t, db)
  await Promise.all(others.map(({ db }) => isolate(db, 0)))
  t.ok(answers(await until(answers)), 'a server that started during the outage answers')
  await sleep(1_000)
  t.equal(problemOf(newest, await lists.ask()), undefined)
  await agree(t)
})

t.test('the figures', async (t) => {
  t.ok(tried > 0)
  const worst = `answer ${Math.round(slowest)} ms`
  tell({ what: 'answers of a cluster: wrong, or refused again after a second', tried, broken, worst })
})
