/** A question: what a request asks of a list. The route, `find` and `each` make it in the same way. */
import type { Key } from '../database/dialect.js'
import type { Caller, List, Reach } from '../lists/list.js'

export interface Page {
  /** The first page is 1. */
  readonly page: number
  readonly limit: number
}

export interface Question {
  readonly list: List
  readonly caller: Caller
  readonly reach: Reach
  /** The search and the filters, by parameter name. */
  readonly parameters: Readonly<Record<string, string>>
  readonly page: Page
  /**
   * The record at which a batch of all records begins. Undefined for a page, and for the first batch. `unreachable`: the
   * records that no key reaches.
   */
  readonly from?: Key | 'unreachable' | undefined
}

export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit
