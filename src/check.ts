/** When the database is checked: as the server gets ready, and again when it turns out to have changed. */
import type { FastifyInstance } from 'fastify'
import type { Finding } from './checks/finding.js'
import { textOfFindings } from './checks/finding.js'
import { findingsOf, isWrong } from './checks/index.js'
import { type Failure, failureOf } from './errors.js'
import type { Settings } from './settings.js'
import { sourceOf } from './source.js'

/** How long the boot may wait for the database, and then how long until it is asked again, if Fastify waits longer. */
const longest = 5_000

/** The least time between two checks of a database that has changed. */
const pause = 60_000

/**
 * Checks the database when the server gets ready. One that cannot be reached never stops the boot: it is
 * asked again every few seconds, and what is found then is logged.
 *
 * @returns looks again, at most once a minute, and logs what is found
 * @throws Error with all findings, from the hook, when one is an error and `checkOnReady` is `'error'`.
 */
export function checkWhenReady(app: FastifyInstance, { db, relations, checkOnReady }: Settings): () => void {
  // A database for each request cannot be looked at before there is one.
  if (checkOnReady === 'off' || typeof db === 'function') return () => undefined
  const source = sourceOf(db, relations)
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
    return Promise.race([findingsOf(source, relations), deadline])
      .catch(failureOf)
      .finally(() => clearTimeout(timer))
  }

  /** @param told whether the log has it that the database does not answer */
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
