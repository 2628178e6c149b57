/** Runs the start-up check when the server gets ready, and again when a table or column turns out to be missing. */
import type { FastifyInstance } from 'fastify'
import type { Source } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import type { Failure } from '../errors/failure.js'
import type { Settings } from '../options/settings.js'
import type { Finding } from './finding.js'
import { textOfFindings } from './finding.js'
import { findingsOf, isWrong } from './index.js'

/** Milliseconds that the boot waits for the database, and that pass before the next try. Fastify can allow less. */
const longest = 5_000

/** Minimum of milliseconds between two checks of a database that has changed. */
const pause = 60_000

/**
 * Checks the database when the server gets ready. A database that cannot be reached never stops the boot. The check then
 * runs again every few seconds, and its findings are logged.
 *
 * @param source none where each request has its own database, which cannot be checked before there is a request
 * @returns checks again, at most once a minute, and logs the findings
 * @throws Error with all findings, from the hook, when one is an error and `checkOnReady` is `'error'`.
 */
export function checkWhenReady(
  app: FastifyInstance,
  source: Source | undefined,
  { checkOnReady }: Pick<Settings, 'checkOnReady'>
): () => void {
  if (checkOnReady === 'off' || !source) return () => undefined
  const checked = source
  const patience = Math.min(longest, (app.initialConfig.pluginTimeout || Number.POSITIVE_INFINITY) / 2)
  let later: NodeJS.Timeout | undefined
  let closed = false
  let checkedAgain = Number.NEGATIVE_INFINITY

  app.addHook('onReady', async () => {
    const result = await findingsOrFailure()
    if (Array.isArray(result) && isWrong(result) && checkOnReady === 'error') throw new Error(textOf(result))
    report(result)
  })
  app.addHook('onClose', async () => {
    closed = true
    clearTimeout(later)
  })

  return async () => {
    const now = performance.now()
    if (now - checkedAgain < pause) return
    checkedAgain = now
    report(await findingsOrFailure())
  }

  async function findingsOrFailure(): Promise<Finding[] | Failure> {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(reject, patience, { code: 'ETIMEDOUT' }).unref()
    })
    return Promise.race([findingsOf(checked), deadline])
      .catch(failureOf)
      .finally(() => clearTimeout(timer))
  }

  /** @param told the outage is already logged */
  function report(result: Finding[] | Failure, told = false): void {
    if (closed) return
    if (Array.isArray(result)) {
      if (result.length > 0) app.log.warn(textOf(result))
      return
    }
    const { kind, facts } = result
    const isAway = kind === 'unavailable'
    if (!told) app.log.warn({ kind, ...facts }, `The database could not be checked${isAway ? ' yet' : ''}.`)
    clearTimeout(later)
    if (isAway) later = setTimeout(async () => report(await findingsOrFailure(), true), patience).unref()
  }
}

const textOf = (findings: readonly Finding[]): string =>
  `${isWrong(findings) ? 'The database does not fit the lists.' : 'The database could serve the lists better.'}\n${textOfFindings(findings)}`
