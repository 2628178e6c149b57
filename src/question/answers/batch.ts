/** The answer `batch`: the first records without a total, or those from a key, for `each`. */
import type { Key } from '../../database/dialect.js'
import { isOfAll } from '../../lists/reach.js'
import { spanOf } from '../asked/question.js'
import type { AnswerKind } from './answer.js'

export interface Batch {
  readonly items: unknown[]
  /** The key of the last record. Undefined if the batch is certainly the last one. */
  readonly key: Key | undefined
  /** Whether the batch has as many records as a batch can have. */
  readonly isFull: boolean
}

export const batch: AnswerKind<Batch> = async ({ question, statements, run }) => {
  const { limit, reach } = question
  // One scan of the list's order goes through all batches. Other plans read all matches for each batch.
  const plan = isOfAll(reach) && statements.canPlan ? 'newest' : undefined
  const read = await run(statements.page({ span: spanOf(question), plan, isBatch: true }))
  const { items, count, rows, lastKey } = read
  // A join of the host may repeat a record. Then the record has its own number of rows squared.
  const isFull = count >= limit || rows >= limit ** 2
  // Each record has a row. A batch with fewer items than its limit may still have repeated records.
  return { items, key: rows < limit ? undefined : lastKey, isFull }
}
