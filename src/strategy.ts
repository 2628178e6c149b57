/**
 * Which way of reading is the fastest, by what is known so far: pure, and the place where all that is measured
 * decides. No choice changes an answer. The numbers come from measurements of a million records on MariaDB and MySQL.
 */
import type { Page, Span } from './page.js'
import type { Matches } from './search.js'
import type { Reach } from './visibility.js'

export interface Thresholds {
  /** So many users, or records, that a search matches are named one by one in the statements that follow. */
  readonly named: number
  /** From the newest record on it goes fast where the matches are so many times the rows up to the page's end … */
  readonly probes: number
  /** … and more than this: fewer are soon sorted. */
  readonly dense: number
  /** … and it may last so many times as long as the count, which went through all matches: they may all be old. */
  readonly walk: number
}

export const measured: Thresholds = { named: 2000, probes: 50, dense: 5000, walk: 1 }

/**
 * How the database comes to a page. `free`: as it thinks best. `newest`: record by record in the list's
 * order, each looked at whether it matches, until the page is full. `sorted`: all matches, then sorted.
 */
export type Order = 'free' | 'newest' | 'sorted'

/** Whether the total comes before the page, since it says from which end, and in which order, to read. */
export const countsFirst = (reach: Reach, { page }: Page, matches: Matches | undefined): boolean =>
  reach === 'all' && (page > 1 || isMany(matches))

/** @param matches undefined where they were not looked for */
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
