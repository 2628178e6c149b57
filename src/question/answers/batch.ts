/** The answer `batch`: the records after a key, for `each`. A page after a record is read in the same way. */
import type { RecordKey } from '../../database/dialect.js'
import { Failure } from '../../errors/failure.js'
import { isOfAll } from '../../visibility/grant.js'
import { placeOf } from '../asked/next.js'
import type { ReadPage } from '../sql/items.js'
import type { PageOptions } from '../sql/page.js'
import type { AnswerKind, Asking } from './answer.js'
import { readPage } from './read.js'

export interface Batch {
  readonly items: unknown[]
  /** The key of the last record. Undefined for the last batch. */
  readonly key: RecordKey | undefined
}

export const batch: AnswerKind<Batch> = async (asking) => {
  const { question, planning } = asking
  // One scan of the list's order goes through all batches. Other plans read all matches for each batch.
  const plan = isOfAll(question.reach) && planning ? 'scan' : undefined
  const { read, last } = await readAfter(asking, (options) => readPage(asking, { ...options, plan }))
  return { items: read.items, key: last && placeOf(question.list, question.order, last, question.after) }
}

/** `last` is the key of the last item, if a record follows it. Throws a Failure for a record that no key reaches. */
export async function readAfter(
  asking: Asking,
  readOne: (options: PageOptions) => Promise<ReadPage>,
  beside?: PageOptions['beside']
): Promise<{ read: ReadPage; last?: RecordKey | undefined }> {
  const { list, limit, after } = asking.question
  // One record more than the page has tells whether there is another page.
  const read = await readOne({ ...first(limit + 1), most: limit, beside })
  const { rows, keys } = read
  const end = keys.at(-1)
  // A record has several rows for several organizations, and for a join of the host that repeats it.
  const isUnsure = keys.length <= limit && rows > limit && end !== undefined
  const following =
    keys[limit] ?? (isUnsure ? (await readOne({ ...first(1), most: 1, after: end })).keys[0] : undefined)
  if (following) return { read, last: keys[Math.min(keys.length, limit) - 1] }
  // No key reaches nulls and zero dates: report one rather than lose it. The first page of few records has shown them.
  if (after) requireNone(list, (await readPage(asking, { ...first(1), after: 'unreachable' })).items)
  return { read }
}

const first = (take: number) => ({ span: { skip: 0, take, backwards: false } })

function requireNone({ name, id }: Asking['question']['list'], items: readonly unknown[]): void {
  if (items.length === 0) return
  const example = String((items[0] as Record<string, unknown>)[id])
  const text = `Some records of '${name}' cannot be reached after the others, such as the ${id} ${example}, because their time or id has another type.`
  throw new Failure('internal', text)
}
