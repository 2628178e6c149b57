/** Runs a list's statements: the page, and the total where the page does not prove it. */
import type { CompiledQuery } from 'kysely'
import type { Dialect } from './dialect.js'
import { isTextError } from './driver-errors.js'
import { failureOf } from './errors.js'
import { recordTotal } from './fields.js'
import { GarbledRows, itemsOf, textsOf } from './items.js'
import { type Page, provenTotal, spanOf } from './page.js'
import type { Reading, Row, Way } from './plan.js'
import type { Parameters } from './query.js'
import type { Ids, Matches } from './search.js'
import { type Patience, send, textOf } from './send.js'
import type { Settings } from './settings.js'
import type { Source } from './source.js'
import { type Statements, statementsOf } from './statements.js'
import { countsFirst, measured, orderOf } from './strategy.js'
import type { Timed } from './timing.js'
import { type ShareCount, sharedCounts } from './total.js'
import { type Traits, traitsOf } from './traits.js'
import type { Caller, Reach } from './visibility.js'

/** What a request asks of a list. */
export interface Asked extends Patience {
  caller: Caller
  reach: Reach
  /** With `page` and `limit`, as the query reader gives them. */
  parameters: Parameters
  timed: Timed
}

/** What it gets. */
export interface Found extends Page {
  items: unknown[]
  total: number
}

/** Finds what is asked in a database. Rejects only with a `Failure`. */
export type Find = (asked: Asked, source: Source) => Promise<Found>

/** @param thresholds between the ways of reading; others for tests */
export function finder(list: Reading, { shareTotals }: Pick<Settings, 'shareTotals'>, thresholds = measured): Find {
  const shared = shareTotals ? sharedCounts() : undefined
  const traitsIn = traitsOf(list)
  const statementsFor = statementsOf(list)

  return async function find({ caller, reach, parameters, timed, ...patience }, source) {
    const { page: number, limit, ...others } = parameters
    const page = { page: Number(number), limit: Number(limit) }
    const run = (statement: CompiledQuery<Row>, most = Number.POSITIVE_INFINITY) =>
      send(source, statement, { ...patience, timeLeft: () => Math.min(most, patience.timeLeft()) })
    const pageOf = (statements: Statements, way: Way, most?: number) =>
      timed('page', () => run(statements.page(way), most))
    try {
      const traits = await traitsIn(source, (query) => timed('columns', () => run(query.compile(source.db))))
      return { ...page, ...(await findIn(source.dialect, traits)) }
    } catch (error) {
      throw failureOf(error)
    }

    async function findIn(dialect: Dialect, traits: Traits): Promise<Pick<Found, 'items' | 'total'>> {
      try {
        const statements = statementsFor(source, dialect, { reach, userId: caller.userId, parameters: others, traits })
        const matches = reach === 'all' && dialect.steering ? await matchesOf(statements) : undefined
        if (matches?.users.length === 0 && matches.records.length === 0) return { items: [], total: 0 }
        if (!countsFirst(reach, page, matches)) {
          const rows = await pageOf(statements, { span: spanOf(page), order: 'free', matches })
          const items = itemsOf(list, rows)
          const total = totalIn(rows[0]) ?? provenTotal(page, items.length)
          return { items, total: total ?? (await count(statements.total(matches))) }
        }
        const start = performance.now()
        const total = await count(statements.total(matches))
        const counting = performance.now() - start
        const span = spanOf(page, total)
        if (span.take === 0) return { items: [], total }
        const way = { span, order: orderOf(span, total, matches, thresholds), matches }
        const rows =
          way.order === 'newest'
            ? await walk(statements, way, counting * thresholds.walk)
            : await pageOf(statements, way)
        return { items: itemsOf(list, rows), total }
      } catch (error) {
        const slower = slowerDialect(dialect, error)
        if (slower) return findIn(slower, traits)
        throw error
      }
    }

    /** Record by record, for so many milliseconds: then all matches are sorted after all. */
    async function walk(statements: Statements, way: Way, most: number): Promise<Row[]> {
      try {
        return await pageOf(statements, way, Math.max(1, most))
      } catch (error) {
        if (failureOf(error).kind === 'timeout' && patience.timeLeft() > 0) {
          return pageOf(statements, { ...way, order: 'sorted' })
        }
        throw error
      }
    }

    /** What the search matches, in one look at the users and one at the records, which end where it is too much. */
    async function matchesOf({ idsOf }: Statements): Promise<Matches | undefined> {
      const most = thresholds.named
      const look = async (side: keyof Matches): Promise<Ids> => {
        const statement = idsOf(side, most + 1)
        const rows = statement ? await timed('matches', () => run(statement)) : []
        return rows.length > most ? 'many' : textsOf(rows, 'id')
      }
      return others.search === undefined ? undefined : { users: await look('users'), records: await look('records') }
    }

    async function count(statement: CompiledQuery<Row>): Promise<number> {
      const read = async () => {
        const [row] = await run(statement)
        const total = totalIn(row)
        if (total === undefined) throw new GarbledRows()
        return total
      }
      const join = (share: ShareCount): Promise<number> =>
        share(source.shareable, statement, read).catch((error) => {
          // the deadline of another one, who began the count
          if (failureOf(error).kind === 'timeout' && patience.timeLeft() > 0) return join(share)
          throw error
        })
      return timed('total', () => (shared ? join(shared) : read()))
    }
  }
}

const totalIn = (row: Row | undefined): number | undefined => {
  const text = textOf(row?.[recordTotal])
  return text === null ? undefined : Number(text)
}

/** The dialect that can do what this one failed to do. */
export function slowerDialect(dialect: Dialect, error: unknown): Dialect | undefined {
  if (isTextError(error)) {
    const { anyText } = dialect
    return anyText && { ...dialect, ...anyText, anyText: undefined }
  }
  // the connection's character set does not take part when bytes are sent
  return error instanceof GarbledRows && dialect.text !== dialect.bytes
    ? { ...dialect, text: dialect.bytes }
    : undefined
}
