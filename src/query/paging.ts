/** Paging arithmetic: nothing but integers. */

/** The number of a page, counted from 1, and the number of records on each page. */
export interface Page {
  page: number
  limit: number
}

/** How many records stand before the page. */
export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit

/** The place of a page in the list, counted from the nearer end. */
export interface Span {
  skip: number
  take: number
  /** From the oldest record on. */
  backwards: boolean
}

/** @param total without a total the page is counted from the newest record */
export function spanOf(page: Page, total = Number.POSITIVE_INFINITY): Span {
  const skip = offsetOf(page)
  const take = Math.max(0, Math.min(page.limit, total - skip))
  const rest = Math.max(0, total - skip - take)
  return rest < skip ? { skip: rest, take, backwards: true } : { skip, take, backwards: false }
}

/**
 * The total, where the page proves it and nothing needs to be counted. A page that is not full is the last one. An empty
 * page proves a total only at the start: a later page may be past the end.
 */
export function provenTotal(page: Page, records: number): number | undefined {
  if (records === page.limit) return undefined
  if (records === 0 && page.page > 1) return undefined
  return offsetOf(page) + records
}
