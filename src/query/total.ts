/** Decides whether a page needs a count. A page has its total in the rows for the reach `own`, and with `withTotal`. */
import type { Row } from '../database/driver-samples.js'
import type { List } from '../lists/list.js'
import { recordTotal, textsOf, toItems } from './items.js'
import { offsetOf } from './plan.js'
import type { Found, Page } from './request.js'

export type ItemsAndTotal = Pick<Found, 'items' | 'total'>

/** The items of the rows, and the total. Counts only if neither the rows nor the length of the page gives the total. */
export async function itemsAndTotal(
  list: List,
  page: Page,
  rows: Row[],
  count: () => Promise<number>
): Promise<ItemsAndTotal> {
  const { items, found } = toItems(list, rows)
  const total = totalIn(rows) ?? provenTotal(page, found) ?? (await count())
  // Records may have been deleted after the page was read (contract 82).
  return { items, total: items.length > 0 ? Math.max(total, offsetOf(page) + items.length) : total }
}

/** Undefined if the statement does not count. */
export const totalIn = (rows: Row[]): number | undefined => textsOf(rows.slice(0, 1), recordTotal).map(Number)[0]

/**
 * The total, if the page is the last page. An empty page after the first may be past the end.
 *
 * @param found number of records on the page
 */
export function provenTotal(page: Page, found: number): number | undefined {
  if (found === page.limit) return undefined
  if (found === 0 && page.page > 1) return undefined
  return offsetOf(page) + found
}
