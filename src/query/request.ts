/** One request of a list: what is asked, by whom and until when. */
import type { Deadline } from '../database/execute.js'
import type { Caller, Reach } from '../lists/reach.js'
import type { Page } from './paging.js'
import type { Timed } from './timing.js'

export interface ListRequest extends Deadline {
  readonly caller: Caller
  readonly reach: Reach
  readonly page: Page
  /** The search and the filters of the request, by the names of their parameters. */
  readonly parameters: Readonly<Record<string, string>>
  readonly timed: Timed
}

/** What the request gets. */
export interface Found extends Page {
  items: unknown[]
  total: number
}
