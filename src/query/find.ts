/**
 * Finds a page of a list and the total. `findLarge` handles large results (see `isLarge`). `Queries` build the SQL,
 * `Statements` compile and cache the SQL, and `Steps` run the statements.
 */
import type { CompiledQuery } from 'kysely'
import { GarbledRows, type Row } from '../database/driver-samples.js'
import { execute, inSnapshot } from '../database/execute.js'
import type { Source } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import type { List } from '../lists/list.js'
import type { Settings } from '../options/settings.js'
import { cachedTraits, type Traits } from './column-traits.js'
import { findLarge, type LookupTimes, type Steps } from './find-large.js'
import { matchedKey, textsOf } from './items.js'
import { measured, type PageOptions } from './order.js'
import { spanOf } from './paging.js'
import type { Found, ListRequest } from './request.js'
import { cachedStatements, type Statements } from './statement-cache.js'
import { itemsAndTotal, type ShareCount, sharedCounts, totalIn } from './total.js'

/** Rejects only with a `Failure`. */
export type Find = (request: ListRequest, source: Source) => Promise<Found>

/** @returns finds a page and the total for a request */
export function finder(list: List, { shareTotals }: Pick<Settings, 'shareTotals'>, thresholds = measured): Find {
  const share = shareTotals ? sharedCounts() : undefined
  const traitsOf = cachedTraits(list)
  const statementsFor = cachedStatements(list)
  const lookupTimesOf = new WeakMap<Traits, LookupTimes>()

  /**
   * PostgreSQL: always, because each statement needs a transaction for its settings. MySQL and MariaDB: for a later page,
   * which `findLarge` can read from the oldest record. Then a write after the count could move the page.
   *
   * With shared counts there is no snapshot, because a request would hold its connection while it waits.
   */
  const needsSnapshot = ({ reach, page }: ListRequest, { dialect }: Source): boolean =>
    !share &&
    (dialect.transactionSettings !== undefined ||
      (dialect.optimizerHints !== undefined && reach === 'all' && page.page > 1))

  return async (request, source) => {
    const { page, timed } = request
    try {
      const traits = await traitsOf(source, (query) =>
        timed('columns', () => execute(source, query.compile(source.db), request))
      )
      return { ...page, ...(await findIn(source, request, traits)) }
    } catch (error) {
      throw failureOf(error)
    }
  }

  async function findIn(source: Source, request: ListRequest, traits: Traits): Promise<Pick<Found, 'items' | 'total'>> {
    const statements = statementsFor(source, request, traits)
    const find = (snapshot: Source) => {
      const steps = stepsOf(snapshot, statements, request, share)
      const findPlain = (options?: Partial<PageOptions>) => findPage(list, request, steps, options)
      if (!isLarge(request, source)) return findPlain()
      const lookupTimes = lookupTimesOf.get(traits) ?? { part: 0 }
      lookupTimesOf.set(traits, lookupTimes)
      return findLarge({ list, request, source, steps, thresholds, lookupTimes, findPlain })
    }
    try {
      // The transaction of a snapshot waits for a connection.
      request.onWait?.('connection')
      return await (needsSnapshot(request, source) ? inSnapshot(source, find) : find(source))
    } catch (error) {
      const slower = slowerSource(source, error)
      if (slower) return findIn(slower, request, traits)
      throw error
    }
  }
}

/** The other reaches read few records. Only MySQL and MariaDB have `optimizerHints`, and need help with a search. */
const isLarge = ({ reach, page, parameters }: ListRequest, { dialect }: Source): boolean =>
  reach === 'all' && (page.page > 1 || (parameters.search !== undefined && dialect.optimizerHints !== undefined))

async function findPage(list: List, { page }: ListRequest, steps: Steps, options?: Partial<PageOptions>) {
  const rows = await steps.page({ span: spanOf(page), order: 'free', ...options })
  return itemsAndTotal(list, page, rows, () => steps.total(options?.matches))
}

/** Runs the statements of a request, each within the deadline and with a timing. */
function stepsOf(
  source: Source,
  statements: Statements,
  { timed, timeLeft, over, onWait }: ListRequest,
  share: ShareCount | undefined
): Steps {
  const run = (statement: CompiledQuery<Row>, maxMilliseconds = Number.POSITIVE_INFINITY) =>
    execute(source, statement, { over, onWait, timeLeft: () => Math.min(maxMilliseconds, timeLeft()) })

  return {
    page: (options, maxMilliseconds) => timed('page', () => run(statements.page(options), maxMilliseconds)),
    total(matches) {
      const statement = statements.total(matches)
      const count = async () => Number(totalIn(await run(statement)))
      const joinCount = (shareCount: ShareCount): Promise<number> => {
        onWait?.('statement')
        return shareCount(source.shareable, statement, count).catch((error) => {
          // The request that started the count has timed out. This request has time left, and joins the next count.
          if (failureOf(error).kind === 'timeout' && timeLeft() > 0) return joinCount(shareCount)
          throw error
        })
      }
      return timed('total', () => (share ? joinCount(share) : count()))
    },
    async idsOf(side, maxRows) {
      const statement = statements.idsOf(side, maxRows + 1)
      const rows = statement ? await timed('matches', () => run(statement)) : []
      return rows.length > maxRows ? 'many' : textsOf(rows, matchedKey)
    }
  }
}

/** The source with slower SQL that avoids the error. Undefined if no SQL avoids the error. */
export function slowerSource(source: Source, error: unknown): Source | undefined {
  const { dialect } = source
  if (isTextError(error)) {
    const { fallback } = dialect
    return fallback && { ...source, dialect: { ...dialect, ...fallback, fallback: undefined } }
  }
  // Reads the cells as bytes, which no character set of the connection changes.
  return error instanceof GarbledRows && dialect.text !== dialect.bytes
    ? { ...source, dialect: { ...dialect, text: dialect.bytes } }
    : undefined
}
