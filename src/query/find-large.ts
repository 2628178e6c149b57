/** Finds a page of all records: a later page, or a search on MySQL and MariaDB (see `isLarge`). */
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'
import type { List } from '../lists/list.js'
import type { Fitted } from './fitted.js'
import { type ItemsAndTotal, itemsAndTotal, type ReadPage } from './items.js'
import { type ListRequest, laterPlan, scansFirst, spanOf, type Thresholds } from './plan.js'
import type { PageOptions } from './queries.js'
import type { Matches } from './search.js'

/** The statements of a request. */
export interface Steps {
  /** @param maxMilliseconds limits the statement in addition to the deadline */
  page(options: PageOptions, maxMilliseconds?: number): Promise<ReadPage>
  total(matches?: Matches): Promise<number>
  /** The ids that the search matches, or undefined for too many of them. */
  idsOf(side: keyof Matches, max: Pick<Thresholds, 'maxInlinedIds' | 'maxInlinedLength'>): Promise<Matches[typeof side]>
}

interface LargeFind {
  list: List
  request: ListRequest
  session: Session
  dialect: Fitted['dialect']
  steps: Steps
  thresholds: Thresholds
}

/**
 * 1. The first page for a short term, which matches many users: scans from the newest record for a short time.
 * 2. Reads the ids that a search matches, up to a maximum. For few matches, one statement reads the page and the total.
 * 3. The first page: scans from the newest record, and counts. If the time is over, all matches may be old. Then one
 *    statement sorts and counts all matches.
 * 4. A later page: counts, and reads the page from the nearer end, in the fastest order for the total.
 */
export async function findLarge({
  list,
  request,
  session,
  dialect,
  steps,
  thresholds
}: LargeFind): Promise<ItemsAndTotal> {
  const { page, parameters } = request
  const { minScanTime, scanBudget } = thresholds
  const { deadline } = session
  const isFiltered = Object.keys(parameters).length > 1
  const scanTimeAfter = (start: number) => Math.max(minScanTime, (performance.now() - start) * scanBudget)

  /** Undefined if the time is over before the page is full. */
  const scan = async (options: Omit<PageOptions, 'plan'>, milliseconds: number) => {
    try {
      return await steps.page({ ...options, plan: 'newest' }, milliseconds)
    } catch (error) {
      if (failureOf(error).kind === 'timeout' && deadline.timeLeft() > 0) return undefined
      throw error
    }
  }
  const withRecords = async (users: Matches['users']): Promise<Matches> => {
    // The count reads every record of the filter, so their ids would save nothing.
    if (!users && isFiltered && list.search.records.length > 0) return { users }
    return { users, records: await steps.idsOf('records', thresholds) }
  }
  const findWithTotal = async (plan: 'few' | 'sorted', matches: Matches | undefined) => {
    const read = await steps.page({ span: spanOf(page), plan, matches, withTotal: true })
    return itemsAndTotal(page, read, () => steps.total(matches))
  }

  const start = performance.now()
  const scanned = scansFirst(request, dialect, thresholds)
  if (scanned) {
    const read = await scan({ span: spanOf(page) }, minScanTime)
    if (read) return itemsAndTotal(page, read, async () => steps.total(await withRecords(undefined)))
  }
  const isSearch = dialect.plan !== undefined && parameters.search !== undefined
  const matches = isSearch ? await withRecords(await steps.idsOf('users', thresholds)) : undefined
  const isMany = matches !== undefined && !(matches.users && matches.records)
  if (matches?.users?.length === 0 && matches.records?.length === 0) return { items: [], total: 0 }
  if (matches && !isMany) return findWithTotal('few', matches)

  if (page.page === 1) {
    const time = scanTimeAfter(start)
    // A second scan starts with the records of the first scan, so a second scan needs more time.
    const read = scanned && time < minScanTime * 2 ? undefined : await scan({ span: spanOf(page), matches }, time)
    return read ? itemsAndTotal(page, read, () => steps.total(matches)) : findWithTotal('sorted', matches)
  }

  const countStart = performance.now()
  const total = await steps.total(matches)
  const span = spanOf(page, total)
  if (span.take === 0) return { items: [], total }
  const plan = laterPlan(span, total, isMany, thresholds)
  const newest = plan === 'newest' ? await scan({ span, matches }, scanTimeAfter(countStart)) : undefined
  const { items } = newest ?? (await steps.page({ span, plan: isMany ? 'sorted' : 'plain', matches }))
  return { items, total }
}
