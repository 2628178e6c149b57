/** Finds a page of a list and the total, or a batch of all records. */
import type { Key } from '../database/dialect.js'
import type { Session } from '../database/session.js'
import { failureOf } from '../errors/classify.js'
import { isTextError } from '../errors/driver-errors.js'
import { findLarge } from './find-large.js'
import type { Fitted } from './fitted.js'
import { type ItemsAndTotal, itemsAndTotal, matchedKey, recordTotal, toItems } from './items.js'
import { cachedFit } from './look.js'
import { measured } from './measured.js'
import { isLarge, needsSnapshot, type Page, type Question, spanOf } from './question.js'
import { cachedStatements, type Steps } from './statements.js'

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

type Work<Result> = (session: Session, fitted: Fitted, steps: Steps) => Promise<Result>

export function finder(thresholds = measured): Finder {
  const fit = cachedFit()
  const statementsFor = cachedStatements()

  return {
    async find(question, session) {
      const { page } = question
      const inSnapshot = needsSnapshot(question, session.dialect)
      const found = await run(question, session, inSnapshot, async (session, { hints }, steps) => {
        if (isLarge(question, { hints })) {
          return findLarge({ question, session, steps, thresholds }, hints !== undefined)
        }
        // For the reach `own`, the rows have the total. A short page proves it.
        const read = await steps.page({ span: spanOf(page), plan: 'plain' })
        return itemsAndTotal(page, read, steps.total)
      })
      return { ...page, ...found }
    },

    findBatch: (question, session) =>
      run(question, session, false, async (_session, fitted, steps) => {
        const { page, reach } = question
        // One scan of the list's order goes through all batches. Other plans read all matches for each batch.
        const plan = reach === 'all' && fitted.hints ? 'newest' : 'plain'
        const { items, found, rows, lastKey } = await steps.page({ span: spanOf(page), plan, isBatch: true })
        // A join of the host may repeat a record. Then the record has its own number of rows squared.
        const isFull = found >= page.limit || rows >= page.limit ** 2
        // Each record has a row. A batch with fewer items than its limit may still have repeated records.
        return { items, key: rows < page.limit ? undefined : lastKey, isFull }
      })
  }

  async function run<Result>(question: Question, session: Session, inSnapshot: boolean, work: Work<Result>) {
    try {
      return await runWith(await fit(question.list, session), session, question, inSnapshot, work)
    } catch (error) {
      throw failureOf(error)
    }
  }

  async function runWith<Result>(
    fitted: Fitted,
    session: Session,
    question: Question,
    inSnapshot: boolean,
    work: Work<Result>
  ): Promise<Result> {
    const workOn = (session: Session) => work(session, fitted, stepsOf(session, question, fitted))
    try {
      return await (inSnapshot ? session.snapshot(workOn) : workOn(session))
    } catch (error) {
      if (!fitted.slower || !isTextError(error)) throw error
      return runWith(fitted.slower, session, question, inSnapshot, work)
    }
  }

  function stepsOf(session: Session, question: Question, fitted: Fitted): Steps {
    const { timed } = session
    const { textOf, maxMilliseconds } = fitted
    const statements = statementsFor(question, session, fitted)
    return {
      page: (options, milliseconds = Number.POSITIVE_INFINITY) =>
        timed('page', async () => {
          const rows = await session.run(statements.page(options), Math.min(milliseconds, maxMilliseconds))
          return toItems(question, rows, textOf)
        }),
      total: (matches) =>
        timed('total', async () => {
          const [row] = await session.run(statements.total(matches), maxMilliseconds)
          return Number(textOf(row?.[recordTotal]))
        }),
      async idsOf(side, { maxInlinedIds, maxInlinedLength }) {
        const statement = statements.idsOf(side, maxInlinedIds + 1)
        const rows = statement ? await timed('matches', () => session.run(statement, maxMilliseconds)) : []
        const ids = rows.map((row) => textOf(row[matchedKey])).filter((id) => id !== null)
        const isMany = rows.length > maxInlinedIds || Buffer.byteLength(ids.join('')) > maxInlinedLength
        return isMany ? undefined : ids
      }
    }
  }
}
