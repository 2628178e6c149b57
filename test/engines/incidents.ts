/** The incidents of a row: a deadline, a client that leaves, and a node that dies. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { difference } from '../matrix/report.mjs'
import { askerOf, nameOf } from '../matrix/requests.js'
import { until } from '../support/running/until.js'
import type { Db } from '../support/servers/databases.js'
import { slowPayments } from './data.js'
import type { Engine, Node, Row, Started } from './engine.js'
import { type Lists, slow } from './lists.js'
import type { EngineRequest } from './requests.js'

/** Milliseconds that an answer may exceed its deadline, because the machine also does other work. */
const allowance = 400

const slowRequest = { method: 'GET', path: '/slow/payment/list', asker: askerOf('Admin'), status: 504 } as const

export async function tryDeadline({ leaving }: Engine, lists: Lists, row: Row): Promise<void> {
  const { status, milliseconds } = await lists.ask(slowRequest)
  const seconds = (milliseconds / 1000).toFixed(1)
  // A statement that blocks the process is waited for, and an answer that is ready then is sent.
  const isBlocked = leaving === 'runs to its end'
  row.deadline = isBlocked ? `${status} after the statement, ${seconds} s` : `${status} after ${seconds} s`
  const isRight = status === 504 && milliseconds <= slow['/slow'] + allowance
  if (!isRight && !(isBlocked && [200, 504].includes(status))) row.wrong.push(`The deadline: ${row.deadline}.`)
}

/** The number of statements on the slow payments, on all of the servers. */
async function running(servers: readonly Db[]): Promise<number> {
  let count = 0
  for (const db of servers) {
    const isPostgres = db.selectFrom('t').compile().sql.includes('"')
    // The text of a shard's statement names no table. A statement on the view waits for nothing between two rows.
    const { rows } = isPostgres
      ? await sql`select pid from pg_stat_activity
          where state = 'active' and pid <> pg_backend_pid()
            and (query like ${`%${slowPayments}%`} or wait_event in ('PgSleep', 'Extension'))`.execute(db)
      : await sql`select id from information_schema.processlist
          where info like ${`%${slowPayments}%`} and id <> connection_id()`.execute(db)
    count += rows.length
  }
  return count
}

export async function tryLeaving(engine: Engine, { servers }: Started, lists: Lists, row: Row): Promise<void> {
  if (!servers) {
    row.leaving = 'runs to its end'
    return
  }
  const isQuiet = async () => (await running(servers)) === 0
  if (!(await until(isQuiet, 10_000))) row.wrong.push('The deadline: the statement still runs.')
  const leave = await lists.askSlowly('/slower')
  const start = performance.now()
  if (!(await until(async () => !(await isQuiet())))) row.wrong.push('A client that leaves: no statement was seen.')
  leave()
  const left = performance.now()
  const ended = await until(isQuiet, 20_000)
  const [now, deadline] = [performance.now(), start + slow['/slower']]
  const how = now < deadline - 500 ? 'stops' : now < deadline + 2_000 ? 'stops at the deadline' : 'runs to its end'
  row.leaving = how === 'stops' ? `stops after ${((now - left) / 1000).toFixed(1)} s` : how
  if (!ended || how !== engine.leaving) row.wrong.push(`A client that leaves: the statement ${how}.`)
}

/** Milliseconds in which every answer must be right again. */
const patience = 90_000

/** While the node is away, each answer is right or a refusal, and soon after its return each is right. */
export async function tryDeath(
  { name, die, comeBack, othersAnswer }: Node,
  requests: readonly EngineRequest[],
  plain: Lists,
  lists: Lists,
  row: Row
): Promise<void> {
  const chosen = requests.filter(({ status }, index) => status === 200 && index % 11 === 0)
  const expected: string[] = []
  for (const request of chosen) expected.push((await plain.ask(request)).text)
  let refused = 0
  /** Whether no answer is a refusal. */
  const askAll = async () => {
    const before = refused
    for (const [index, request] of chosen.entries()) {
      const { status, text } = await lists.ask(request)
      const problem = difference(text, String(expected[index]))
      if (status === 503 || status === 504) {
        refused++
        await sleep(50)
      } else if (problem) row.wrong.push(`Without ${name}: ${nameOf(request)}: ${problem}, ${lists.lastFailure()}`)
    }
    return refused === before
  }

  // Some requests are under way.
  await Promise.all([askAll(), askAll(), askAll(), die()])
  const others = othersAnswer ? await until(askAll, patience) : await askAll()
  if (others !== othersAnswer) row.wrong.push(`Without ${name}: ${refused} refused.`)
  await Promise.all([askAll(), comeBack()])
  if (!(await until(askAll, patience))) row.wrong.push(`After ${name} is back: answers are still refused.`)
  row.node = refused > 0 ? `${refused} × 503` : 'no 503'
}
