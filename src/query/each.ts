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
 * equate the ids of several records.
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
    const { items, key } = await findBatch({ ...request, page, parameters })
    const ids = items.map((item) => (item as Record<string, unknown>)[id])
    for (const [place, item] of items.entries()) {
      if (before.ids.has(ids[place])) continue
      if (signals.some(({ aborted }) => aborted)) throw callAborted()
      yield item
    }
    if (!key) return
    if (key.time === before.key?.time && key.id === before.key.id) {
      const text =
        `${size} or more records of '${name}' have the same time, and the database cannot compare their ids with a ` +
        `parameter. Cast the id in the option 'tables', such as cast(… as integer).`
      throw new Failure('internal', text)
    }
    before = { key, ids: new Set(ids) }
    parameters = { ...request.parameters, [keyNames.time]: key.time, [keyNames.id]: key.id }
  }
}
