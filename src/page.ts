/** Paging arithmetic: nothing but integers. */
import { Type } from '@sinclair/typebox'

/** One page: which one, counted from 1, and how many records are on each. */
export interface Page {
  page: number
  limit: number
}

export const defaultPaging = { defaultLimit: 12, maxLimit: 100 }

/** The two parameters that every list has (contract A and B3). */
export const pageParameters = ({ defaultLimit, maxLimit }: typeof defaultPaging) => ({
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      // past this page the offset would no longer be an exact number
      maximum: Math.floor(Number.MAX_SAFE_INTEGER / maxLimit),
      default: 1,
      description: 'Page number, counted from 1. A page past the end is empty.'
    })
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'Records on a page.' })
  )
})

/** How many records stand before the page. */
export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit

/** A page's place in the list, counted from the end that is nearer. */
export interface Span {
  skip: number
  take: number
  /** From the oldest record on. */
  backwards: boolean
}

/** @param total as long as it is not known, the page is taken from the newest record on */
export function spanOf(page: Page, total = Number.POSITIVE_INFINITY): Span {
  const skip = offsetOf(page)
  const take = Math.max(0, Math.min(page.limit, total - skip))
  const rest = Math.max(0, total - skip - take)
  return rest < skip ? { skip: rest, take, backwards: true } : { skip, take, backwards: false }
}

/**
 * The total where the page itself proves it, so that nothing needs to be counted: a page that is not
 * full is the last one. An empty page proves a total only at the start; further on it may be past the end.
 */
export function provenTotal(page: Page, records: number): number | undefined {
  if (records === page.limit) return undefined
  if (records === 0 && page.page > 1) return undefined
  return offsetOf(page) + records
}
