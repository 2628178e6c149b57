/** Finds a page of a list and the total, or a batch of all records. */
import { fallbackFor, type Key } from '../database/dialect.js'
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'
import type { List } from '../lists/list.js'
import { findLarge, type Steps } from './find-large.js'
import { itemsAndTotal, lastKey, matchedKey, textsOf, toItems, totalIn } from './items.js'
import { type Found, isLarge, type ListRequest, measured, needsSnapshot, spanOf } from './plan.js'
import { type ShareCount, sharedCounts } from './shared-counts.js'
import { cachedStatements, type Statements } from './statements.js'
import { cachedTraits, type Traits } from './traits.js'

/** Both methods reject only with a `Failure`. */
export interface Finder {
  find(request: ListRequest, session: Session): Promise<Found>
  /** Finds the newest records without a total. If the request has the parameters `keyNames`, the batch begins at that key. */
  findBatch(request: ListRequest, session: Session): Promise<Batch>
}

export interface Batch {
  readonly items: unknown[]
  /** The key of the last record. Undefined for the last batch. */
  readonly key: Key | undefined
}

export interface FindOptions {
  shareTotals: boolean
}

type Work<Result> = (session: Session, steps: Steps) => Promise<Result>

export function finder(list: List, { shareTotals }: FindOptions, thresholds = measured): Finder {
  const share = shareTotals ? sharedCounts() : undefined
  const traitsOf = cachedTraits(list)
  const statementsFor = cachedStatements(list)

  return {
    async find(request, session) {
      const { page } = request
      // With shared counts, a request in a snapshot would hold its connection while it waits.
      const inSnapshot = needsSnapshot(request, session.dialect) && !share
      const found = await run(request, session, inSnapshot, async (session, steps) => {
        if (isLarge(request, session.dialect)) return findLarge({ list, request, session, steps, thresholds })
        // For the reach `own`, the rows have the total. A short page proves it.
        const rows = await steps.page({ span: spanOf(page), plan: 'plain' })
        return itemsAndTotal(list, page, rows, steps.total)
      })
      return { ...page, ...found }
    },

    findBatch: (request, session) =>
      run(request, session, false, async ({ dialect }, steps) => {
        const { page, reach } = request
        // One scan of the list's order goes through all batches. Other plans read all matches for each batch.
        const plan = reach === 'all' && dialect.plan ? 'newest' : 'plain'
        const rows = await steps.page({ span: spanOf(page), plan, isBatch: true })
        const { items, found } = toItems(list, rows)
        return { items, key: found < page.limit ? undefined : lastKey(list, rows) }
      })
  }

  async function run<Result>(request: ListRequest, session: Session, inSnapshot: boolean, work: Work<Result>) {
    try {
      return await runIn(session, request, await traitsOf(session), inSnapshot, work)
    } catch (error) {
      throw failureOf(error)
    }
  }

  async function runIn<Result>(
    session: Session,
    request: ListRequest,
    traits: Traits,
    inSnapshot: boolean,
    work: Work<Result>
  ): Promise<Result> {
    const run = (session: Session) => work(session, stepsOf(session, statementsFor(session, request, traits), share))
    try {
      return await (inSnapshot ? session.snapshot(run) : run(session))
    } catch (error) {
      const dialect = fallbackFor(session.dialect, error)
      if (!dialect) throw error
      return runIn(session.with(dialect), request, traits, inSnapshot, work)
    }
  }
}

function stepsOf(session: Session, statements: Statements, share: ShareCount | undefined): Steps {
  const { timed } = session
  return {
    page: (options, maxMilliseconds) => timed('page', () => session.run(statements.page(options), maxMilliseconds)),
    total(matches) {
      const statement = statements.total(matches)
      const count = async () => Number(totalIn(await session.run(statement)))
      return timed('total', () => (share ? share(session, statement, count) : count()))
    },
    async idsOf(side, maxRows) {
      const statement = statements.idsOf(side, maxRows + 1)
      const rows = statement ? await timed('matches', () => session.run(statement)) : []
      return rows.length > maxRows ? undefined : textsOf(rows, matchedKey)
    }
  }
}
