/** Conformance checks for a team's own tests. They find mistakes in `tables`, `resolveRole` and hooks. */
import type { KyselyInstance } from '../database/tables.js'
import type { List } from '../lists/list.js'
import type { defaultLists } from '../lists/ready/index.js'
import type { ListingOptions, OptionsOf } from '../options/options.js'
import { answerSettingsOf, type GivenOptions } from '../options/settings.js'
import type { ConformanceServer } from './client.js'
import { type ConformanceCaller, type ConformanceHost, checkHost, type KnownRecords } from './host.js'
import { knownRecordsAreRight, totalIsTheKnownNumber } from './known-record-checks.js'
import * as pages from './page-checks.js'
import { callersSeeTheirReach } from './reach-checks.js'
import { recordsAreTheirItems } from './record-route-checks.js'
import * as refusals from './refusal-checks.js'
import { fieldsFollowTheirRoles } from './role-field-checks.js'
import { ListUnderTest, type Viewer } from './viewer.js'

export type { ConformanceCaller, ConformanceHost, ConformanceServer, KnownRecords }

type AnswerOption = 'defaultLimit' | 'maxLimit' | 'messages' | 'roles' | 'unknownParameters'

/** The options with any value. The type of `db` and of a function `tables` does not matter. */
type AnyOptions = { [Name in keyof ListingOptions]?: unknown }

/** The options of the registration under test, as in `ListingOptions`. Options that change no answer are ignored. */
export interface ConformanceOptions<Lists extends readonly List[] = typeof defaultLists>
  extends Pick<OptionsOf<KyselyInstance, Lists>, AnswerOption>,
    Pick<AnyOptions, Exclude<keyof ListingOptions, AnswerOption | 'lists'>> {
  /** The lists of the registration. */
  lists?: Lists | undefined
  /** The `prefix` of the registration. */
  prefix?: string | undefined
  /** The `logLevel` of the registration. */
  logLevel?: unknown
  /** The `logSerializers` of the registration. */
  logSerializers?: unknown
}

/** A check of one list. */
export interface ConformanceCheck {
  /** Title for a test runner, such as `payments: no record comes twice`. */
  name: string
  /**
   * Rejects with an Error that names the request, the caller and the problem, without the token.
   *
   * @param context the context that a test runner passes to a test. A check without a caller to test calls its `skip`.
   */
  run(context?: unknown): Promise<void>
}

type Check = (tested: ListUnderTest) => Promise<unknown>

const ofEach = (check: (viewer: Viewer) => Promise<void>) => async (tested: ListUnderTest) => {
  for (const viewer of tested.viewers) await check(viewer)
}

const hasFieldsForRoles = ({ fields }: List) => Object.values(fields).some(({ roles }) => roles)
const hasWithin = ({ within }: List) => Object.keys(within).length > 0
const hasCounts = ({ filters }: List) => Object.values(filters).some(({ counted }) => counted)
const hasRecord = ({ record }: List) => record !== undefined

/** A check that has nothing to test returns the reason. Those of a part of a definition are for lists that have it. */
const checks: readonly [title: string, check: Check, isFor?: (list: List) => boolean][] = [
  ['the total is what paging finds', pages.totalIsWhatPagingFinds],
  ['no record comes twice', ofEach(pages.noRecordComesTwice)],
  ['in the order of the list', ofEach(pages.recordsAreInOrder)],
  ['every caller sees the records within their reach, and no others', ofEach(callersSeeTheirReach)],
  ['every answer has the form of the list', ofEach(pages.answersHaveTheirForm)],
  ['known records have their fields', knownRecordsAreRight],
  ['the total is the known number', totalIsTheKnownNumber],
  ['without a valid token nobody learns anything', refusals.strangersLearnNothing],
  ['a role without reach is refused', refusals.rolesWithoutReachAreRefused],
  ['a field for roles stands where they reach the record', fieldsFollowTheirRoles, hasFieldsForRoles],
  ['a caller without an id of the list is refused', refusals.callersNeedTheirIds, hasWithin],
  ['the counts beside the filters are totals', ofEach(pages.countsAreTotals), hasCounts],
  ['one record is its item in the list', ofEach(recordsAreTheirItems), hasRecord]
]

const checksFor = (list: List) => checks.filter(([, , isFor]) => !isFor || isFor(list))

/**
 * Creates the checks of each list, for any test runner. They only read, and nothing else may write to the database
 * meanwhile. They read the first five pages of `maxLimit` records, or at most 200 that follow each other. The requests
 * for a list:
 *
 * - once: 4, or 6 with `record`.
 * - for each caller: 8, 2 for each column of `sort`, 1 for each counted value, at most 11 with `record`, and at most
 *   2 for each filter by a field for roles and 1 for all of them.
 * - for each known record that no search and no filter finds: at most 200.
 *
 * @param build creates the server and its callers. The first check that runs calls it once.
 * @param options the options of the registration under test
 * @throws TypeError when an option is wrong.
 * @example
 * import { after, test } from 'node:test'
 * import { conformance } from 'fastify-assessment-payment-listing/conformance'
 *
 * const app = await buildServer() // your own
 * after(() => app.close())
 * const as = (sub) => ({ authorization: `Bearer ${app.jwt.sign({ sub })}` })
 * const checks = conformance(() => ({ app, callers: [
 *   { name: 'Zoë', headers: as('1'), userId: 1, reach: { assessments: 'own', payments: 'own' } },
 *   { name: 'Pat', headers: as('2'), userId: 2, reach: { assessments: 'linked', payments: 'own' }, linked: [1] },
 *   { name: 'Al', headers: as('3'), userId: 3, reach: { assessments: 'all', payments: 'all' } }
 * ] }), { prefix: '/api' })
 * for (const { name, run } of checks) test(name, run)
 */
export function conformance<
  const Lists extends readonly List[] = typeof defaultLists,
  const Callers extends readonly ConformanceCaller<Lists>[] = readonly ConformanceCaller<Lists>[]
>(
  build: () => ConformanceHost<Callers> | Promise<ConformanceHost<Callers>>,
  options: ConformanceOptions<Lists> = {}
): ConformanceCheck[] {
  const settings = answerSettingsOf(options as Partial<GivenOptions>)
  let opened: Promise<ListUnderTest[]> | undefined
  const open = async () => {
    const host = checkHost(await build(), settings.lists)
    return settings.lists.map((list) => new ListUnderTest(list, settings, host, options.prefix ?? ''))
  }
  return settings.lists.flatMap((list, place) =>
    checksFor(list).map(([title, check]) => ({
      name: `${list.name}: ${title}`,
      // Jest and Mocha give a function with a parameter a callback to call.
      async run(...[context]) {
        opened ??= open()
        const reason = await check((await opened)[place] as ListUnderTest)
        if (reason) await Object(context).skip?.(reason)
      }
    }))
  )
}
