/** The answer `after`: the items that follow a record, and the position of the last one, after which the next page begins. */
import { nextOf } from '../asked/position.js'
import type { AnswerKind } from './answer.js'
import { readAfter } from './batch.js'
import { readPlanned, searchFor } from './planned-page.js'
import { readPage } from './read.js'

export interface After {
  readonly limit: number
  /** Null on the last page. */
  readonly next: string | null
  /** Only where the question asks for it. */
  readonly total?: number
  readonly items: readonly unknown[]
}

export const after: AnswerKind<After> = async (asking) => {
  const { question, statements, run } = asking
  const { list, order, limit, from, withTotal } = question
  const search = await searchFor(asking)
  const { items, last } = await readAfter(asking, (options) =>
    search ? readPlanned(asking, options, search) : readPage(asking, options)
  )
  const next = last ? nextOf(list, order, last, from) : null
  if (!withTotal) return { limit, next, items }
  const total = from || last ? await run(statements.total(search?.matches)) : items.length
  return { limit, next, total, items }
}
