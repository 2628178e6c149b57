/** The kind of answer of a list. */
import type { List } from '../../lists/list.js'
import { after } from './after.js'
import type { AnswerKind } from './answer.js'
import { type Counted, withCounts } from './counts.js'
import { page } from './page.js'

/** The items, after the numbers that stand before them in an answer. */
export interface Answered extends Counted {
  readonly items: readonly unknown[]
}

export function answerOf({ filters, paging }: Pick<List, 'filters' | 'paging'>): AnswerKind<Answered> {
  const isCounted = Object.values(filters).some(({ counted }) => counted)
  const kind: AnswerKind<Answered> = paging === 'after' ? after : page
  return isCounted ? withCounts(kind) : kind
}
