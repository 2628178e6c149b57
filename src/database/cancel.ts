/** Stops a statement whose request has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseConnection } from 'kysely'
import { Failure } from '../errors/failure.js'
import type { Row } from './cells.js'
import type { Dialect } from './dialect.js'

/** Stops a statement. Resolves to `false` when only the server can stop the statement. */
type Stop = (isLate: boolean) => Promise<boolean>

/**
 * Returns the function that stops the connection's statement. Undefined if the driver cannot stop statements, as with
 * Kysely 0.28. On MySQL, a statement can be stopped before the deadline only if the host's Kysely dialect has the option
 * `controlConnection`. Without the option, closing early would free the pool slot while the server still runs the query.
 */
export async function prepareStop(method: Dialect['stop'], connection: DatabaseConnection): Promise<Stop | undefined> {
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

/** Milliseconds in which a statement can end and keep its connection. */
const grace = 250

/**
 * Resolves to the rows of the statement. Stops the statement after `over` and the grace period, and again at the deadline.
 *
 * @param deadline in the time of `performance.now()`
 */
export function rowsUnlessStopped(
  result: Promise<Row[]>,
  over: AbortSignal,
  stop: Stop,
  deadline: number
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let isRunning = true
    let stopping = Promise.resolve()
    const startGrace = () => {
      timer = setTimeout(stopStatement, grace)
    }
    const timeLeft = () => Math.max(0, deadline - performance.now())
    const stopStatement = () => {
      const isLate = timeLeft() === 0
      // A session that is gone (1094) has stopped.
      const stopped = stop(isLate).catch((error) => isLate || Object(error).errno === 1094)
      // The stop command may never end.
      const givenUp = sleep(timeLeft() + grace, isLate, { ref: false })
      stopping = Promise.race([stopped, givenUp]).then((isStopped) => {
        // The `result` of a destroyed connection never settles.
        if (isStopped) reject(new Failure('timeout', 'The request ended before the database answered.'))
        else if (isRunning) timer = setTimeout(stopStatement, timeLeft() + grace)
      })
    }
    over.addEventListener('abort', startGrace)
    if (over.aborted) startGrace()
    const onEnd = () => {
      isRunning = false
      clearTimeout(timer)
      over.removeEventListener('abort', startGrace)
      // A late stop command would hit the next statement of the session.
      return stopping
    }
    result.finally(onEnd).then(resolve, reject)
  })
}
