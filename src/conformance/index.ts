/** Conformance checks for a team's own tests. They find mistakes in `tables`, `resolveRole` and hooks. */
import type { KyselyInstance } from '../database/tables.js'
import type { List } from '../lists/list.js'
import type { defaultLists } from '../lists/ready/index.js'
import type { ListingOptions, OptionsOf } from '../options/options.js'
import { answerSettingsOf, type GivenOptions } from '../options/settings.js'
import type { ConformanceServer } from './client.js'
import { countsAreTotals } from './counts.js'
import { fieldsFollowTheirRoles } from './fields.js'
import { type ConformanceCaller, type ConformanceHost, checkHost, type KnownRecords } from './host.js'
import { knownRecordsAreRight, totalIsTheKnownNumber } from './known.js'
import { ListUnderTest } from './list-under-test.js'
import { answersHaveTheirForm, inOrder, noRecordComesTwice, totalIsWhatPagingFinds } from './pages.js'
import { callersSeeTheirReach } from './reach.js'
import { recordsAreTheirItems } from './record.js'
import { callersNeedTheirIds, rolesWithoutReachAreRefused, strangersLearnNothing } from './refusals.js'

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
  /**
   * The `prefix` of the registration.
   *
   * @default ''
   */
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

/** A check that has nothing to test returns the reason. */
const checks: Record<string, (tested: ListUnderTest) => Promise<unknown>> = {
  'the total is what paging finds': totalIsWhatPagingFinds,
  'no record comes twice': noRecordComesTwice,
  'in the order of the list': inOrder,
  'every caller sees the records within their reach, and no others': callersSeeTheirReach,
  'every answer has the form of the list': answersHaveTheirForm,
  'known records have their fields': knownRecordsAreRight,
  'the total is the known number': totalIsTheKnownNumber,
  'without a valid token nobody learns anything': strangersLearnNothing,
  'a role without reach is refused': rolesWithoutReachAreRefused
}

/** The checks of what the definition of a list asks for. */
const checksOf = ({ fields, filters, within, record }: List): typeof checks => ({
  ...checks,
  ...(Object.values(fields).some(({ roles }) => roles) && {
    'a field for roles stands where they reach the record': fieldsFollowTheirRoles
  }),
  ...(Object.keys(within).length > 0 && { 'a caller without an id of the list is refused': callersNeedTheirIds }),
  ...(Object.values(filters).some(({ counted }) => counted) && {
    'the counts beside the filters are totals': countsAreTotals
  }),
  ...(record && { 'one record is its item in the list': recordsAreTheirItems })
})

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
  const hostOnce = once(async () => checkHost(await build(), settings.lists))
  return settings.lists.flatMap((list) => {
    const testedOnce = once(async () => {
      return new ListUnderTest(list, settings, await hostOnce(), options.prefix ?? '')
    })
    return Object.entries(checksOf(list)).map(([name, check]) => ({
      name: `${list.name}: ${name}`,
      // Jest and Mocha give a function with a parameter a callback to call.
      async run(...[context]) {
        const reason = await check(await testedOnce())
        if (reason) await Object(context).skip?.(reason)
      }
    }))
  })
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
