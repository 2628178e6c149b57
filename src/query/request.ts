/** A request of a list, and the result. */
import type { Deadline } from '../database/execute.js'
import type { Caller, Reach } from '../lists/reach.js'
import type { Page } from './paging.js'
import type { Timed } from './timing.js'

export interface ListRequest extends Deadline {
  readonly caller: Caller
  readonly reach: Reach
  readonly page: Page
  /** The search and the filters, by parameter name. */
  readonly parameters: Readonly<Record<string, string>>
  readonly timed: Timed
}

export interface Found extends Page {
  items: unknown[]
  total: number
}
