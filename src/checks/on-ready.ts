/** Runs the start-up check in the `onReady` hook. */
import type { FastifyInstance } from 'fastify'
import type { Source } from '../database/source.js'
import { DatabaseMisfit } from '../errors/boot-error.js'
import { failureOf } from '../errors/classify.js'
import type { Failure } from '../errors/failure.js'
import type { Settings } from '../options/settings.js'
import { type DatabaseFinding, textOfFindings } from './finding.js'
import { findingsOf, isWrong } from './index.js'

/** Milliseconds for a check, and between retries. */
const maxWait = 5_000

/** Milliseconds. */
const minInterval = 60_000

/**
 * An unavailable database never stops the boot. The check retries until the database answers.
 *
 * @param source undefined when `db` is a function
 * @returns a function that repeats the check and logs the findings
 */
export function checkWhenReady(
  app: FastifyInstance,
  source: Source | undefined,
  { checkOnReady }: Pick<Settings, 'checkOnReady'>
): () => void {
  if (checkOnReady === 'off' || !source) return () => undefined
  const checked = source
  // Fastify stops a hook after `pluginTimeout`.
  const wait = Math.min(maxWait, (app.initialConfig.pluginTimeout || Number.POSITIVE_INFINITY) / 2)
  let retryTimer: NodeJS.Timeout | undefined
  let closed = false
  let repeatedAt = Number.NEGATIVE_INFINITY

  app.addHook('onReady', async () => {
    const result = await findingsOrFailure()
    if (Array.isArray(result) && isWrong(result) && checkOnReady === 'error') {
      throw new DatabaseMisfit(messageOf(result))
    }
    report(result)
  })
  app.addHook('onClose', async () => {
    closed = true
    clearTimeout(retryTimer)
  })

  return async () => {
    const now = performance.now()
    if (now - repeatedAt < minInterval) return
    repeatedAt = now
    report(await findingsOrFailure())
  }

  async function findingsOrFailure(): Promise<DatabaseFinding[] | Failure> {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(reject, wait, { code: 'ETIMEDOUT' }).unref()
    })
    return Promise.race([findingsOf(checked), deadline])
      .catch(failureOf)
      .finally(() => clearTimeout(timer))
  }

  function report(result: DatabaseFinding[] | Failure, isOutageLogged = false): void {
    if (closed) return
    if (Array.isArray(result)) {
      if (result.length > 0) app.log.warn(messageOf(result))
      return
    }
    const { kind, facts } = result
    const isUnavailable = kind === 'unavailable'
    if (!isOutageLogged)
      app.log.warn({ kind, ...facts }, `The database could not be checked${isUnavailable ? ' yet' : ''}.`)
    clearTimeout(retryTimer)
    if (isUnavailable) retryTimer = setTimeout(async () => report(await findingsOrFailure(), true), wait).unref()
  }
}

const messageOf = (findings: readonly DatabaseFinding[]): string =>
  `${headlineOf(findings)}\n${textOfFindings(findings)}`

function headlineOf(findings: readonly DatabaseFinding[]): string {
  if (!isWrong(findings)) return 'The database could serve the lists better.'
  // For example, a wrong password.
  if (findings.every(({ remedy }) => remedy === 'settings'))
    return 'The lists cannot use this connection to the database.'
  return 'The database does not fit the lists.'
}
