/** Chooses the order in which a page of a large result is read. The order changes the speed, and never the answer. */
import type { Page, Span } from './paging.js'

/** `many` means too many ids to inline. */
export type Ids = readonly string[] | 'many'

/** The ids of the users and of the records whose own columns match the search. */
export interface Matches {
  readonly users: Ids
  readonly records: Ids
}

/**
 * How the database reads a page. `free`: the optimizer decides. `newest`: scan the list's order until enough records
 * match. `sorted`: find all matches, then sort.
 */
export type Order = 'free' | 'newest' | 'sorted'

export interface PageOptions {
  span: Span
  order: Order
  /** Undefined if the matches were not read. */
  matches?: Matches | undefined
}

export interface Thresholds {
  /** Maximum number of ids to inline in `in (…)`. */
  readonly maxInlinedIds: number
  /** Minimum number of matches for the order `newest`. */
  readonly minMatches: number
  /** Minimum number of matches for the order `newest`, per row up to the end of the page. */
  readonly minMatchesPerRow: number
  /** Scan budget of the order `newest`, as a multiple of the count's duration. All matches may be old. */
  readonly scanBudget: number
}

/** From measurements with a million records on MariaDB and MySQL. */
export const measured: Thresholds = { maxInlinedIds: 2000, minMatches: 5000, minMatchesPerRow: 50, scanBudget: 1 }

/** The total decides from which end, and in which order, to read the page. */
export const countsFirst = ({ page }: Page, matches: Matches | undefined): boolean => page > 1 || isMany(matches)

export function orderOf(
  { skip, take }: Span,
  total: number,
  matches: Matches | undefined,
  { minMatches, minMatchesPerRow }: Thresholds
): Order {
  if (!isMany(matches)) return 'free'
  return total > minMatches && (skip + take) * minMatchesPerRow <= total ? 'newest' : 'sorted'
}

const isMany = (matches: Matches | undefined): boolean => matches?.users === 'many' || matches?.records === 'many'
