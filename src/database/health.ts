/** Whether the database answers: for readiness checks. */
import { sql } from 'kysely'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import type { Row } from './cells.js'
import { execute } from './execute.js'
import { sourceOf } from './source.js'
import type { Database } from './tables.js'

/** What a readiness check finds. */
export interface Health {
  readonly healthy: boolean
  /** How long the answer took, or was waited for. */
  readonly milliseconds: number
  /** Why there is none: `unavailable` (cannot be reached), `timeout` or `internal` (anything else). */
  readonly kind?: 'unavailable' | 'timeout' | 'internal'
  /** The driver's own codes. */
  readonly code?: string
  readonly errno?: number
  readonly sqlState?: string
}

/**
 * Asks the database for an answer through the pool that the lists use, so that an exhausted pool counts as
 * well. It reads no table. Never rejects, and says what is wrong in codes only.
 *
 * @param options `timeout`: milliseconds that it is waited for, 1,000 by default
 * @example
 * app.get('/ready', async (_request, reply) => {
 *   const health = await checkHealth({ db })
 *   return reply.code(health.healthy ? 200 : 503).send(health)
 * })
 */
export async function checkHealth({ db, timeout = 1000 }: { db: Database; timeout?: number }): Promise<Health> {
  const source = sourceOf(db, {})
  const start = performance.now()
  const elapsed = () => performance.now() - start
  const over = new AbortController()
  const late = new Promise<never>((_resolve, reject) => {
    over.signal.addEventListener('abort', () => reject(new Failure('timeout', 'The deadline passed.')))
  })
  const timer = setTimeout(() => over.abort(), timeout)
  // a node of a Galera cluster that refuses everything else still answers a select without tables
  const ask = source.dialect.name === 'mysql' ? sql<Row>`do 1` : sql<Row>`select 1`
  const statement = ask.compile(source.db)
  const answer = execute(source, statement, { timeLeft: () => timeout - elapsed(), over: over.signal })
  const failure = await Promise.race([answer, late]).then(() => undefined, failureOf)
  clearTimeout(timer)
  const milliseconds = Math.round(elapsed())
  if (!failure) return { healthy: true, milliseconds }
  const { at: _places, ...codes } = failure.facts
  const kind = failure.kind === 'unavailable' || failure.kind === 'timeout' ? failure.kind : 'internal'
  return { healthy: false, milliseconds, kind, ...codes }
}
