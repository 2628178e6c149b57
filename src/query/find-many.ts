/** Finds a page in a large result: for reach `all`, a search on MySQL and MariaDB, or a page after the first. */
import type { Row } from '../database/driver-samples.js'
import type { Source } from '../database/source.js'
import { failureOf } from '../errors/classify.js'
import type { List } from '../lists/list.js'
import { toItems } from './items.js'
import { countsFirst, type Ids, type Matches, orderOf, type PageOptions, type Thresholds } from './order.js'
import { spanOf } from './paging.js'
import type { Found, ListRequest } from './request.js'

/** The statements of a request. */
export interface Steps {
  /** @param maxMilliseconds in addition to the deadline */
  page(options: PageOptions, maxMilliseconds?: number): Promise<Row[]>
  total(matches?: Matches): Promise<number>
  /** The ids that the search matches, or `many` for more than `maxRows`. */
  idsOf(side: keyof Matches, maxRows: number): Promise<Ids>
}

interface LargeFind {
  list: List
  request: ListRequest
  steps: Steps
  source: Source
  thresholds: Thresholds
  findPlain(matches?: Matches): Promise<Pick<Found, 'items' | 'total'>>
}

/**
 * 1. Reads the ids that match a search, up to a maximum. For few matches on the first page, `findPlain` does the rest.
 * 2. Counts the records.
 * 3. Reads the page from the nearer end, in the fastest order for the total.
 */
export async function findMany({ list, request, source, steps, thresholds, findPlain }: LargeFind) {
  const { page, parameters } = request
  const matches =
    source.dialect.optimizerHints && parameters.search !== undefined
      ? {
          users: await steps.idsOf('users', thresholds.maxInlinedIds),
          records: await steps.idsOf('records', thresholds.maxInlinedIds)
        }
      : undefined
  if (matches?.users.length === 0 && matches.records.length === 0) return { items: [], total: 0 }
  if (!countsFirst(page, matches)) return findPlain(matches)
  const start = performance.now()
  const total = await steps.total(matches)
  const counting = performance.now() - start
  const span = spanOf(page, total)
  if (span.take === 0) return { items: [], total }
  const options = { span, order: orderOf(span, total, matches, thresholds), matches }
  const rows =
    options.order === 'newest'
      ? await scan(steps, options, counting * thresholds.scanBudget, request)
      : await steps.page(options)
  return { items: toItems(list, rows).items, total }
}

/** Scans the records from the newest. After `maxMilliseconds`, sorts all matches instead. */
async function scan(
  steps: Steps,
  options: PageOptions,
  maxMilliseconds: number,
  { timeLeft }: ListRequest
): Promise<Row[]> {
  try {
    return await steps.page(options, Math.max(1, maxMilliseconds))
  } catch (error) {
    if (failureOf(error).kind === 'timeout' && timeLeft() > 0) return steps.page({ ...options, order: 'sorted' })
    throw error
  }
}
