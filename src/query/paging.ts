/** The arithmetic of pages. */

export interface Page {
  /** The first page is 1. */
  page: number
  limit: number
}

export const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit

/** The position of a page in the list. */
export interface Span {
  skip: number
  take: number
  /** Whether `skip` counts from the oldest record. */
  backwards: boolean
}

export function spanOf(page: Page, total = Number.POSITIVE_INFINITY): Span {
  const skip = offsetOf(page)
  const take = Math.max(0, Math.min(page.limit, total - skip))
  const rest = Math.max(0, total - skip - take)
  return rest < skip ? { skip: rest, take, backwards: true } : { skip, take, backwards: false }
}
