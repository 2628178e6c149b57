/** The answer `after`: the items that follow a record, and the position of the last one, after which the next page begins. */
import { nextOf } from '../asked/position.js'
import { exactPlace, recordOf } from '../asked/whole-seconds.js'
import type { AnswerKind, Asking } from './answer.js'
import { readAfter } from './batch.js'
import { readPlanned, searchFor } from './planned-page.js'
import { readPage } from './read.js'
import { recordPage } from './record.js'

export interface After {
  readonly limit: number
  /** Null on the last page. */
  readonly next: string | null
  /** Only where the question asks for it. */
  readonly total?: number
  readonly items: readonly unknown[]
}

export const after: AnswerKind<After> = async (given) => {
  const { from } = given.question
  const asking = await withExactPlace(given)
  const { question, statements, run } = asking
  const { list, order, limit, withTotal } = question
  const search = await searchFor(asking)
  const { items, stretch } = await readAfter(asking, (options) =>
    search ? readPlanned(asking, options, search) : readPage(asking, options)
  )
  const next = stretch ? nextOf(list, order, stretch, from) : null
  if (!withTotal) return { limit, next, items }
  const total = from || stretch ? await run(statements.total(search?.matches)) : items.length
  return { limit, next, total, items }
}

/**
 * A position does not tell the fraction of a second, so the record tells it, as long as the caller sees the record there.
 * Otherwise the page begins with what was not shown of the second.
 */
async function withExactPlace(asking: Asking): Promise<Asking> {
  const { question, statementsFor, run } = asking
  const { from, order } = question
  const id = from && recordOf(from)
  if (!from || id === undefined) return asking
  const [valued = question] = question.parts ?? []
  const alone = statementsFor({ ...valued, from: undefined, term: undefined, filters: {}, id })
  const { keys } = await run(alone.page({ ...recordPage, most: 0 }))
  const exact = exactPlace(from, order, keys[0])
  if (!exact) return asking
  const exactly = { ...question, from: exact }
  return { ...asking, question: exactly, statements: statementsFor(exactly) }
}
