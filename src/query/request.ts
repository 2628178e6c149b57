/** A request of a list, and the result. */
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
