/** Decides whether a page needs a count, or proves the total itself (contract 82). */
import { offsetOf, type Page } from '../asked/question.js'
import type { ReadPage } from '../sql/items.js'

export interface ItemsAndTotal {
  readonly items: unknown[]
  readonly total: number
}

export async function itemsAndTotal(
  page: Page,
  { items, count: onPage, total: counted }: ReadPage,
  count: () => Promise<number>
): Promise<ItemsAndTotal> {
  const total = counted ?? provenTotal(page, onPage) ?? (await count())
  // Records may have been deleted after the page was read (contract 82).
  return { items, total: items.length > 0 ? Math.max(total, offsetOf(page) + items.length) : total }
}

/** The total, if `count` records on the page prove it. An empty page after the first may be past the end. */
export function provenTotal(page: Page, count: number): number | undefined {
  if (count === page.limit) return undefined
  if (count === 0 && page.page > 1) return undefined
  return offsetOf(page) + count
}
