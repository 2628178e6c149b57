/** Reads all records of a list in batches by key, in the order of the list. */
import { callAborted } from '../database/deadline.js'
import type { Key } from '../database/dialect.js'
import { Failure } from '../errors/failure.js'
import { batchSize } from '../limits.js'
import type { Batch } from './answers/batch.js'
import type { Question } from './asked/question.js'

/**
 * Yields each record once. A batch begins with the last record of the batch before, because the types of a database may
 * equate the ids of several records. The batch that gets no further is followed by the records that no key reaches. A batch
 * with few items need not be the last one, because a join of the host may repeat records.
 *
 * @param signals the first signal that aborts ends the iteration, also within a batch
 * @throws Failure for `size` or more records with one key, and for a record that no key reaches
 */
export async function* eachItem(
  question: Question,
  findBatch: (question: Question) => Promise<Batch>,
  signals: readonly AbortSignal[],
  size = batchSize
): AsyncGenerator<unknown, void, undefined> {
  const { name, id } = question.list
  let before: { key?: Key; ids: ReadonlySet<unknown> } = { ids: new Set() }
  for (;;) {
    const { items, key, isFull } = await findBatch({ ...question, page: 1, limit: size, from: before.key })
    const ids = items.map((item) => (item as Record<string, unknown>)[id])
    for (const [place, item] of items.entries()) {
      if (before.ids.has(ids[place])) continue
      if (signals.some(({ aborted }) => aborted)) throw callAborted()
      yield item
    }
    const isStuck = key !== undefined && key.time === before.key?.time && key.id === before.key.id
    if (!key || (isStuck && !isFull)) break
    if (isStuck) {
      const text =
        `The records of '${name}' behind the ${id} ${key.id} cannot be reached: ${size} or more records have the same time ` +
        `and ids that the database equates, or a join in the option 'tables' repeats this record. Cast the id, such as ` +
        `cast(… as integer), or remove the join.`
      throw new Failure('internal', text)
    }
    before = { key, ids: new Set(ids) }
  }
  // Null and zero dates, and null ids. The first batch of few records has shown them already.
  if (!before.key) return
  const { items } = await findBatch({ ...question, page: 1, limit: 1, from: 'unreachable' })
  if (items.length === 0) return
  const example = String((items[0] as Record<string, unknown>)[id])
  const text = `The records of '${name}' lack the ${id} ${example}, whose time or id has another type than those of the others.`
  throw new Failure('internal', text)
}
