/** The answer `after`: the items that follow a record, and `next`, the position of the last one. */
import type { AfterResult } from '../../lists/types/pages.js'
import { nextOf } from '../asked/next.js'
import type { PageOptions } from '../sql/page.js'
import { totalOf } from '../sql/records.js'
import type { AnswerKind } from './answer.js'
import { readAfter } from './batch.js'
import type { Counted } from './counts.js'
import { readPlanned, searchFor } from './planned-page.js'
import { readPage } from './read.js'

export const after: AnswerKind<AfterResult<unknown> & Counted> = async (asking) => {
  const { question, run } = asking
  const { list, order, limit, after: key, asksTotal = false, counts: counted = [] } = question
  const search = await searchFor(asking)
  const readOne = (options: PageOptions) => (search ? readPlanned(asking, options, search) : readPage(asking, options))
  const { read, last } = await readAfter(asking, readOne, { total: asksTotal, counts: counted })
  const { items, counts } = read
  const next = last ? nextOf(list, order, last, key) : null
  const beside = counts && { counts }
  if (!asksTotal) return { limit, next, items, ...beside }
  const counting = () => (key || last ? run(totalOf(search?.matches)) : items.length)
  return { limit, next, total: read.total ?? (await counting()), items, ...beside }
}
