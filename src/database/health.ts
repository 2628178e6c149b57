/** Readiness check for the database. */
import { sql } from 'kysely'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import type { Row } from './driver-samples.js'
import { execute } from './execute.js'
import { sourceOf } from './source.js'
import type { Database } from './tables.js'

/** The result of `checkHealth`. A healthy result has no kind and no codes. */
export interface Health {
  /** Whether the database answered in time. */
  readonly healthy: boolean
  /** Duration of the check, a whole number. */
  readonly milliseconds: number
  /** `unavailable` means unreachable. `internal` is any error besides `unavailable` and `timeout`. */
  readonly kind?: 'unavailable' | 'timeout' | 'internal'
  /** Code of the driver's error, such as `ECONNREFUSED`. */
  readonly code?: string
  /** Number of the driver's error, such as 1045. */
  readonly errno?: number
  /** SQLSTATE of the driver's error, such as `28000`. */
  readonly sqlState?: string
}

/**
 * Checks whether the database answers through the pool of the lists. An exhausted pool is unhealthy. The check reads no
 * table. The result holds codes and no messages.
 *
 * @throws Error when the kind of database is not supported
 * @example
 * app.get('/ready', async (_request, reply) => {
 *   const health = await checkHealth({ db })
 *   return reply.code(health.healthy ? 200 : 503).send(health)
 * })
 */
export async function checkHealth({
  db,
  timeout = 1000
}: {
  /** The Kysely instance of the lists. */
  db: Database
  /**
   * Milliseconds until the database counts as unhealthy.
   *
   * @default 1000
   */
  timeout?: number
}): Promise<Health> {
  const source = sourceOf(db, {})
  const start = performance.now()
  const elapsed = () => performance.now() - start
  const over = new AbortController()
  const late = new Promise<never>((_resolve, reject) => {
    over.signal.addEventListener('abort', () => reject(new Failure('timeout', 'The deadline passed.')))
  })
  const timer = setTimeout(() => over.abort(), timeout)
  // A Galera node that refuses all other statements still answers `select 1`, but not `do 1`.
  const probe = source.dialect.name === 'mysql' ? sql<Row>`do 1` : sql<Row>`select 1`
  const statement = probe.compile(source.db)
  const answer = execute(source, statement, { timeLeft: () => timeout - elapsed(), over: over.signal })
  const failure = await Promise.race([answer, late]).then(() => undefined, failureOf)
  clearTimeout(timer)
  const milliseconds = Math.round(elapsed())
  if (!failure) return { healthy: true, milliseconds }
  const { at: _stack, ...codes } = failure.facts
  const kind = failure.kind === 'unavailable' || failure.kind === 'timeout' ? failure.kind : 'internal'
  return { healthy: false, milliseconds, kind, ...codes }
}
