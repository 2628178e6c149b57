/** Finds a page in a large result: for reach `all`, a search on MySQL and MariaDB, or a page after the first. */
import type { Row } from '../database/driver-samples.js'
import type { Source } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import type { List } from '../lists/list.js'
import { toItems } from './items.js'
import { type Ids, isMany, type Matches, orderOf, type PageOptions, type Thresholds } from './order.js'
import { spanOf } from './paging.js'
import type { Found, ListRequest } from './request.js'
import { itemsAndTotal } from './total.js'

/** The statements of a request. */
export interface Steps {
  /** @param maxMilliseconds in addition to the deadline */
  page(options: PageOptions, maxMilliseconds?: number): Promise<Row[]>
  total(matches?: Matches): Promise<number>
  /** The ids that the search matches, or `many` for more than `maxRows`. */
  idsOf(side: keyof Matches, maxRows: number): Promise<Ids>
}

/** The times of the lookups of users in a database in the last minute, in milliseconds. */
export interface LookupTimes {
  /** The shortest lookup that read all users. A longer lookup may have waited for other requests. */
  whole?: number
  /** The longest lookup that ended early, because many users match. */
  part: number
}

interface LargeFind {
  list: List
  request: ListRequest
  steps: Steps
  source: Source
  thresholds: Thresholds
  lookupTimes: LookupTimes
  findPlain(options?: Partial<PageOptions>): Promise<Pick<Found, 'items' | 'total'>>
}

/**
 * 1. The first page for a short term, which matches many users, or if lookups take long: scans from the newest record for
 *    a short time.
 * 2. Reads the ids that a search matches, up to a maximum. For few matches, one statement reads the page and the total.
 * 3. The first page: scans from the newest record, and counts. If the time is over, all matches may be old. Then one
 *    statement sorts and counts all matches.
 * 4. A later page: counts, and reads the page from the nearer end, in the fastest order for the total.
 */
export async function findLarge({ list, request, source, steps, thresholds, lookupTimes, findPlain }: LargeFind) {
  const { page, parameters } = request
  const { maxInlinedIds } = thresholds
  const term = source.dialect.optimizerHints && parameters.search
  const isFiltered = Object.keys(parameters).length > 1
  const start = performance.now()
  const withRecords = async (users: Ids): Promise<Matches> => {
    // The count then reads every record of the filter anyway.
    if (users === 'many' && isFiltered && list.search.records.length > 0) return { users, records: 'many' }
    return { users, records: await steps.idsOf('records', maxInlinedIds) }
  }
  const lookUpUsers = async () => {
    const lookupStart = performance.now()
    const users = await steps.idsOf('users', maxInlinedIds)
    const time = performance.now() - lookupStart
    if (users === 'many') lookupTimes.part = Math.max(time, lookupTimes.part)
    else lookupTimes.whole = Math.min(time, lookupTimes.whole ?? time)
    return users
  }
  const scan = (options: PageOptions, milliseconds: number) => scanNewest(steps, options, milliseconds, request)
  const scanTimeAfter = (start: number) =>
    Math.max(thresholds.minScanTime, (performance.now() - start) * thresholds.scanBudget)
  const firstPage: PageOptions = { span: spanOf(page), order: 'newest' }
  const earlyTime = page.page === 1 && term !== undefined ? earlyScanTime(term, lookupTimes, thresholds) : 0
  if (earlyTime > 0) {
    const rows = await scan(firstPage, earlyTime)
    const count = async () => steps.total(await withRecords('many'))
    if (rows) return itemsAndTotal(list, page, rows, count)
  }
  const matches = term === undefined ? undefined : await withRecords(await lookUpUsers())
  if (matches?.users.length === 0 && matches.records.length === 0) return { items: [], total: 0 }
  const findSorted = () => findPlain({ order: 'sorted', matches, withTotal: true })
  if (matches && !isMany(matches)) return findSorted()

  if (page.page === 1) {
    const time = scanTimeAfter(start)
    // A second scan starts with the records of the first scan, so a second scan needs more time.
    const rows = time >= earlyTime * 2 ? await scan({ ...firstPage, matches }, time) : undefined
    return rows ? itemsAndTotal(list, page, rows, () => steps.total(matches)) : findSorted()
  }

  const countStart = performance.now()
  const total = await steps.total(matches)
  const span = spanOf(page, total)
  if (span.take === 0) return { items: [], total }
  const options = { span, order: orderOf(span, total, matches, thresholds), matches }
  const newest = options.order === 'newest' ? await scan(options, scanTimeAfter(countStart)) : undefined
  const rows = newest ?? (await steps.page({ ...options, order: isMany(matches) ? 'sorted' : 'free' }))
  return { items: toItems(list, rows).items, total }
}

/** The time for a scan before the lookup of users. If the scan finds the page, there is no lookup. 0 for no scan. */
function earlyScanTime(term: string, { whole, part }: LookupTimes, thresholds: Thresholds): number {
  const { shareOfWholeLookup, shareOfPartLookup, minScanTime, maxShortTerm } = thresholds
  const time = whole === undefined ? part * shareOfPartLookup : whole * shareOfWholeLookup
  if (time >= minScanTime) return time
  return term.length <= maxShortTerm ? minScanTime : 0
}

/** Scans the records from the newest. Undefined after `maxMilliseconds`. */
async function scanNewest(
  steps: Steps,
  options: PageOptions,
  maxMilliseconds: number,
  { timeLeft }: ListRequest
): Promise<Row[] | undefined> {
  try {
    return await steps.page(options, maxMilliseconds)
  } catch (error) {
    if (failureOf(error).kind === 'timeout' && timeLeft() > 0) return undefined
    throw error
  }
}
