/** Finds a page of a list and the total. */
import { fallbackFor } from '../database/dialect.js'
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'
import type { List } from '../lists/list.js'
import { findLarge, type Steps } from './find-large.js'
import { type ItemsAndTotal, itemsAndTotal, matchedKey, textsOf, totalIn } from './items.js'
import { type Found, isLarge, type ListRequest, measured, needsSnapshot, spanOf } from './plan.js'
import { type ShareCount, sharedCounts } from './shared-counts.js'
import { cachedStatements, type Statements } from './statements.js'
import { cachedTraits, type Traits } from './traits.js'

/** Rejects only with a `Failure`. */
export type Find = (request: ListRequest, session: Session) => Promise<Found>

export interface FindOptions {
  shareTotals: boolean
}

export function finder(list: List, { shareTotals }: FindOptions, thresholds = measured): Find {
  const share = shareTotals ? sharedCounts() : undefined
  const traitsOf = cachedTraits(list)
  const statementsFor = cachedStatements(list)

  return async (request, session) => {
    try {
      const traits = await traitsOf(session)
      return { ...request.page, ...(await findIn(session, request, traits)) }
    } catch (error) {
      throw failureOf(error)
    }
  }

  async function findIn(session: Session, request: ListRequest, traits: Traits): Promise<ItemsAndTotal> {
    const find = async (session: Session) => {
      const steps = stepsOf(session, statementsFor(session, request, traits), share)
      if (isLarge(request, session.dialect)) return findLarge({ list, request, session, steps, thresholds })
      // For the reach `own`, the rows have the total. A short page proves it.
      const rows = await steps.page({ span: spanOf(request.page), plan: 'plain' })
      return itemsAndTotal(list, request.page, rows, steps.total)
    }
    try {
      // With shared counts, a request in a snapshot would hold its connection while it waits.
      return await (needsSnapshot(request, session.dialect) && !share ? session.snapshot(find) : find(session))
    } catch (error) {
      const dialect = fallbackFor(session.dialect, error)
      if (!dialect) throw error
      return findIn(session.with(dialect), request, traits)
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
