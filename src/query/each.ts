/** Reads all records of a list in batches by key, newest first. */
import { callAborted } from '../database/deadline.js'
import type { Key } from '../database/dialect.js'
import { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import type { Batch } from './find.js'
import type { ListRequest } from './plan.js'
import { keyNames } from './queries.js'

/** Records in a batch. Larger batches are hardly faster, and need more memory. */
const batchSize = 1000

/**
 * Yields each record once. A batch begins with the last record of the batch before, because the types of a database may
 * equate the ids of several records. The last batch is the one that gets no further. A batch with few items need not be the
 * last one, because a join of the host may repeat records.
 *
 * @param signals the first signal that aborts ends the iteration, also within a batch
 * @throws Failure for `size` or more records with one key
 */
export async function* eachItem(
  { name, id }: Pick<List, 'name' | 'id'>,
  request: Omit<ListRequest, 'page'>,
  findBatch: (request: ListRequest) => Promise<Batch>,
  signals: readonly AbortSignal[],
  size = batchSize
): AsyncGenerator<unknown, void, undefined> {
  const page = { page: 1, limit: size }
  let parameters = request.parameters
  let before: { key?: Key; ids: ReadonlySet<unknown> } = { ids: new Set() }
  for (;;) {
    const { items, key, isFull } = await findBatch({ ...request, page, parameters })
    const ids = items.map((item) => (item as Record<string, unknown>)[id])
    for (const [place, item] of items.entries()) {
      if (before.ids.has(ids[place])) continue
      if (signals.some(({ aborted }) => aborted)) throw callAborted()
      yield item
    }
    if (!key) return
    if (key.time === before.key?.time && key.id === before.key.id) {
      if (!isFull) return
      const text =
        `The records of '${name}' behind the ${id} ${key.id} cannot be reached: ${size} or more records have the same time ` +
        `and ids that the database equates, or a join in the option 'tables' repeats this record. Cast the id, such as ` +
        `cast(… as integer), or remove the join.`
      throw new Failure('internal', text)
    }
    before = { key, ids: new Set(ids) }
    parameters = { ...request.parameters, [keyNames.time]: key.time, [keyNames.id]: key.id }
  }
}
