/** Finds a page of a list and the total. */
import { fallbackFor } from '../database/fallback.js'
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'
import type { List } from '../lists/list.js'
import { findLarge } from './find-large.js'
import { isLarge, measured, needsSnapshot, spanOf } from './plan.js'
import type { Found, ListRequest } from './request.js'
import { sharedCounts } from './shared-counts.js'
import { cachedStatements } from './statements.js'
import { stepsOf } from './steps.js'
import { type ItemsAndTotal, itemsAndTotal } from './total.js'
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
