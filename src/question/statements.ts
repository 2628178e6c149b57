/** Runs the statements of a question. Each shape of statement is compiled once, because query building is the slowest step of a small page in Node.js. */
import type { RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Row } from '../database/cells.js'
import { bindSlots, Slot, type Statement, slotFor } from '../database/parameter.js'
import type { Session } from '../database/session.js'
import { maxStatementBytes, statementOverhead, type Thresholds } from '../numbers.js'
import type { Fitted } from './fitted.js'
import { matchedKey, type ReadPage, recordTotal, toItems } from './items.js'
import { type PageOptions, type Queries, queriesOf } from './queries.js'
import { keyOfShape, type Question, type Span, shapeOf } from './question.js'
import type { Matches } from './search.js'

/** The statements of a question. */
export interface Steps {
  /** Whether a statement can tell the database its plan. */
  readonly canPlan: boolean
  /** @param maxMilliseconds limits the statement in addition to the deadline */
  page(options: PageOptions, maxMilliseconds?: number): Promise<ReadPage>
  total(matches?: Matches): Promise<number>
  /** The ids that the search matches, or undefined for too many of them. */
  idsOf(
    side: keyof Matches,
    max: Pick<Thresholds, 'maxInlinedIds' | 'maxInlinedLength'>
  ): Promise<readonly string[] | undefined>
}

/** Keeps statements without their query nodes, which take 20 times the memory. */
export type StatementCache = Pick<LRUCache<string, Statement>, 'get' | 'set'>

/** @param maxSize estimated bytes */
export const statementCache = (maxSize = maxStatementBytes): StatementCache =>
  new LRUCache<string, Statement>({
    maxSize,
    sizeCalculation: ({ sql, parameters }, key) =>
      key.length + sql.length + statementOverhead.entry + parameters.length * statementOverhead.parameter
  })

const spanSlots = { skip: new Slot('skip'), take: new Slot('take') }

/** The shape of a question with a slot in the place of each text, and the values of the slots. */
export function slotted(question: Question) {
  const values: Record<string, unknown> = {}
  const shape = shapeOf(question, (text, form, name) => {
    values[name] = text
    return slotFor(name, form)
  })
  return { shape, values }
}

/** @param cache the statements of a registration */
export function stepsOf(question: Question, fitted: Fitted, session: Session, cache: StatementCache): Steps {
  const { list, number, planning, readCell, maxMilliseconds } = fitted
  const { timed } = session
  const { shape, values } = slotted(question)
  const shapeKey = `${number} ${keyOfShape(shape)}`

  /** @param parts what tells the statement from the others of its shape */
  function statement(
    parts: readonly unknown[],
    { users, records }: Matches,
    build: (queries: Queries) => RawBuilder<Row>,
    span?: Span
  ) {
    // A statement with ids serves no other question. Without ids, it matters which sides are known.
    const isShared = !users?.length && !records?.length
    const key = [shapeKey, ...parts, users?.length, records?.length].join()
    let kept = isShared ? cache.get(key) : undefined
    if (!kept) {
      const { sql, parameters } = session.compile(build(queriesOf(shape, fitted)))
      // V8 keeps all parts of a concatenated string in memory until `trimStart` flattens the string.
      kept = { sql: sql.trimStart(), parameters }
      if (isShared) cache.set(key, kept)
    }
    // Every page sets its span. A copy of the values would take longer than everything else here.
    return bindSlots<Row>(kept, Object.assign(values, span))
  }

  return {
    canPlan: planning !== undefined,
    page: (options, milliseconds = Number.POSITIVE_INFINITY) =>
      timed('page', async () => {
        const { span, plan, matches = {}, withTotal, isBatch } = options
        const parts = ['page', span.backwards, plan, withTotal, isBatch]
        const page = statement(
          parts,
          matches,
          (queries) => queries.page({ ...options, span: { ...span, ...spanSlots } }),
          span
        )
        return toItems(question, await session.run(page, Math.min(milliseconds, maxMilliseconds)), readCell)
      }),
    total: (matches = {}) =>
      timed('total', async () => {
        const total = statement(['total'], matches, (queries) => queries.total(matches))
        const [row] = await session.run(total, maxMilliseconds)
        return Number(readCell(row?.[recordTotal]))
      }),
    async idsOf(side, { maxInlinedIds, maxInlinedLength }) {
      if (list.search[side].length === 0) return []
      const most = maxInlinedIds + 1
      const matching = statement(['ids', side, most], {}, ({ idsOf }) => idsOf(side, most))
      const rows = await timed('matches', () => session.run(matching, maxMilliseconds))
      const ids = rows.map((row) => readCell(row[matchedKey])).filter((id) => id !== null)
      const isMany = rows.length > maxInlinedIds || Buffer.byteLength(ids.join('')) > maxInlinedLength
      return isMany ? undefined : ids
    }
  }
}
