/** Reads all records of a list in batches by key, in the order of the list. */
import { callAborted } from '../database/deadline.js'
import type { RecordKey } from '../database/dialect.js'
import { batchSize } from '../limits.js'
import type { Batch } from './answers/batch.js'
import type { Question } from './asked/question.js'

/** Yields each record once. The first signal that aborts ends the iteration, also within a batch. */
export async function* eachItem(
  question: Question,
  findBatch: (question: Question) => Promise<Batch>,
  signals: readonly AbortSignal[],
  size = batchSize
): AsyncGenerator<unknown, void, undefined> {
  let after: RecordKey | undefined
  do {
    const { items, key } = await findBatch({ ...question, page: 1, limit: size, after })
    for (const item of items) {
      if (signals.some(({ aborted }) => aborted)) throw callAborted()
      yield item
    }
    after = key
  } while (after)
}
