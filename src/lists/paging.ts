/** The parameters `page` and `limit` of every list, and their defaults. */
import { Type } from '@sinclair/typebox'

/** The options for the parameter `limit`. */
export interface Paging {
  readonly defaultLimit: number
  readonly maxLimit: number
}

export const defaultPaging: Paging = { defaultLimit: 12, maxLimit: 100 }

/** The parameters of every list (contract 16 to 20). */
export type PageParameters = {
  /** Number of the page, a whole number from 1. A page past the end is empty. The default is 1. */
  page?: number
  /** Records on a page, a whole number from 1 to the option `maxLimit`. The default is the option `defaultLimit`. */
  limit?: number
}

export const pageParameters = ({ defaultLimit, maxLimit }: Paging) => ({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      // The offset of a later page would not be a safe integer.
      maximum: Math.floor(Number.MAX_SAFE_INTEGER / maxLimit),
      default: 1,
      description: 'Page number, counted from 1. A page past the end is empty.'
    })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'Records on a page.' })
  )
})
