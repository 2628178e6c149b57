/**
 * Checks, in a team's own tests and with its own server and database, that both lists answer as they promise: what
 * the tables, `resolveRole` or a hook may have got wrong. It only reads.
 */
import type { ConformanceServer } from './conformance/client.js'
import { fieldsHaveTheirFormat } from './conformance/formats.js'
import { type ConformanceHost, checkHost } from './conformance/host.js'
import { type ConformanceCaller, Subject } from './conformance/list-under-test.js'
import { newestFirst, noRecordComesTwice, totalIsWhatPagingFinds } from './conformance/pages.js'
import { callersSeeTheirReach } from './conformance/reach.js'
import {
  rolesWithoutReachAreRefused,
  strangersLearnNothing,
  wrongParametersAreRefused
} from './conformance/refusals.js'
import { filtersKeepWhatTheyName, searchIsLiteral } from './conformance/search-and-filters.js'
import { lists } from './lists/index.js'
import { settingsOf } from './options/settings.js'

export type { ConformanceCaller, ConformanceHost, ConformanceServer }

/** The options that the lists are registered with, as far as they change an answer; the others may stand beside. */
export interface ConformanceOptions {
  prefix?: string | undefined
  defaultLimit?: number | undefined
  maxLimit?: number | undefined
  messages?: { [name: string]: string | undefined } | undefined
  unknownParameters?: 'reject' | 'ignore' | readonly string[] | undefined
  [other: string]: unknown
}

/** One thing to check. */
export interface ConformanceCheck {
  name: string
  /** Rejects with an Error that says what is wrong, and which request of whom shows it. */
  run(): Promise<void>
}

const checks = {
  'the total is what paging finds': totalIsWhatPagingFinds,
  'no record comes twice': noRecordComesTwice,
  'newest first': newestFirst,
  'every caller sees the records within their reach, and no others': callersSeeTheirReach,
  'search takes its term literally, and adds nothing': searchIsLiteral,
  'filters keep what they name, and add nothing': filtersKeepWhatTheyName,
  'every field has its format': fieldsHaveTheirFormat,
  'without a valid token nobody learns anything': strangersLearnNothing,
  'a role without reach is refused': rolesWithoutReachAreRefused,
  'a wrong parameter is refused': wrongParametersAreRefused
}

/**
 * The checks, for any test runner.
 *
 * They make at most 60 requests a caller, and 60 more, so that a large database does no harm: of a list with more
 * than five pages of `maxLimit` the newest records are looked at. Nothing else must write to the database meanwhile.
 *
 * @param build makes the server and its callers; called once, by the check that runs first
 * @param options those that the lists are registered with, and their prefix; the ones that change no answer do nothing
 * @example
 * import { after, test } from 'node:test'
 * import { conformance } from 'fastify-assessment-payment-listing/conformance'
 *
 * const app = await buildServer() // your own
 * after(() => app.close())
 * const as = (sub) => ({ authorization: `Bearer ${app.jwt.sign({ sub })}` })
 * const checks = conformance(() => ({ app, callers: [
 *   { name: 'Zoë', headers: as('1'), userId: 1, assessments: 'own', payments: 'own' },
 *   { name: 'Pat', headers: as('2'), userId: 2, assessments: 'linked', payments: 'own', linked: [1] },
 *   { name: 'Al', headers: as('3'), userId: 3, assessments: 'all', payments: 'all' }
 * ] }), { prefix: '/api' })
 * for (const { name, run } of checks) test(name, run)
 */
export function conformance(
  build: () => ConformanceHost | Promise<ConformanceHost>,
  options: ConformanceOptions = {}
): ConformanceCheck[] {
  // nothing calls these two here
  const settings = settingsOf({ db: Object, resolveRole: Object, ...options })
  let host: Promise<ConformanceHost> | undefined
  const hostOnce = () => {
    host ??= (async () => checkHost(await build()))()
    return host
  }
  return lists.flatMap((list) => {
    let subject: Promise<Subject> | undefined
    const subjectOnce = () => {
      subject ??= hostOnce().then(({ app, callers }) => new Subject(list, settings, callers, app, options.prefix ?? ''))
      return subject
    }
    return Object.entries(checks).map(([name, check]) => ({
      name: `${list.records}: ${name}`,
      run: async () => check(await subjectOnce())
    }))
  })
}
