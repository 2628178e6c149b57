/** Decides whether a page needs a count, or proves the total itself (contract 82). */
import type { FindResult } from '../../lists/types/pages.js'
import { type Matches, offsetOf, type Page } from '../asked/question.js'
import type { ReadPage } from '../sql/items.js'
import { totalOf } from '../sql/records.js'
import type { Asking } from './answer.js'

export type ItemsAndTotal = Pick<FindResult<unknown>, 'items' | 'total'>

export async function itemsAndTotal(
  { question, run }: Pick<Asking, 'question' | 'run'>,
  { items, count, total: counted }: ReadPage,
  matches?: Matches
): Promise<ItemsAndTotal> {
  const total = counted ?? provenTotal(question, count) ?? (await run(totalOf(matches)))
  // Records may have been deleted after the page was read (contract 82).
  return { items, total: items.length > 0 ? Math.max(total, offsetOf(question) + items.length) : total }
}

/** The total, if `count` records on the page prove it. An empty page after the first may be past the end. */
export function provenTotal(page: Page, count: number): number | undefined {
  if (count === page.limit) return undefined
  if (count === 0 && page.page > 1) return undefined
  return offsetOf(page) + count
}
