/** The lists on a Galera cluster under load and writes of payments, while its three nodes fail in turn. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { admin, fill, payments } from '../support/fixtures/world.js'
import { type Answer, serve } from '../support/hosts/server.js'
import { until } from '../support/running/until.js'
import type { Db } from '../support/servers/databases.js'
import { startCluster } from '../support/servers/servers.js'
import { meanwhile, problemOf } from './load-on.js'
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

const { db, nodes } = await startCluster(t)
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

/** Whether an answer is right. A page of the newest payments must be the state of one moment. */
const isRight = (url: string) => (answer: Answer) => {
  if (url === search) return answer.text === found
  const ids = answer.body.data?.map(({ payment_id }) => Number(payment_id) - firstId) ?? []
  const [last = 0] = ids
  const added = Number(answer.body.total) - payments.length
  const isWhole = ids.length === 12 && ids.every((id, index) => id === last - index)
  return isWhole && last <= begun && added >= 12 && added <= begun
}
const isRefused = (answer: Answer) => answer.status === 503 && problemOf(answer, () => false) === undefined

/** Checks that each node soon has every payment. */
async function agree(t: Test): Promise<void> {
  for (const { db } of nodes) {
    const { until } = await listsOf(t, db)
    const { body } = await until(({ body }) => body.total === payments.length + written)
    t.match(body, { total: payments.length + written, data: [{ payment_id: String(firstId + written) }] })
  }
}

let [tried, broken, slowest] = [0, 0, 0]

/** Writes payments and requests both lists in parallel until the fault is over, and checks every answer. */
async function underLoad(t: Test, fault: () => Promise<unknown>): Promise<void> {
  const problems: string[] = []
  let [answers, repeated] = [0, 0]
  const ask = async (url: string) => {
    answers++
    const start = performance.now()
    const answer = await lists.ask(url)
    slowest = Math.max(slowest, performance.now() - start)
    return answer
  }
  const reader = (url: string) => async () => {
    let answer = await ask(url)
    if (isRefused(answer)) {
      repeated++
      await sleep(1_000)
      answer = await ask(url)
    }
    if (answer.status !== 200 || !isRight(url)(answer)) problems.push(`${answer.status} ${answer.text.slice(0, 200)}`)
    await sleep(5)
  }
  const writer = () => write().then(() => sleep(20))
  await meanwhile(fault, writer, ...[newest, search, newest, search, newest, search].map(reader))
  t.comment(`${answers} answers, ${repeated} of them a 503 that was asked again after a second`)
  t.ok(answers > repeated * 2)
  t.strictSame(problems.slice(0, 3), [], 'no answer was wrong, and no repeated request was refused')
  tried += answers
  broken += problems.length
}

const set = (db: Db, setting: string) => sql.raw(`set global ${setting}`).execute(db)
const isolate = (db: Db, on: 0 | 1) => set(db, `wsrep_provider_options = 'gmcast.isolate=${on}'`)
const during = times(1_000, 2_000, 5_000)

for (const [what, signal, index] of [
  ['a node that stops and starts again', 'SIGTERM', 1],
  ['a killed node that copies the data of a donor, which refuses queries during the copy', 'SIGKILL', 2]
] as const) {
  t.test(what, { timeout }, async (t) => {
    const node = nodes[index]
    const donors = nodes.filter((each) => each !== node && signal === 'SIGKILL')
    for (const { db } of donors) await set(db, 'wsrep_sst_donor_rejects_queries = on')
    await underLoad(t, async () => {
      await node.end(signal)
      await sleep(during)
      await node.start()
      await sleep(during)
    })
    await agree(t)
  })
}

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
      t.ok(isRefused(await until(({ status }) => status !== 200)), 'the lists on the node itself are unavailable')
      await sleep(during)
      t.ok(isRefused(await ask()))
      await comeBack(db)
      t.equal((await until(({ status }) => status === 200)).status, 200)
      await sleep(during)
    })
    await agree(t)
  })
}

t.test('the figures', async (t) => {
  t.ok(tried > 0)
  const worst = `answer ${Math.round(slowest)} ms`
  tell({ what: 'answers of a cluster: wrong, or refused again after a second', tried, broken, worst })
})
