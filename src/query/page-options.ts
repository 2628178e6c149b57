/** The options of the page statement. */
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
}
