/** Runs the start-up check in the `onReady` hook. */
import type { FastifyInstance } from 'fastify'
import type { Source } from '../database/source.js'
import { DatabaseMisfit } from '../errors/boot-error.js'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import type { Settings } from '../options/settings.js'
import { type DatabaseFinding, isWrong, textOfFindings } from './finding.js'
import { findingsOf } from './index.js'

/** Milliseconds for the check at the boot, and between retries. */
const maxWait = 5_000

/** Milliseconds for a check while the server runs, and between two checks after failed requests. */
const minInterval = 60_000

/**
 * An unavailable database never stops the boot. The check retries until the database answers.
 *
 * @param source undefined when `db` is a function
 * @returns a function that repeats the check and logs the outcome
 */
export function checkWhenReady(
  app: FastifyInstance,
  source: Source | undefined,
  { checkOnReady }: Pick<Settings, 'checkOnReady'>
): () => void {
  if (checkOnReady === 'off' || !source) return () => undefined
  // Fastify stops a hook after `pluginTimeout`.
  const wait = Math.min(maxWait, (app.initialConfig.pluginTimeout || Number.POSITIVE_INFINITY) / 2)
  const checked = { lists: source.lists.map(({ name }) => name), tables: source.names }
  let retryTimer: NodeJS.Timeout | undefined
  let isClosed = false
  let repeatedAt = Number.NEGATIVE_INFINITY

  const check = async (reason: 'boot' | 'retry' | 'misfit') => {
    // A database far away answers each statement late. The boot cannot wait.
    const begin = performance.now()
    const result = await findingsOf(source, reason === 'boot' ? wait : minInterval).catch(failureOf)
    if (isClosed) return
    if (!(result instanceof Failure)) {
      const isFatal = reason === 'boot' && checkOnReady === 'error' && isWrong(result)
      if (isFatal) throw new DatabaseMisfit(messageOf(result))
      if (result.length > 0) app.log.warn(messageOf(result))
      else app.log.info({ ...checked, milliseconds: Math.round(performance.now() - begin) }, textOfFindings(result))
      return
    }
    const { kind, facts } = result
    const isUnavailable = kind === 'unavailable'
    const text = `The database could not be checked${isUnavailable ? ' yet' : ''}.`
    if (reason !== 'retry') app.log.warn({ kind, ...facts }, text)
    clearTimeout(retryTimer)
    if (isUnavailable) retryTimer = setTimeout(check, wait, 'retry').unref()
  }

  app.addHook('onReady', () => check('boot'))
  app.addHook('onClose', async () => {
    isClosed = true
    clearTimeout(retryTimer)
  })

  return () => {
    const now = performance.now()
    if (now - repeatedAt < minInterval) return
    repeatedAt = now
    void check('misfit')
  }
}

function messageOf(findings: readonly DatabaseFinding[]): string {
  let headline = 'The database could serve the lists better.'
  if (isWrong(findings)) headline = 'The database does not fit the lists.'
  // For example, a wrong password.
  const isUnusable = isWrong(findings) && findings.every(({ remedy }) => remedy === 'settings')
  if (isUnusable) headline = 'The lists cannot use this connection to the database.'
  return `${headline}\n${textOfFindings(findings)}`
}
