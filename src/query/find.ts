/** Finds a page of a list and the total. `findMany` handles large results. */
import type { CompiledQuery } from 'kysely'
import { GarbledRows, type Row } from '../database/cells.js'
import { execute, onSnapshot } from '../database/execute.js'
import type { Source } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import type { List } from '../lists/list.js'
import type { Settings } from '../options/settings.js'
import { columnTraits, type Traits } from './column-traits.js'
import { findMany, type Steps } from './find-many.js'
import { matchedKey, recordTotal, textsOf, toItems } from './items.js'
import { type Matches, measured } from './order.js'
import { offsetOf, provenTotal, spanOf } from './paging.js'
import type { Found, ListRequest } from './request.js'
import { type ShareCount, sharedCounts } from './shared-counts.js'
import { type Statements, statementsOf } from './statements.js'

/** Rejects only with a `Failure`. */
export type Find = (request: ListRequest, source: Source) => Promise<Found>

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
      return { ...page, ...(await findIn(source, request, traits)) }
    } catch (error) {
      throw failureOf(error)
    }
  }

  async function findIn(source: Source, request: ListRequest, traits: Traits): Promise<Pick<Found, 'items' | 'total'>> {
    const statements = statementsFor(source, request, traits)
    const find = (session: Source) => {
      const steps = stepsOf(session, statements, request, share)
      const findPlain = (matches?: Matches) => findPage(list, request, steps, matches)
      return isLarge(request, source) ? findMany({ list, request, source, steps, thresholds, findPlain }) : findPlain()
    }
    try {
      // A request must not hold a connection while it waits for a shared count.
      request.onWait?.('connection')
      return await (share ? find(source) : onSnapshot(source, find))
    } catch (error) {
      const slower = slowerSource(source, error)
      if (slower) return findIn(slower, request, traits)
      throw error
    }
  }
}

const isLarge = ({ reach, page, parameters }: ListRequest, { dialect }: Source): boolean =>
  reach === 'all' && (page.page > 1 || (parameters.search !== undefined && dialect.optimizerHints !== undefined))

/** Counts only if neither the rows nor the length of the page gives the total. */
async function findPage(list: List, { page }: ListRequest, steps: Steps, matches: Matches | undefined) {
  const rows = await steps.page({ span: spanOf(page), order: 'free', matches })
  const { items, found } = toItems(list, rows)
  const total = totalIn(rows) ?? provenTotal(page, found) ?? (await steps.total(matches))
  // Records may have been deleted after the page was read (contract 82).
  return { items, total: items.length > 0 ? Math.max(total, offsetOf(page) + items.length) : total }
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
      const join = (share: ShareCount): Promise<number> => {
        onWait?.('statement')
        return share(source.shareable, statement, count).catch((error) => {
          // Only the request that started the count has timed out.
          if (failureOf(error).kind === 'timeout' && timeLeft() > 0) return join(share)
          throw error
        })
      }
      return timed('total', () => (share ? join(share) : count()))
    },
    async idsOf(side, maxRows) {
      const statement = statements.idsOf(side, maxRows + 1)
      const rows = statement ? await timed('matches', () => run(statement)) : []
      return rows.length > maxRows ? 'many' : textsOf(rows, matchedKey)
    }
  }
}

/** Undefined if the statement does not count. */
const totalIn = (rows: Row[]): number | undefined => textsOf(rows.slice(0, 1), recordTotal).map(Number)[0]

/** The source with slower SQL that avoids the error. Undefined if no SQL avoids the error. */
export function slowerSource(source: Source, error: unknown): Source | undefined {
  const { dialect } = source
  if (isTextError(error)) {
    const { fallback } = dialect
    return fallback && { ...source, dialect: { ...dialect, ...fallback, fallback: undefined } }
  }
  // A connection's character set does not change bytes.
  return error instanceof GarbledRows && dialect.text !== dialect.bytes
    ? { ...source, dialect: { ...dialect, text: dialect.bytes } }
    : undefined
}
