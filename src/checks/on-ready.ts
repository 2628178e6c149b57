/** Runs the start-up check in the `onReady` hook. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Source } from '../database/source.js'
import { DatabaseMisfit } from '../errors/boot-error.js'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import type { Settings } from '../options/settings.js'
import { noConnection } from './connection.js'
import { type DatabaseFinding, finding, formatFindings, isWrong } from './finding.js'
import { findingsOf } from './index.js'

/** Milliseconds for the check at the boot, and between retries. */
const maxWait = 5_000

/** Milliseconds for a check while the server runs. */
const maxRetry = 60_000

/** The indexes that were already printed for a database, because two registrations can lack the same ones. */
const printed = new WeakMap<object, Set<string>>()

/** An unavailable database never stops the boot: the check retries. `source` is undefined when `db` is a function. */
export function checkWhenReady(
  app: FastifyInstance,
  source: Source | undefined,
  { db, checkOnReady, lists, maxLimit, timeout }: Settings
): void {
  if (checkOnReady === 'off' || !source) return
  // Fastify stops a hook after `pluginTimeout`.
  const wait = Math.min(maxWait, (app.initialConfig.pluginTimeout || Number.POSITIVE_INFINITY) / 2)
  const checked = { lists: lists.map(({ name }) => name), tables: source.names }
  let retryTimer: NodeJS.Timeout | undefined
  let isClosed = false
  let told = ''

  const check = async (reason: 'boot' | 'retry') => {
    // A database far away answers each statement late. The boot cannot wait.
    const begin = performance.now()
    const time = reason === 'boot' ? wait : maxRetry
    // A pool loses a connection for which code of the host, such as `onCreateConnection`, throws.
    const late = sleep(time * 1.5, new Failure('unavailable', noConnection), { ref: false })
    const found = findingsOf(source, lists, { wait: time, maxLimit, timeout }).catch(failureOf)
    const result = await Promise.race([found, late])
    if (isClosed) return
    if (!(result instanceof Failure)) {
      const before = printed.get(db) ?? new Set()
      const findings = result.filter(({ remedy, text }) => remedy !== 'indexes' || !before.has(text))
      printed.set(db, new Set([...before, ...findings.map(({ text }) => text)]))
      if (findings.length < result.length)
        findings.push(finding('warning', 'indexes', '-- and the indexes that were printed before'))
      if (reason === 'boot' && checkOnReady === 'error' && isWrong(findings))
        throw new DatabaseMisfit(messageOf(findings))
      const milliseconds = Math.round(performance.now() - begin)
      if (findings.some(({ level }) => level !== 'info')) app.log.warn(messageOf(findings))
      else app.log.info({ ...checked, milliseconds }, messageOf(findings))
      return
    }
    const { kind, facts, message } = result
    const isUnavailable = kind === 'unavailable'
    const text = `The database could not be checked${isUnavailable ? ' yet' : ''}. ${message}`
    const cause = `${message} ${facts.code}`
    // A retry that fails for the same reason says nothing new.
    if (cause !== told) app.log.warn({ kind, ...facts }, text)
    told = cause
    if (isUnavailable) retryTimer = setTimeout(check, wait, 'retry').unref()
  }

  app.addHook('onReady', () => check('boot'))
  app.addHook('onClose', async () => {
    isClosed = true
    clearTimeout(retryTimer)
  })
}

function messageOf(findings: readonly DatabaseFinding[]): string {
  const errors = findings.filter(({ level }) => level === 'error')
  let headline = 'The database fits the lists, as far as it was checked.'
  if (findings.some(({ level }) => level === 'warning')) headline = 'The database could serve the lists better.'
  if (errors.length > 0) headline = 'The database does not fit the lists.'
  // For example, a wrong password.
  const isUnusable = errors.length > 0 && errors.every(({ remedy }) => remedy === 'settings')
  if (isUnusable) headline = 'The lists cannot use this connection to the database.'
  return `${findings.length > 0 ? `${headline}\n` : ''}${formatFindings(findings)}`
}
