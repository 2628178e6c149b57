/** Runs the statements of a request, each within the deadline. */
import { CompiledQuery, type DatabaseConnection, type RawBuilder } from 'kysely'
import { prepareStop, rowsUnlessStopped } from './cancel.js'
import type { Row } from './cells.js'
import { type Deadline, deadlinePassed } from './deadline.js'
import type { AnyKysely, Dialect } from './dialect.js'
import type { Source } from './source.js'

/** What a request waits for, as `ListingStep` says. */
export type Step = 'columns' | 'matches' | 'total' | 'counts' | 'page'

/** @internal */
export type Timed = <Result>(step: Step, run: () => Promise<Result>) => Promise<Result>

const untimed: Timed = (_step, run) => run()

/** @internal The statements of one request. */
export interface Session {
  readonly dialect: Dialect
  readonly deadline: Deadline
  readonly timed: Timed
  compile(query: RawBuilder<Row>): CompiledQuery<Row>
  /** Within `maxMilliseconds` and the time left when the pool gives a connection. Stopped when the request ends. */
  run(statement: CompiledQuery<Row>, maxMilliseconds?: number): Promise<Row[]>
  /** Runs statements on one snapshot of the database, which is a transaction. */
  snapshot<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  /** Runs each statement as it is, under the settings and the time limit of its connection. */
  direct(): Session
}

/** @internal `onLateError` is told of a transaction that fails after its result, as when the connection is lost. */
export const openSession = (
  { db, dialect }: Source,
  deadline: Deadline,
  timed = untimed,
  onLateError: (error: unknown) => void = () => undefined
): Session => sessionOn(db, 'each', { dialect, deadline, timed, onLateError })

interface OfRequest extends Pick<Session, 'dialect' | 'deadline' | 'timed'> {
  onLateError(error: unknown): void
}

/** Nothing was written, so the result does not wait for the end of the transaction. */
const beforeCommit = <Result>(
  transact: (work: (on: AnyKysely) => Promise<void>) => Promise<void>,
  work: (on: AnyKysely) => Promise<Result>,
  onLateError: (error: unknown) => void
): Promise<Result> =>
  new Promise((resolve, reject) => {
    let fail: (error: unknown) => void = reject
    const working = async (on: AnyKysely) => {
      resolve(await work(on))
      fail = onLateError
    }
    transact(working).catch((error) => fail(error))
  })

/** @param use whether each statement has its settings, or all of a snapshot together, or none has */
function sessionOn(db: AnyKysely, use: 'each' | 'snapshot' | 'direct', shared: OfRequest): Session {
  const { dialect, deadline, timed, onLateError } = shared
  const isSnapshot = use === 'snapshot'
  // Settings last for the transaction: set them again only for another limit.
  let setFor: number | undefined
  const { snapshot, withTimeLimit: within } = dialect
  const transactionSettings = use === 'direct' ? undefined : dialect.transactionSettings
  const { over, onWait } = deadline

  const runOn = async (
    connection: DatabaseConnection,
    statement: CompiledQuery<Row>,
    maxMilliseconds: number
  ): Promise<Row[]> => {
    onWait?.('statement')
    const stop = over && (await prepareStop(dialect.stop, connection))
    const milliseconds = Math.ceil(Math.min(maxMilliseconds, deadline.timeLeft()))
    if (milliseconds <= 0) throw deadlinePassed()
    // If it cannot be stopped, limit each statement to the time left.
    if (transactionSettings && !(isSnapshot && stop && setFor === maxMilliseconds)) {
      await connection.executeQuery(transactionSettings(milliseconds).compile(db))
      setFor = maxMilliseconds
    }
    const endsAt = performance.now() + milliseconds
    const sent = connection.executeQuery<Row>({ ...statement, sql: within(statement, milliseconds) })
    const result = sent.then(({ rows }) => {
      // A limit that passes while MariaDB plans the statement can end it without rows and without an error (11.8.9).
      if (rows.length === 0 && performance.now() >= endsAt) throw deadlinePassed()
      return rows
    })
    return stop ? rowsUnlessStopped(result, over, stop, endsAt) : result
  }

  return {
    dialect,
    deadline,
    timed,
    compile: (query) => query.compile(db),
    async run(statement, maxMilliseconds = Number.POSITIVE_INFINITY) {
      onWait?.('connection')
      const run = (on: AnyKysely) =>
        on.getExecutor().provideConnection(async (connection) => {
          const running = runOn(connection, statement, maxMilliseconds)
          // Only another statement shows the driver that a connection is lost. In a transaction, `rollback` does.
          const next = () => connection.executeQuery(CompiledQuery.raw('select 1'))
          if (use === 'direct') await running.catch(next).catch(() => undefined)
          return running
        })
      const transact = (work: (on: AnyKysely) => Promise<void>) => db.transaction().execute(work)
      return transactionSettings && !isSnapshot ? beforeCommit(transact, run, onLateError) : run(db)
    },
    async snapshot(work) {
      if (!snapshot || isSnapshot) return work(sessionOn(db, 'snapshot', shared))
      onWait?.('connection')
      return beforeCommit(
        (working) => snapshot.run(db, working),
        (transaction) => work(sessionOn(transaction, 'snapshot', shared)),
        onLateError
      )
    },
    direct: () => sessionOn(db, 'direct', shared)
  }
}
