/**
 * Chooses the fastest way to read a page. The functions are pure, and no choice changes an answer. The thresholds come
 * from measurements with a million records on MariaDB and MySQL.
 */
import type { Reach } from '../lists/reach.js'
import type { Matches, Order } from './page-options.js'
import type { Page, Span } from './paging.js'

export interface Thresholds {
  /** Maximum number of ids to inline in `in (…)`. */
  readonly named: number
  /** `newest` is fast where the matches are this many times the rows up to the end of the page, … */
  readonly probes: number
  /** … and where there are more matches than this. Fewer matches are sorted fast. */
  readonly dense: number
  /** Scan budget of `newest`, as a multiple of the count's duration: all matches may be old. */
  readonly walk: number
}

export const measured: Thresholds = { named: 2000, probes: 50, dense: 5000, walk: 1 }

/** Whether the total is read before the page. The total tells from which end, and in which order, to read. */
export const countsFirst = (reach: Reach, { page }: Page, matches: Matches | undefined): boolean =>
  reach === 'all' && (page > 1 || isMany(matches))

/** @param matches undefined where the search was not looked up */
export function orderOf(
  { skip, take }: Span,
  total: number,
  matches: Matches | undefined,
  { probes, dense }: Thresholds
): Order {
  if (!isMany(matches)) return 'free'
  return (skip + take) * probes <= total && total > dense ? 'newest' : 'sorted'
}

const isMany = (matches: Matches | undefined): boolean => matches?.users === 'many' || matches?.records === 'many'
