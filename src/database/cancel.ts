/** Stops a statement whose request has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseConnection } from 'kysely'
import { Failure } from '../errors/failure.js'
import { stopGrace } from '../limits.js'
import type { Row } from './cells.js'
import { race } from './deadline.js'
import type { RunSql } from './dialect.js'

/** Stops a statement. Resolves to `false` when only the server can stop the statement. */
type Stop = (isLate: boolean) => Promise<boolean>

/**
 * Returns what stops the connection's statement. Undefined if the driver cannot, as with Kysely 0.28. On MySQL, only a
 * dialect with `controlConnection` stops one before the deadline, because closing early would free the pool slot while
 * the server still runs the query.
 */
export async function prepareStop(method: RunSql['stop'], connection: DatabaseConnection): Promise<Stop | undefined> {
  const stop = method && connection[method]
  if (!stop || !connection.cancelQuery) return undefined
  await connection.collectSessionInfo?.()
  let isControlled = true
  // Kysely offers a pool connection instead, but the pool may lead to another server.
  const uncontrolled = async () => {
    isControlled = false
  }
  return async (isLate) => {
    // Detects a control connection. `killSession` would destroy the connection first.
    if (method === 'killSession' && !isLate) await connection.cancelQuery?.(uncontrolled)
    if (!isControlled && !isLate) return false
    await stop.call(connection, uncontrolled)
    return isControlled || isLate
  }
}

/** The rows, unless the statement is stopped: a grace period after `over`, and at `endsAt`, in `performance.now()`. */
export async function rowsUnlessStopped(
  result: Promise<Row[]>,
  over: AbortSignal,
  stop: Stop,
  endsAt: number
): Promise<Row[]> {
  const timeLeft = () => Math.max(0, endsAt - performance.now())
  const ended = result.then(
    () => true,
    () => true
  )
  const endsWithin = (milliseconds: number) => Promise.race([ended, pause(milliseconds, false)])
  // The error of the statement comes from `result` below.
  await race(over, () => ended).catch(() => undefined)
  if (!over.aborted) return result
  for (let wait = stopGrace; !(await endsWithin(wait)); wait = timeLeft() + stopGrace) {
    const isLate = timeLeft() === 0
    // A session that is gone (1094) has stopped.
    const stopped = stop(isLate).catch((error) => isLate || Object(error).errno === 1094)
    // The stop command may never end. Until then the connection is not free, because a late command would hit the next
    // statement of the session.
    const isStopped = await Promise.race([stopped, pause(timeLeft() + stopGrace, isLate)])
    // The `result` of a destroyed connection never settles.
    if (isStopped) throw new Failure('timeout', 'The request ended before the database answered.')
  }
  return result
}

const pause = (milliseconds: number, value: boolean) => sleep(milliseconds, value, { ref: false })
