/** Runs a list's plan: the page, and the total where the page does not prove it. */
import type { RawBuilder } from 'kysely'
import type { Dialect } from './dialect.js'
import { failureOf, isTextError } from './errors.js'
import { GarbledRows, itemsOf } from './items.js'
import type { Settings } from './options.js'
import { type Page, provenTotal } from './page.js'
import { planOf, type Question, type Reading, type Row } from './plan.js'
import type { Parameters } from './query.js'
import { send, textOf } from './send.js'
import type { Source } from './source.js'
import { sharedCounts } from './total.js'
import { type Run, traitsOf } from './traits.js'
import type { Caller, Reach } from './visibility.js'

/** What a request asks of a list. */
export interface Asked {
  caller: Caller
  reach: Reach
  /** With `page` and `limit`, as the query reader gives them. */
  parameters: Parameters
  /** Milliseconds until the deadline; none when it has passed. */
  timeLeft(): number
}

/** What it gets. */
export interface Found extends Page {
  items: unknown[]
  total: number
}

/** Finds what is asked in a database. Rejects only with a `Failure`. */
export type Find = (asked: Asked, source: Source) => Promise<Found>

export function finder(list: Reading, { shareTotals }: Settings): Find {
  const shared = shareTotals ? sharedCounts() : undefined
  const traitsIn = traitsOf(list)

  return async function find({ caller, reach, parameters, timeLeft }, source) {
    const { page: number, limit, ...others } = parameters
    const page = { page: Number(number), limit: Number(limit) }
    const run: Run = (query) => send(source, query, timeLeft)
    try {
      const traits = await traitsIn(source, run)
      return await findIn(source.dialect, { caller, reach, parameters: others, page, traits })
    } catch (error) {
      throw failureOf(error)
    }

    async function findIn(dialect: Dialect, question: Question): Promise<Found> {
      const plan = planOf(list, question, source, dialect)
      try {
        const items = itemsOf(list, await run(plan.page))
        return { ...page, items, total: provenTotal(page, items.length) ?? (await totalOf(plan.total)) }
      } catch (error) {
        const slower = slowerDialect(dialect, error)
        if (slower) return findIn(slower, question)
        throw error
      }
    }

    async function totalOf(query: RawBuilder<Row>): Promise<number> {
      const count = async () => {
        const [row] = await run(query)
        const text = textOf(row?.total)
        if (text === null) throw new GarbledRows()
        return Number(text)
      }
      return shared ? shared(source.shareable, query.compile(source.db), count) : count()
    }
  }
}

/** The dialect that can do what this one failed to do. */
export function slowerDialect(dialect: Dialect, error: unknown): Dialect | undefined {
  if (isTextError(error)) {
    const { anyText, letterCase: _none, ...others } = dialect
    return anyText && { ...others, ...anyText }
  }
  // the connection's character set does not take part when bytes are sent
  return error instanceof GarbledRows && dialect.text !== dialect.bytes
    ? { ...dialect, text: dialect.bytes }
    : undefined
}
