/** How a page is read: from which end, in which order, and what is known of the search by then. */
import type { Span } from './paging.js'

/** Ids as text, or `many` where there are too many to inline. */
export type Ids = readonly string[] | 'many'

/** What a term matches in the columns of the users, and in those of the records. */
export interface Matches {
  readonly users: Ids
  readonly records: Ids
}

/**
 * How the database reads a page. `free`: the optimizer decides. `newest`: record by record in the order of the list,
 * until enough records match. `sorted`: all matches, which are then sorted.
 */
export type Order = 'free' | 'newest' | 'sorted'

export interface PageOptions {
  span: Span
  order: Order
  /** What the search matches, where that is known. */
  matches?: Matches | undefined
}
