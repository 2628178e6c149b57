/** The bodies on the wire (contract 26 to 31 and 91). */
import type { ErrorBody } from '../lists/schemas.js'
import type { Page } from '../query/paging.js'

/** Media type of every answer, errors too. */
export const contentType = 'application/json; charset=utf-8'

export const errorBody = (status: number, error: string): string =>
  JSON.stringify({ status, error } satisfies ErrorBody)

/** Everything in a 200 answer. */
export interface Answer extends Page {
  message: string
  total: number
  /** The name under which the records stand. */
  key: string
  items: readonly unknown[]
}

export const pageBody = ({ message, page, limit, total, key, items }: Answer): string =>
  JSON.stringify({ status: 'success', message, page, limit, total, [key]: items })
