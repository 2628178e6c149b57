/** Load on the lists during a fault of a database or of a network, and the outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { admin } from '../support/fixtures/world.js'
import { type Answer, serve, shown } from '../support/hosts/server.js'
import { expected } from '../support/oracle/oracle.js'
import { until } from '../support/running/until.js'
import type { Db } from '../support/servers/databases.js'
import { tell, tellOfLog, watched, watchedLogger } from './sizes.js'

export const timeout = 1_000
/** Milliseconds that an answer may exceed the deadline, because the machine also does other work. */
const allowance = 250
/** Milliseconds from the end of the fault to the first correct answer. */
const longestRecovery = 1_000

const url = '/payment/list?search=a'
const wanted = expected(url, admin)

/**
 * The lists on a database that holds the small world.
 *
 * @param left the number of statements that the server still runs, and of connections that are not free
 */
export async function listsOn(t: Test, db: Db, left: () => Promise<number>) {
  const { get } = await serve(t, { db, timeout, checkOnReady: 'off' }, { server: { logger: watchedLogger } })
  return { ask: () => get(url, admin), left }
}

const errors: Record<number, string> = {
  503: 'Service temporarily unavailable.',
  504: 'The request took too long.'
}

/** The reason why an answer is neither the right one nor a refusal of the contract. */
export function problemOf(answer: Answer, isRight: (answer: Answer) => boolean): string | undefined {
  const { status, text, headers } = answer
  if (status === 200) return isRight(answer) ? undefined : `a wrong answer: ${text.slice(0, 200)}`
  if (text !== JSON.stringify({ status, error: errors[status] })) return `${status} ${text}`
  return status === 503 && headers['retry-after'] !== '1' ? '503 without Retry-After' : undefined
}

/** Does each piece of work again and again until the fault is over. */
export async function meanwhile(fault: () => Promise<unknown>, ...work: (() => Promise<unknown>)[]): Promise<void> {
  let over = false
  const end = fault().finally(() => {
    over = true
  })
  const repeated = work.map(async (act) => {
    while (!over) await act()
  })
  await Promise.all([end, ...repeated])
}

const all = { tried: 0, survived: 0, slowest: 0, recovery: 0 }

/**
 * Sends eight requests at a time until the fault is over, and checks every answer and the recovery.
 *
 * @param options whether the fault must have caused errors, and what ends that which lasts longer than the load
 * @returns the number of answers with each status
 */
export async function survive(
  t: Test,
  { ask, left }: Awaited<ReturnType<typeof listsOn>>,
  fault: () => Promise<unknown>,
  { isFelt = true, undo = () => undefined }: { isFelt?: boolean; undo?(): unknown } = {}
) {
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  let slowest = 0
  const request = async () => {
    const start = performance.now()
    const answer = await ask()
    slowest = Math.max(slowest, Math.round(performance.now() - start))
    const { status } = answer
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const problem = problemOf(answer, (answer) => isDeepStrictEqual(shown(answer), wanted))
    if (problem) wrong.push(problem)
    // A client that gets a 503 at once waits a little before the next request.
    if (status === 503) await sleep(5)
  }
  await meanwhile(fault, ...Array(8).fill(request))
  await undo()

  const start = performance.now()
  await until(async () => (await ask()).status === 200, 10_000)
  const recovery = Math.round(performance.now() - start)
  t.comment(`${told(statuses)}; slowest ${slowest} ms; recovery ${recovery} ms`)
  await until(async () => (await left()) === 0)
  const fine = [
    t.strictSame(wrong.slice(0, 3), []),
    t.equal(statuses.has(503) || statuses.has(504), isFelt, 'the fault is felt'),
    t.ok(slowest <= timeout + allowance, `the slowest answer took ${slowest} ms`),
    t.ok(recovery <= longestRecovery, `right again after ${recovery} ms`),
    t.equal(await left(), 0, 'the server runs no statement of the lists, and every connection of the pool is free')
  ]
  all.tried++
  if (fine.every(Boolean)) all.survived++
  all.slowest = Math.max(all.slowest, slowest)
  all.recovery = Math.max(all.recovery, recovery)
  return statuses
}

export const told = (counts: Map<unknown, number>): string =>
  [...counts].map(([what, number]) => `${number} × ${what}`).join(', ')

/** Reports all faults in one figure. */
export function tellOfAll(t: Test): void {
  const { tried, survived, slowest, recovery } = all
  t.equal(survived, tried)
  t.strictSame(watched.leaks.slice(0, 3), [], 'the log contains no secret')
  tellOfLog('faults')
  const worst = `answer after ${slowest} ms of at most ${timeout + allowance}, right again after ${recovery} ms`
  tell({ what: 'faults that were not survived', tried, broken: tried - survived, worst })
}
