/** Finds a page of a list, with its total. Most requests take the plain path of this file. */
import { GarbledRows } from '../database/cells.js'
import type { Dialect } from '../database/dialect.js'
import { execute, onSnapshot } from '../database/execute.js'
import type { Source } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import type { List } from '../lists/list.js'
import type { Settings } from '../options/settings.js'
import { columnTraits, type Traits } from './column-traits.js'
import { findMany, isLarge } from './find-many.js'
import { toItems } from './items.js'
import type { Matches } from './page-options.js'
import { offsetOf, provenTotal, spanOf } from './paging.js'
import type { Found, ListRequest } from './request.js'
import { sharedCounts } from './shared-counts.js'
import { statementsOf } from './statements.js'
import { type Steps, stepsOf, totalIn } from './steps.js'
import { measured } from './strategy.js'

/** Finds what a request asks in a database. Rejects only with a `Failure`. */
export type Find = (request: ListRequest, source: Source) => Promise<Found>

/** @param thresholds between the ways of reading; others for tests */
export function finder(list: List, { shareTotals }: Pick<Settings, 'shareTotals'>, thresholds = measured): Find {
  const share = shareTotals ? sharedCounts() : undefined
  const traitsOf = columnTraits(list)
  const statementsFor = statementsOf(list)

  return async (request, source) => {
    const { page, timed } = request
    try {
      const traits = await traitsOf(source, (query) =>
        timed('columns', () => execute(source, query.compile(source.db), request))
      )
      return { ...page, ...(await findBy(source.dialect, traits)) }
    } catch (error) {
      throw failureOf(error)
    }

    async function findBy(dialect: Dialect, traits: Traits): Promise<Pick<Found, 'items' | 'total'>> {
      const statements = statementsFor(source, dialect, request, traits)
      const find = (session: Source) => {
        const steps = stepsOf(session, statements, request, share)
        const findPlain = (matches?: Matches) => findPage(list, request, steps, matches)
        return isLarge(request, dialect)
          ? findMany({ list, request, steps, dialect, thresholds, findPlain })
          : findPlain()
      }
      try {
        // A request that waits for the count of another one must not hold a connection meanwhile.
        return await (share ? find(source) : onSnapshot(source, find))
      } catch (error) {
        const slower = slowerDialect(dialect, error)
        if (slower) return findBy(slower, traits)
        throw error
      }
    }
  }
}

/** The page first, and the total where neither the page's statement nor the page itself gives it. */
async function findPage(list: List, { page }: ListRequest, steps: Steps, matches: Matches | undefined) {
  const rows = await steps.page({ span: spanOf(page), order: 'free', matches })
  const { items, found } = toItems(list, rows)
  const total = totalIn(rows) ?? provenTotal(page, found) ?? (await steps.total(matches))
  // Records may have been deleted since the page was read (contract 82).
  return { items, total: items.length > 0 ? Math.max(total, offsetOf(page) + items.length) : total }
}

/** The dialect that can do what this one failed to do. */
export function slowerDialect(dialect: Dialect, error: unknown): Dialect | undefined {
  if (isTextError(error)) {
    const { fallback } = dialect
    return fallback && { ...dialect, ...fallback, fallback: undefined }
  }
  // The character set of the connection does not take part when bytes are sent.
  return error instanceof GarbledRows && dialect.text !== dialect.bytes
    ? { ...dialect, text: dialect.bytes }
    : undefined
}
