/**
 * A request of a list, and the plan of its page, chosen from the request, the dialect and the total. A plan changes the
 * speed, and never the answer.
 */
import type { Dialect } from '../database/dialect.js'
import type { Caller, Reach } from '../lists/reach.js'

export interface Page {
  /** The first page is 1. */
  readonly page: number
  readonly limit: number
}

export interface ListRequest {
  readonly caller: Caller
  readonly reach: Reach
  readonly page: Page
  /** The search and the filters, by parameter name. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface Found extends Page {
  readonly items: unknown[]
  readonly total: number
}

/**
 * How the database reads a page.
 *
 * - `plain`: the optimizer decides.
 * - `few`: the search matches few records or users, whose ids the statement contains.
 * - `newest`: scans the list's order until enough records match.
 * - `sorted`: finds all matches, then sorts.
 */
export type Plan = 'plain' | 'few' | 'newest' | 'sorted'

/** The position of a page in the list. */
export interface Span {
  readonly skip: number
  readonly take: number
  /** Whether `skip` counts from the oldest record. */
  readonly backwards: boolean
}

export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit

/** With the total, a page in the second half of the list is read from the oldest record. */
export function spanOf(page: Page, total = Number.POSITIVE_INFINITY): Span {
  const skip = offsetOf(page)
  const take = Math.max(0, Math.min(page.limit, total - skip))
  const rest = Math.max(0, total - skip - take)
  return rest < skip ? { skip: rest, take, backwards: true } : { skip, take, backwards: false }
}

type Asked = Pick<ListRequest, 'reach' | 'page' | 'parameters'>

/** Whether `findLarge` finds the page. The other reaches read few records. Only some databases need a plan for a search. */
export const isLarge = ({ reach, page, parameters }: Asked, { plan }: Dialect): boolean =>
  reach === 'all' && (page.page > 1 || (parameters.search !== undefined && plan !== undefined))

/** A later page of all records may be read from the oldest record. Then a write after the count could move the page. */
export const needsSnapshot = ({ reach, page }: Asked, { snapshot }: Dialect): boolean =>
  snapshot !== undefined && (snapshot.isFree || (reach === 'all' && page.page > 1))

export interface Thresholds {
  /** Maximum number of ids in a statement, for each side of the search. */
  readonly maxInlinedIds: number
  /** Maximum bytes of these ids together. Those of both sides fit into a `max_allowed_packet` of 1 MiB. */
  readonly maxInlinedLength: number
  /** Maximum length of a term that probably matches many users, in UTF-16 code units. */
  readonly maxShortTerm: number
  /** Minimum number of matches for the plan `newest` on a later page. */
  readonly minMatches: number
  /** Minimum number of matches for the plan `newest` on a later page, per row up to the end of the page. */
  readonly minMatchesPerRow: number
  /** Time for the plan `newest`, as a multiple of the duration of the step before. All matches may be old. */
  readonly scanBudget: number
  /** Minimum time for the plan `newest`, in milliseconds. */
  readonly minScanTime: number
}

/** From measurements with a million records on MariaDB and MySQL. */
export const measured: Thresholds = {
  maxInlinedIds: 5000,
  maxInlinedLength: 100_000,
  maxShortTerm: 2,
  minMatches: 5000,
  minMatchesPerRow: 50,
  scanBudget: 0.25,
  minScanTime: 10
}

/** Whether a first page begins with a scan from the newest record. A short term matches many users. */
export const scansFirst = ({ page, parameters: { search } }: Asked, { plan }: Dialect, thresholds: Thresholds) =>
  plan !== undefined && page.page === 1 && search !== undefined && search.length <= thresholds.maxShortTerm

/** The plan of a later page of all records. */
export function laterPlan({ skip, take }: Span, total: number, isMany: boolean, thresholds: Thresholds): Plan {
  if (!isMany) return 'plain'
  const { minMatches, minMatchesPerRow } = thresholds
  return total > minMatches && (skip + take) * minMatchesPerRow <= total ? 'newest' : 'sorted'
}
