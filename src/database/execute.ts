/** Executes a statement within the deadline of a request. */
import type { CompiledQuery } from 'kysely'
import { Failure } from '../errors/failure.js'
import { stopper, untilOver } from './cancel.js'
import type { Row } from './cells.js'
import type { Source } from './source.js'

/** Until when somebody waits for an answer. */
export interface Deadline {
  /** Milliseconds until the deadline. 0 or less when the deadline has passed. */
  timeLeft(): number
  /** Aborted when nobody waits any more: the deadline has passed, or the client has left. */
  readonly over?: AbortSignal
}

/**
 * Executes a statement as soon as the pool has a connection, if there is still time. The server stops at the deadline,
 * where it can. A statement that nobody waits for any more is stopped from outside.
 */
export async function execute(
  { db, dialect }: Source,
  compiled: CompiledQuery<Row>,
  { timeLeft, over }: Deadline
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
  return dialect.limit && !db.isTransaction ? db.transaction().execute(run) : run(db)
}

/**
 * Runs statements on one snapshot of the data, on a database whose statements need a transaction in any case. An error
 * of a statement ends the transaction.
 */
export const onSnapshot = <Result>(source: Source, run: (source: Source) => Promise<Result>): Promise<Result> =>
  source.dialect.limit
    ? source.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((db) => run({ ...source, db }))
    : run(source)
