/** Stops a statement that nobody waits for any more. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseConnection } from 'kysely'
import { Failure } from '../errors/failure.js'
import type { Row } from './cells.js'
import type { Dialect } from './dialect.js'

/** Ends a statement from outside. False where the server must stop the statement by itself. */
type Stop = (isLate: boolean) => Promise<boolean>

/**
 * What stops the statement on a connection. Undefined with Kysely 0.28, which cannot stop one. PostgreSQL gets the order
 * through a connection of Kysely. MySQL gets the order only where the host's dialect has a `controlConnection`: without
 * one, closing early would free the pool slot while the server still runs the query.
 */
export async function stopper(how: Dialect['stop'], connection: DatabaseConnection): Promise<Stop | undefined> {
  const stop = how && connection[how]
  if (!stop || !connection.cancelQuery) return undefined
  await connection.collectSessionInfo?.()
  let isControlled = true
  // Another connection of the pool may lead to another server, where the same number is another session.
  const uncontrolled = async () => {
    isControlled = false
  }
  return async (isLate) => {
    // Only this call tells whether there is a control connection. The session ends next in any case.
    if (how === 'killSession' && !isLate) await connection.cancelQuery?.(uncontrolled)
    if (!isControlled && !isLate) return false
    await stop.call(connection, uncontrolled)
    return isControlled || isLate
  }
}

/** Milliseconds in which a statement can end by itself, so that a client that leaves does not cost a connection each time. */
const grace = 250

/** The rows of a statement. The statement is stopped when it still runs some time after `over`. */
export function untilOver(
  result: Promise<{ rows: Row[] }>,
  over: AbortSignal,
  stop: Stop,
  deadline: number
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let isRunning = true
    let stopping = Promise.resolve()
    const leave = () => {
      timer = setTimeout(end, grace)
    }
    const left = () => Math.max(0, deadline - performance.now())
    const end = () => {
      const isLate = left() === 0
      // Nobody can fix an order that fails.
      const stopped = stop(isLate).catch(() => isLate)
      // The order may get no answer.
      const givenUp = sleep(left() + grace, isLate, { ref: false })
      stopping = Promise.race([stopped, givenUp]).then((isStopped) => {
        // A session that has ended gives no rows.
        if (isStopped) reject(new Failure('timeout', 'Nobody waits for the answer any more.'))
        else if (isRunning) timer = setTimeout(end, left() + grace)
      })
    }
    over.addEventListener('abort', leave)
    if (over.aborted) leave()
    const ended = () => {
      isRunning = false
      clearTimeout(timer)
      over.removeEventListener('abort', leave)
      // The transaction must not end before the order: the order would stop the next statement of the session.
      return stopping
    }
    result.finally(ended).then(({ rows }) => resolve(rows), reject)
  })
}
