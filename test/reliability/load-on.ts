/** Load on the lists during a fault of a database, a network or an identity provider, and the outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import type { ListingOptions } from '../../src/index.js'
import type { Db } from '../support/databases.js'
import { expected } from '../support/oracle.js'
import { type Answer, serve, shown } from '../support/server.js'
import { until } from '../support/until.js'
import { admin } from '../support/world.js'
import { tell } from './sizes.js'
import { tellOfLog, watched, watchedLogger } from './watched-log.js'

export const timeout = 1_000
/** Milliseconds that an answer may exceed the deadline, because the machine also does other work. */
const allowance = 250
/** Milliseconds from the end of the fault to the first correct answer. */
const longestRecovery = 1_000

const url = '/payment/list?search=a'
const wanted = expected(url, admin)

/** The answers during a fault. */
export interface Outcome {
  statuses: Map<number, number>
  /** Milliseconds of the slowest answer. */
  slowest: number
  wrong: string[]
}

export interface Lists {
  ask(): Promise<Answer>
  /** Sends eight requests at a time until the promise settles, and checks every answer. */
  load(until: Promise<unknown>): Promise<Outcome>
  /** Milliseconds until the first correct answer. */
  recovery(): Promise<number>
}

/** The lists on a database that holds the small world. */
export async function listsOn(t: Test, db: Db, options: Partial<ListingOptions> = {}): Promise<Lists> {
  const { get } = await serve(
    t,
    { db, timeout, checkOnReady: 'off', ...options },
    { server: { logger: watchedLogger } }
  )
  const ask = () => get(url, admin)
  return {
    ask,
    async load(until) {
      const outcome: Outcome = { statuses: new Map(), slowest: 0, wrong: [] }
      let over = false
      const end = until.finally(() => {
        over = true
      })
      const work = async () => {
        while (!over) {
          const start = performance.now()
          const answer = await ask()
          const { status } = answer
          outcome.statuses.set(status, (outcome.statuses.get(status) ?? 0) + 1)
          outcome.slowest = Math.max(outcome.slowest, performance.now() - start)
          const problem = problemOf(answer)
          if (problem) outcome.wrong.push(problem)
          // A client that gets a 503 at once waits a little before the next request.
          if (status === 503) await sleep(5)
        }
      }
      await Promise.all([end, ...Array.from({ length: 8 }, work)])
      return outcome
    },
    async recovery() {
      const start = performance.now()
      await until(async () => (await ask()).status === 200, 10_000)
      return performance.now() - start
    }
  }
}

function problemOf(answer: Answer): string | undefined {
  const { status, headers, text } = answer
  if (status === 200)
    return isDeepStrictEqual(shown(answer), wanted) ? undefined : `a wrong answer: ${text.slice(0, 200)}`
  const errors: Record<number, string> = {
    503: 'Service temporarily unavailable.',
    504: 'The request took too long.'
  }
  if (text !== JSON.stringify({ status, error: errors[status] })) return `${status} ${text}`
  return status === 503 && headers['retry-after'] === undefined ? '503 without Retry-After' : undefined
}

const all = { tried: 0, survived: 0, slowest: 0, recovery: 0 }

/**
 * Checks the outcome of a fault.
 *
 * @param isFelt whether the fault must have caused errors
 * @param left the number of statements that the server still runs, and of connections that are not free
 */
export async function judge(
  t: Test,
  outcome: Outcome,
  recovery: number,
  left: () => Promise<number> = async () => 0,
  isFelt = true
): Promise<void> {
  const statuses = [...outcome.statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  const [slowest, recovered] = [Math.round(outcome.slowest), Math.round(recovery)]
  t.comment(`${statuses}; slowest ${slowest} ms; recovery ${recovered} ms`)
  await until(async () => (await left()) === 0)
  const fine = [
    t.strictSame(outcome.wrong.slice(0, 3), []),
    t.equal(outcome.statuses.has(503) || outcome.statuses.has(504), isFelt, 'the fault is felt'),
    t.ok(slowest <= timeout + allowance, `the slowest answer took ${slowest} ms`),
    t.ok(recovered <= longestRecovery, `right again after ${recovered} ms`),
    t.equal(await left(), 0, 'the server runs no statement of the lists, and every connection of the pool is free')
  ]
  all.tried++
  if (fine.every(Boolean)) all.survived++
  all.slowest = Math.max(all.slowest, slowest)
  all.recovery = Math.max(all.recovery, recovered)
}

/** Reports all faults in one figure. */
export function tellOfAll(t: Test): void {
  const { tried, survived, slowest, recovery } = all
  t.equal(survived, tried)
  t.strictSame(watched.leaks.slice(0, 3), [], 'the log contains no secret')
  tellOfLog('faults')
  const worst = `answer after ${slowest} ms of at most ${timeout + allowance}, right again after ${recovery} ms`
  tell({ what: 'faults that were not survived', tried, broken: tried - survived, worst })
}
