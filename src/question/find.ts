/** Finds a page of a list and the total, or a batch of all records. */

import type { Session } from '../database/session.js'
import type { Key } from '../database/sql/key.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import { measured } from '../numbers.js'
import { knownAttempts } from './attempts.js'
import { type ItemsAndTotal, itemsAndTotal } from './items.js'
import { needsPlan, needsSnapshot, type Page, type Question, spanOf } from './question.js'
import { findPlanned } from './slow/planned.js'
import type { Steps } from './statements.js'

export type Found = Page & ItemsAndTotal

/** Both methods reject only with a `Failure`. */
export interface Finder {
  find(question: Question, session: Session): Promise<Found>
  /** Finds the first records without a total. With `from`, the batch begins at that key. */
  findBatch(question: Question, session: Session): Promise<Batch>
}

export interface Batch {
  readonly items: unknown[]
  /** The key of the last record. Undefined if the batch is certainly the last one. */
  readonly key: Key | undefined
  /** Whether the batch has as many records as a batch can have. */
  readonly isFull: boolean
}

export function finder(thresholds = measured): Finder {
  const attemptsFor = knownAttempts()

  return {
    find: (question, session) =>
      attempt(question, session, needsSnapshot(question, session.dialect), async (steps) => {
        const { page } = question
        if (needsPlan(question, steps)) {
          return { ...page, ...(await findPlanned({ question, steps, thresholds, deadline: session.deadline })) }
        }
        // For the reach `own`, the rows have the total. A short page proves it.
        const read = await steps.page({ span: spanOf(page), plan: 'plain' })
        return { ...page, ...(await itemsAndTotal(page, read, steps.total)) }
      }),

    findBatch: (question, session) =>
      attempt(question, session, false, async (steps) => {
        const { page, reach } = question
        // One scan of the list's order goes through all batches. Other plans read all matches for each batch.
        const plan = reach === 'all' && steps.canPlan ? 'newest' : 'plain'
        const { items, found, rows, lastKey } = await steps.page({ span: spanOf(page), plan, isBatch: true })
        // A join of the host may repeat a record. Then the record has its own number of rows squared.
        const isFull = found >= page.limit || rows >= page.limit ** 2
        // Each record has a row. A batch with fewer items than its limit may still have repeated records.
        return { items, key: rows < page.limit ? undefined : lastKey, isFull }
      })
  }

  /** Works with the usual SQL, and with slower SQL after the database has refused a text of the question. */
  async function attempt<Result>(
    question: Question,
    session: Session,
    inSnapshot: boolean,
    work: (steps: Steps) => Promise<Result>
  ): Promise<Result> {
    try {
      let refusal: unknown
      for (const stepsOf of await attemptsFor(question.list, session)) {
        const workOn = (session: Session) => work(stepsOf(question, session))
        try {
          return await (inSnapshot ? session.snapshot(workOn) : workOn(session))
        } catch (error) {
          if (!isTextError(error)) throw error
          refusal = error
        }
      }
      throw refusal
    } catch (error) {
      throw failureOf(error)
    }
  }
}
