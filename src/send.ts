/** Sends a query to a host's database, and reads what comes back: the one door to it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection } from 'kysely'
import { sampleText } from './dialect.js'
import { Failure } from './errors.js'
import type { Text } from './fields.js'
import type { Row } from './plan.js'
import type { Source } from './source.js'

/** How long an answer is waited for. */
export interface Patience {
  /** Milliseconds until the deadline; none when it has passed. */
  timeLeft(): number
  /** Aborted when nobody waits any more: the answer is out, or the client is gone. */
  readonly over?: AbortSignal
}

/**
 * Sends the query as soon as there is a connection, if there is still time then. The server stops working
 * on it when the time is over, where it can; one that nobody waits for any more is stopped from outside.
 */
export async function send(
  { db, dialect }: Source,
  compiled: CompiledQuery<Row>,
  { timeLeft, over }: Patience
): Promise<Row[]> {
  const run = (session: typeof db) =>
    session.getExecutor().provideConnection(async (connection) => {
      const stop = over && (await stopper(dialect.stop, connection))
      const milliseconds = Math.ceil(timeLeft())
      if (milliseconds <= 0) throw new Failure('timeout', 'The deadline passed.')
      if (dialect.limit) await connection.executeQuery(dialect.limit(milliseconds).compile(session))
      const deadline = performance.now() + milliseconds
      const statement = { ...compiled, sql: dialect.within(compiled.sql, milliseconds) }
      const result = connection.executeQuery<Row>(statement)
      return stop ? untilOver(result, over, stop, deadline) : (await result).rows
    })
  return dialect.limit ? db.transaction().execute(run) : run(db)
}

/** Ends a statement from outside; false where that has to wait until its server has stopped by itself. */
type Stop = (isLate: boolean) => Promise<boolean>

/**
 * What stops the statement on a connection; undefined where Kysely cannot (0.28). PostgreSQL is told through a
 * connection of Kysely's. MySQL is told only where the host's dialect has a `controlConnection`; without one, to close
 * our end early would give the pool its place back while the server works on, and so more work than it has places.
 */
async function stopper(how: Source['dialect']['stop'], connection: DatabaseConnection): Promise<Stop | undefined> {
  const stop = how && connection[how]
  if (!stop || !connection.cancelQuery) return undefined
  await connection.collectSessionInfo?.()
  let isControlled = true
  // Another connection of the pool may lead to another server, where the number is that of somebody else's session.
  const uncontrolled = async () => {
    isControlled = false
  }
  return async (isLate) => {
    // Kysely tells in no other way whether there is a control connection; the session ends next in any case
    if (how === 'killSession' && !isLate) await connection.cancelQuery?.(uncontrolled)
    if (!isControlled && !isLate) return false
    await stop.call(connection, uncontrolled)
    return true
  }
}

/** Milliseconds in which a statement may end by itself: a client that comes and goes must not cost a connection each time. */
const grace = 250

/** The rows of a statement, which is stopped when it still runs some time after nobody waits for it any more. */
function untilOver(result: Promise<{ rows: Row[] }>, over: AbortSignal, stop: Stop, deadline: number): Promise<Row[]> {
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
      // what goes wrong with it, nobody can mend
      const stopped = stop(isLate).catch(() => isLate)
      // an order to stop may get no answer either
      const givenUp = sleep(left() + grace, isLate, { ref: false })
      stopping = Promise.race([stopped, givenUp]).then((isStopped) => {
        // a session that is gone says nothing more
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
      // The transaction around it must not end before: an order to stop would meet the session's next statement.
      return stopping
    }
    result.finally(ended).then(({ rows }) => resolve(rows), reject)
  })
}

/** Reads a cell as text. */
export type CellReader = (cell: unknown) => Text

/** A cell as text. Drivers give text, a Buffer or a number, as the host has set them. */
export const textOf: CellReader = (cell) =>
  cell === null || cell === undefined ? null : Buffer.isBuffer(cell) ? cell.toString('utf8') : String(cell)

/** Bytes of which the host's typeCast has made a text with `field.string()`: one character each. */
const textOfBytes: CellReader = (cell) => textOf(typeof cell === 'string' ? Buffer.from(cell, 'latin1') : cell)

/** How the cells become text beside one that must read `sampleText`; undefined where the driver has changed it. */
export const readerOf = (sample: unknown): CellReader | undefined =>
  [textOf, textOfBytes].find((read) => read(sample) === sampleText)
