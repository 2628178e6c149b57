/** Executes statements within the deadline of a request. */
import type { CompiledQuery } from 'kysely'
import { Failure } from '../errors/failure.js'
import { prepareStop, rowsUnlessStopped } from './cancel.js'
import type { Row } from './driver-samples.js'
import type { Source } from './source.js'

export interface Deadline {
  /** Milliseconds. 0 or less after the deadline. */
  timeLeft(): number
  /** Aborts at the deadline, and when the client disconnects. */
  readonly over?: AbortSignal | undefined
  /** Called with each thing that the request begins to wait for. */
  readonly onWait?: ((what: 'connection' | 'statement') => void) | undefined
}

/**
 * Runs a statement on a connection of the pool, limited to the time that is left when the pool gives the connection.
 * Stops the statement when the request ends.
 */
export async function execute(
  { db, dialect }: Source,
  compiled: CompiledQuery<Row>,
  { timeLeft, over, onWait }: Deadline
): Promise<Row[]> {
  onWait?.('connection')
  const run = (session: typeof db) =>
    session.getExecutor().provideConnection(async (connection) => {
      onWait?.('statement')
      const stop = over && (await prepareStop(dialect.stop, connection))
      const milliseconds = Math.ceil(timeLeft())
      if (milliseconds <= 0) throw new Failure('timeout', 'The deadline passed.')
      if (dialect.transactionSettings) {
        await connection.executeQuery(dialect.transactionSettings(milliseconds).compile(session))
      }
      const endsAt = performance.now() + milliseconds
      const statement = { ...compiled, sql: dialect.within(compiled, milliseconds) }
      const result = connection.executeQuery<Row>(statement)
      return stop ? rowsUnlessStopped(result, over, stop, endsAt) : (await result).rows
    })
  return dialect.transactionSettings && !db.isTransaction ? db.transaction().execute(run) : run(db)
}

/** Runs several statements on one snapshot, which is a transaction. */
export const inSnapshot = async <Result>(source: Source, run: (source: Source) => Promise<Result>): Promise<Result> =>
  source.db.isTransaction
    ? run(source)
    : source.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((db) => run({ ...source, db }))
