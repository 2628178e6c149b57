/** The input of each check. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import type { Dialect } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import { openSession, type Session } from '../database/session.js'
import type { RequestTables, Source } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'

/** The database, with the tables of the moment when the check begins. */
export interface CheckedDatabase extends Source {
  readonly tables: RequestTables
  /**
   * Returns undefined after a timeout.
   *
   * @param setting a statement that runs before the query, in the same transaction
   */
  ask(query: RawBuilder<Row>, milliseconds?: number, setting?: RawBuilder<Row>): Promise<Row[] | undefined>
  /** Returns undefined also where the database cannot run the query. */
  attempt: CheckedDatabase['ask']
}

/** Milliseconds for a query that reads no records. */
const defaultTimeout = 5_000

/** Milliseconds for a query that reads records. */
export const dataTimeout = 300

/** @param wait milliseconds for all queries together */
export function checkedDatabase(source: Source, wait = Number.POSITIVE_INFINITY): CheckedDatabase {
  const tables = source.now(source.names)
  const end = performance.now() + wait
  const ask: CheckedDatabase['ask'] = async (query, timeout = defaultTimeout, setting) => {
    const timeLeft = end - performance.now()
    // The check is tried again later.
    if (timeLeft <= 0) throw new Failure('unavailable', 'The check took too long.', { code: 'ETIMEDOUT' })
    const milliseconds = Math.ceil(Math.min(timeout, timeLeft))
    const over = AbortSignal.timeout(milliseconds)
    const session = openSession(source, tables, { timeLeft: () => (over.aborted ? 0 : milliseconds), over })
    // The extra second lets the session stop the statement, which frees the connection.
    const late = sleep(Math.min(milliseconds + 1_000, timeLeft), undefined, { ref: false }).then(() => undefined)
    const run = async (session: Session) => {
      if (setting) await session.run(session.compile(setting))
      return session.run(session.compile(query))
    }
    try {
      return await Promise.race([setting ? session.snapshot(run) : run(session), late])
    } catch (error) {
      const failure = failureOf(error)
      if (failure.kind === 'timeout') return undefined
      throw failure.kind === 'unavailable' ? failure : error
    }
  }
  const unlessFailure = (error: unknown) => {
    if (error instanceof Failure) throw error
    return undefined
  }
  return { ...source, tables, ask, attempt: (...query) => ask(...query).catch(unlessFailure) }
}

/** Bytes pass unchanged through a MySQL connection of any charset. */
export const textFor = ({ name, bytes, text }: Dialect) => (name === 'mysql' ? bytes : text)
