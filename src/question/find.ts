/** Finds a page of a list and the total, or a batch of all records. */
import type { Session } from '../database/session.js'
import type { Tables } from '../database/source.js'
import type { Key } from '../database/sql/from-key.js'
import { measured } from '../numbers.js'
import { attempter } from './attempts.js'
import { type ItemsAndTotal, itemsAndTotal } from './items.js'
import { needsPlan, type Page, type Question, spanOf } from './question.js'
import { findPlanned } from './slow/planned.js'

/** Both methods reject only with a `Failure`. */
export interface Finder {
  find(question: Question, tables: Tables, session: Session): Promise<Page & ItemsAndTotal>
  /** Finds the first records without a total. With `from`, the batch begins at that key. */
  findBatch(question: Question, tables: Tables, session: Session): Promise<Batch>
}

export interface Batch {
  readonly items: unknown[]
  /** The key of the last record. Undefined if the batch is certainly the last one. */
  readonly key: Key | undefined
  /** Whether the batch has as many records as a batch can have. */
  readonly isFull: boolean
}

export function finder(thresholds = measured): Finder {
  const attempt = attempter()
  return {
    find: (question, tables, session) =>
      attempt(question, tables, session, async (steps) => {
        const { page, limit } = question
        if (needsPlan(question, steps)) {
          return { page, limit, ...(await findPlanned({ question, steps, thresholds, deadline: session.deadline })) }
        }
        // For the reach `own`, the rows have the total. A short page proves it.
        const read = await steps.page({ span: spanOf(question) })
        return { page, limit, ...(await itemsAndTotal(question, read, steps.total)) }
      }),

    findBatch: (question, tables, session) =>
      attempt(question, tables, session, async (steps) => {
        const { limit, reach } = question
        // One scan of the list's order goes through all batches. Other plans read all matches for each batch.
        const plan = reach === 'all' && steps.canPlan ? 'newest' : undefined
        const { items, count, rows, lastKey } = await steps.page({ span: spanOf(question), plan, isBatch: true })
        // A join of the host may repeat a record. Then the record has its own number of rows squared.
        const isFull = count >= limit || rows >= limit ** 2
        // Each record has a row. A batch with fewer items than its limit may still have repeated records.
        return { items, key: rows < limit ? undefined : lastKey, isFull }
      })
  }
}
