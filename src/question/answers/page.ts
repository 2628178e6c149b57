/** The answer `page`: the items of a page by its number, and the total. */
import type { FindResult } from '../../lists/types/pages.js'
import { needsPlan, spanOf } from '../asked/question.js'
import type { AnswerKind } from './answer.js'
import type { Counted } from './counts.js'
import { plannedPage } from './planned-page.js'
import { readPage } from './read.js'
import { itemsAndTotal } from './total.js'

export const page: AnswerKind<FindResult<unknown> & Counted> = async (asking) => {
  const { question, planning } = asking
  const { page, limit, counts: counted = [] } = question
  if (needsPlan(question, planning)) return { page, limit, ...(await plannedPage(asking)) }
  // For the reach `own`, the rows have the total. A short page proves it.
  const read = await readPage(asking, { span: spanOf(question), beside: { total: true, counts: counted } })
  const { counts } = read
  return { page, limit, ...(await itemsAndTotal(asking, read)), ...(counts && { counts }) }
}
