/** The plan of a page, chosen from the question, the dialect and the total. A plan changes the speed, and never the answer. */
import type { Dialect } from '../database/dialect.js'
import { offsetOf, type Page, type Question } from './question.js'

/**
 * How the database reads a page.
 *
 * - `plain`: the optimizer decides.
 * - `newest`: scans the list's order until enough records match.
 * - `sorted`: finds all matches, then sorts.
 */
export type Plan = 'plain' | 'newest' | 'sorted'

/** The position of a page in the list. */
export interface Span {
  readonly skip: number
  readonly take: number
  /** Whether `skip` counts from the oldest record. */
  readonly backwards: boolean
}

/** With the total, a page in the second half of the list is read from the oldest record. */
export function spanOf(page: Page, total = Number.POSITIVE_INFINITY): Span {
  const skip = offsetOf(page)
  const take = Math.max(0, Math.min(page.limit, total - skip))
  const rest = Math.max(0, total - skip - take)
  return rest < skip ? { skip: rest, take, backwards: true } : { skip, take, backwards: false }
}

type Asked = Pick<Question, 'reach' | 'page' | 'parameters'>

/** Whether `findLarge` finds the page. The other reaches read few records. Only some databases need a plan for a search. */
export const isLarge = ({ reach, page, parameters }: Asked, { hints }: Pick<Dialect, 'hints'>): boolean =>
  reach === 'all' && (page.page > 1 || (parameters.search !== undefined && hints !== undefined))

/** A later page of all records may be read from the oldest record. Then a write after the count could move the page. */
export const needsSnapshot = ({ reach, page }: Asked, { snapshot }: Pick<Dialect, 'snapshot'>): boolean =>
  snapshot !== undefined && (snapshot.isFree || (reach === 'all' && page.page > 1))

export interface Thresholds {
  /** Maximum number of ids in a statement, for each side of the search. */
  readonly maxInlinedIds: number
  /** Maximum bytes of these ids together. Those of both sides fit into a `max_allowed_packet` of 1 MiB. */
  readonly maxInlinedLength: number
  /** Minimum number of matches for the plan `newest` on a later page. */
  readonly minMatches: number
  /** Minimum number of matches for the plan `newest` on a later page, per row up to the end of the page. */
  readonly minMatchesPerRow: number
  /** Milliseconds for the plan `newest`. All matches may be old. */
  readonly scanTime: number
}

/** From measurements with a million records on MariaDB and MySQL. */
export const measured: Thresholds = {
  maxInlinedIds: 5000,
  maxInlinedLength: 100_000,
  minMatches: 5000,
  minMatchesPerRow: 50,
  scanTime: 100
}

/** The plan of a later page of all records whose search matches many. */
export function laterPlan({ skip, take }: Span, total: number, thresholds: Thresholds): 'newest' | 'sorted' {
  const { minMatches, minMatchesPerRow } = thresholds
  return total > minMatches && (skip + take) * minMatchesPerRow <= total ? 'newest' : 'sorted'
}
