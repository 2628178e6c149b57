/** Executes statements within the deadline of a request. */
import { CompiledQuery } from 'kysely'
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
  { db, dialect, isSnapshot }: Source,
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
  return dialect.transactionSettings && !isSnapshot ? db.transaction().execute(run) : run(db)
}

type Run<Result> = (source: Source) => Promise<Result>

/** Runs several statements of PostgreSQL, MySQL or MariaDB on one snapshot, which is a transaction. */
export async function inSnapshot<Result>(source: Source, run: Run<Result>): Promise<Result> {
  if (source.isSnapshot) return run(source)
  const onSession = (db: Source['db']) => run({ ...source, db, isSnapshot: true })
  return source.dialect.transactionSettings
    ? source.db.transaction().setIsolationLevel('repeatable read').execute(onSession)
    : source.db.connection().execute((session) => inMysqlTransaction(session, onSession))
}

/** Kysely's transaction begins with `begin`, which is a syntax error in MariaDB's mode ORACLE. */
async function inMysqlTransaction<Result>(session: Source['db'], run: (db: Source['db']) => Promise<Result>) {
  const send = (text: string) =>
    session.getExecutor().provideConnection((connection) => connection.executeQuery(CompiledQuery.raw(text)))
  await send('set transaction isolation level repeatable read')
  await send('start transaction read only')
  try {
    const result = await run(session)
    await send('commit')
    return result
  } catch (error) {
    // The error may be that the connection is gone.
    await Promise.allSettled([send('rollback')])
    throw error
  }
}
