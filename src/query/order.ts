/**
 * The orders in which a page of a large result can be read. The order changes the speed, and never the answer.
 * `findLarge` chooses the order of a first page, and `orderOf` the order of a later page.
 */
import type { Span } from './paging.js'

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
  /** Whether each row contains the total. Cheap if all matches must be sorted anyway. */
  withTotal?: boolean
}

export interface Thresholds {
  /** Maximum number of ids to inline in `in (…)`. */
  readonly maxInlinedIds: number
  /** Maximum length of a term that probably matches many users, in UTF-16 code units. */
  readonly maxShortTerm: number
  /** Time for a scan before a lookup of users, as a share of the time of a lookup that read all users. */
  readonly shareOfWholeLookup: number
  /** The same share of the time of a lookup that ended early. */
  readonly shareOfPartLookup: number
  /** Minimum number of matches for the order `newest` on a later page. */
  readonly minMatches: number
  /** Minimum number of matches for the order `newest` on a later page, per row up to the end of the page. */
  readonly minMatchesPerRow: number
  /** Time for the order `newest`, as a multiple of the duration of the step before. All matches may be old. */
  readonly scanBudget: number
  /** Minimum time for the order `newest`, in milliseconds. There is no scan before a lookup if the share is less. */
  readonly minScanTime: number
}

/**
 * From measurements with a million records on MariaDB and MySQL. The shares and `minScanTime` are from measurements with
 * ten million records on MariaDB.
 */
export const measured: Thresholds = {
  maxInlinedIds: 5000,
  maxShortTerm: 2,
  shareOfWholeLookup: 0.025,
  shareOfPartLookup: 0.1,
  minMatches: 5000,
  minMatchesPerRow: 50,
  scanBudget: 0.25,
  minScanTime: 10
}

/** The order of a later page, for its total. */
export const orderOf = (
  { skip, take }: Span,
  total: number,
  matches: Matches | undefined,
  { minMatches, minMatchesPerRow }: Thresholds
): Order => {
  if (!isMany(matches)) return 'free'
  return total > minMatches && (skip + take) * minMatchesPerRow <= total ? 'newest' : 'sorted'
}

export const isMany = (matches: Matches | undefined): boolean =>
  matches?.users === 'many' || matches?.records === 'many'
