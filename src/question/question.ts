/** A question: what a request asks of a list, and how its page is read. The route, `find` and `each` make it in the same way. */
import type { Dialect, Key } from '../database/dialect.js'
import type { Caller, List, Order, Visible } from '../lists/list.js'

export interface Page {
  /** The first page is 1. */
  readonly page: number
  readonly limit: number
}

export interface Question extends Visible {
  readonly list: List
  readonly caller: Caller
  /** The search and the filters, by parameter name. */
  readonly parameters: Readonly<Record<string, string | readonly string[]>>
  readonly order: Order
  readonly page: Page
  /**
   * The record at which a batch of all records begins. Undefined for a page, and for the first batch. `unreachable`: the
   * records that no key reaches.
   */
  readonly from?: Key | 'unreachable' | undefined
}

/** Reads a text of a question. */
export type TextOf = (question: Omit<Question, 'page'>) => string

export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit

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
  /** Whether `skip` counts from the last record of the order. */
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
