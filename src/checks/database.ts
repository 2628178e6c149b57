/** The input of each check. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawBuilder } from 'kysely'
import type { Dialect } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import { openSession } from '../database/session.js'
import type { RequestTables, Source } from '../database/source.js'
import { tableNames } from '../database/tables.js'
import { failureOf } from '../errors/classify.js'

/** The database, with the tables of the moment when the check begins. */
export interface CheckedDatabase extends Source {
  readonly tables: RequestTables
  /** Returns undefined after a timeout. */
  ask(query: RawBuilder<Row>, milliseconds?: number): Promise<Row[] | undefined>
}

/** Milliseconds for a query that reads no records. */
const defaultTimeout = 5_000

/** Milliseconds for a query that reads records. */
export const dataTimeout = 300

export function checkedDatabase(source: Source): CheckedDatabase {
  const tables = source.now(tableNames)
  return {
    ...source,
    tables,
    async ask(query, milliseconds = defaultTimeout) {
      try {
        const over = AbortSignal.timeout(milliseconds)
        const timeLeft = () => (over.aborted ? 0 : milliseconds)
        const session = openSession(source, tables, { timeLeft, over })
        const answer = session.run(session.compile(query))
        // The extra second lets the session stop the statement, which frees the connection. The answer does not come without
        // a free connection, or if the statement cannot be stopped.
        const late = sleep(milliseconds + 1_000, undefined, { ref: false }).then(() => undefined)
        return await Promise.race([answer, late])
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind === 'timeout') return undefined
        throw failure.kind === 'unavailable' ? failure : error
      }
    }
  }
}

/** Bytes pass unchanged through a MySQL connection of any charset. */
export const textFor = ({ name, bytes, text }: Dialect) => (name === 'mysql' ? bytes : text)
