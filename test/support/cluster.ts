/** The lists on a Galera cluster with concurrent writes of payments, and checks of their answers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createPool, type PoolOptions } from 'mysql2'
import type { Test } from 'tap'
import { openCluster } from '../../examples/cluster.js'
import type { Db } from './databases.js'
import { startGalera } from './galera.mjs'
import { type Answer, serve } from './server.js'
import { until } from './until.js'
import { admin, fill, payments } from './world.js'

/** A page with the newest written payments, and a list that no write changes. */
export const newest = '/payment/list?limit=12'
export const search = '/assessment/list?search=a'

/** Requests of an administrator to the lists on one database. */
export async function listsOf(t: Test, db: Db) {
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

const databaseOf = (options: PoolOptions): Db =>
  new Kysely({ dialect: new MysqlDialect({ pool: createPool(options) }) })

/** Starts a cluster with the small world in it. */
export async function startCluster(t: Test) {
  const galera = await startGalera()
  t.teardown(galera.stop)
  const openNode = (options: PoolOptions): Db => {
    const db = databaseOf(options)
    t.teardown(() => db.destroy())
    return db
  }
  const options = galera.nodes.map(({ url }) => ({ uri: `${url}/lists`, connectionLimit: 4, connectTimeout: 1_000 }))
  await sql`create database lists`.execute(openNode({ uri: String(galera.nodes[0]?.url) }))
  const [a, b, c] = galera.nodes.map((node, index) => ({ ...node, db: openNode(options[index] as PoolOptions) }))
  if (!(a && b && c)) throw new Error('The cluster has too few nodes.')
  const db: Db = openCluster(options)
  t.teardown(() => db.destroy())
  await fill(a.db)

  // The ids of payments follow the order of the writes. `begun` counts started writes, `written` confirmed ones.
  const firstId = 1_000
  let [begun, written] = [0, 0]
  /** Writes the next payment, and repeats the write until it is confirmed. */
  async function write(): Promise<void> {
    begun++
    const created_at = new Date(Date.UTC(2025, 0) + begun * 1_000).toISOString().slice(0, 19).replace('T', ' ')
    const row = { ...payments[0], payment_id: firstId + begun, payment_intent: `pi_new_${begun}`, created_at }
    const insert = db.insertInto('payments').ignore().values(row)
    while (!(await insert.execute().then(yes, no))) await sleep(50)
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
    for (const { db } of [a, b, c] as { db: Db }[]) {
      const { until } = await listsOf(t, db)
      const { body } = await until(({ body }) => body.total === payments.length + written)
      t.match(body, { total: payments.length + written, data: [{ payment_id: String(firstId + written) }] })
    }
  }
  return { nodes: [a, b, c] as const, db, lists, write, problemOf, agree }
}

const yes = () => true
const no = () => false

/** The reason why an answer is wrong while the database is unreachable. */
export function refusalProblem({ status, text, headers }: Answer): string | undefined {
  const isRight = text === '{"status":503,"error":"Service temporarily unavailable."}' && headers['retry-after'] === '1'
  return status === 503 && isRight ? undefined : `${status} ${text.slice(0, 200)}`
}
