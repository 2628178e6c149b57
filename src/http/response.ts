/** The bodies of answers (contract 26 to 31 and 91). */
import type { ErrorBody } from '../lists/schemas.js'
import type { Page } from '../query/paging.js'

/** Contract 25. */
export const contentType = 'application/json; charset=utf-8'

export const errorBody = (status: number, error: string): string =>
  JSON.stringify({ status, error } satisfies ErrorBody)

export interface Answer extends Page {
  message: string
  total: number
  /** The property of the records. */
  key: string
  items: readonly unknown[]
}

export const pageBody = ({ message, page, limit, total, key, items }: Answer): string =>
  JSON.stringify({ status: 'success', message, page, limit, total, [key]: items })
