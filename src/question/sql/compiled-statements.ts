/** The statements of a question, each shape compiled once: building queries is the slowest step of a small page. */
import type { CompiledQuery, RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Row } from '../../database/cells.js'
import { bindSlots, type CachedStatement, Slot, slotFor } from '../../database/parameter.js'
import type { Session, Step } from '../../database/session.js'
import { maxStatementBytes, statementOverhead, type Thresholds } from '../../limits.js'
import type { CountedFilter } from '../../visibility/standing.js'
import { keyOfShape, type Question, type Span, shapeOf } from '../asked/question.js'
import type { Fitted } from '../known/fitted-sql.js'
import { type Counts, matchedKey, type ReadPage, recordTotal, toCounts, toItems } from './items.js'
import { type PageOptions, type Queries, queriesOf } from './queries.js'
import type { Matches } from './search.js'

/** A statement, and how its rows are read. It runs once. */
export interface Statement<Result> {
  readonly step: Step
  readonly query: CompiledQuery<Row>
  /** Limits the statement in addition to the deadline. */
  readonly maxMilliseconds: number
  read(rows: Row[]): Result
}

export interface Statements {
  /** Whether a statement can tell the database its plan. */
  readonly canPlan: boolean
  page(options: PageOptions): Statement<ReadPage>
  total(matches?: Matches): Statement<number>
  /** The number of records with each value of a filter, whatever the filter itself asks. */
  counts(counted: CountedFilter, matches?: Matches): Statement<Counts>
  /** Reads undefined for too many ids. Undefined for a side that the list does not search. */
  idsOf(
    side: keyof Matches,
    max: Pick<Thresholds, 'maxInlinedIds' | 'maxInlinedLength'>
  ): Statement<readonly string[] | undefined> | undefined
}

/** @param milliseconds a limit for this run, where it is shorter than the statement's own */
export type Run = <Result>(statement: Statement<Result>, milliseconds?: number) => Promise<Result>

export const runOn =
  ({ timed, run }: Session): Run =>
  async ({ step, query, maxMilliseconds, read }, milliseconds = maxMilliseconds) =>
    read(await timed(step, () => run(query, Math.min(milliseconds, maxMilliseconds))))

/** Keeps statements without their query nodes, which take 20 times the memory. */
export type StatementCache = Pick<LRUCache<string, CachedStatement>, 'get' | 'set'>

/** @param maxSize estimated bytes */
export const statementCache = (maxSize = maxStatementBytes): StatementCache =>
  new LRUCache<string, CachedStatement>({
    maxSize,
    sizeCalculation: ({ sql, parameters }, key) =>
      key.length + sql.length + statementOverhead.entry + parameters.length * statementOverhead.parameter
  })

const [skip, take, end] = [new Slot('skip'), new Slot('take'), new Slot('end')]

/** The shape of a question with a slot in the place of each text, and the values of the slots. */
export function slotted(question: Question) {
  const values: Record<string, unknown> = {}
  const shape = shapeOf(question, (text, form, name) => {
    values[name] = text
    return slotFor(name, form)
  })
  return { shape, values }
}

export function statementsOf(
  question: Question,
  fitted: Fitted,
  { compile }: Pick<Session, 'compile'>,
  cache: StatementCache
): Statements {
  const { list, number, planning, readCell, maxMilliseconds } = fitted
  const { shape, values } = slotted(question)
  const shapeKey = `${number} ${keyOfShape(shape)}`

  /** @param parts what tells the statement from the others of its shape */
  function compiled(
    parts: readonly unknown[],
    { users, records }: Matches,
    build: (queries: Queries) => RawBuilder<Row>,
    span?: Span & { end: number },
    isOfShape = true
  ) {
    // A statement with ids serves no other question. Without ids, it matters which sides are known.
    const isShared = isOfShape && !users?.length && !records?.length
    const key = [shapeKey, ...parts, users?.length, records?.length].join()
    let kept = isShared ? cache.get(key) : undefined
    if (!kept) {
      const { sql, parameters } = compile(build(queriesOf(shape, fitted)))
      // V8 keeps all parts of a concatenated string in memory until `trimStart` flattens the string.
      kept = { sql: sql.trimStart(), parameters }
      if (isShared) cache.set(key, kept)
    }
    // Every page sets its span. A copy of the values would take longer than everything else here.
    return bindSlots<Row>(kept, Object.assign(values, span))
  }

  return {
    canPlan: planning !== undefined,
    page(options) {
      const { span, plan, matches = {}, withTotal, beside, from, most, isTied } = options
      const numbers = beside && JSON.stringify(beside)
      const parts = ['page', span.backwards, plan, withTotal, numbers, from, most !== undefined, isTied]
      const inSlots = { ...options, end, span: { ...span, skip, take } }
      const read = { ...span, end: span.skip + span.take }
      const query = compiled(parts, matches, (queries) => queries.page(inSlots), read, typeof from !== 'object')
      return { step: 'page', query, maxMilliseconds, read: (rows) => toItems(question, rows, readCell, most) }
    },
    total(matches = {}) {
      const query = compiled(['total'], matches, (queries) => queries.total(matches))
      return { step: 'total', query, maxMilliseconds, read: ([row]) => Number(readCell(row?.[recordTotal])) }
    },
    counts(counted, matches = {}) {
      const parts = ['counts', JSON.stringify(counted)]
      const query = compiled(parts, matches, (queries) => queries.counts(counted, matches))
      const { [counted.filter]: filter } = list.filters
      return { step: 'counts', query, maxMilliseconds, read: ([row]) => toCounts(filter, row, readCell) }
    },
    idsOf(side, { maxInlinedIds, maxInlinedLength }) {
      if (list.search[side].length === 0) return undefined
      const most = maxInlinedIds + 1
      const query = compiled(['ids', side, most], {}, ({ idsOf }) => idsOf(side, most))
      const read = (rows: Row[]) => {
        const ids = rows.map((row) => readCell(row[matchedKey])).filter((id) => id !== null)
        const isMany = rows.length > maxInlinedIds || Buffer.byteLength(ids.join('')) > maxInlinedLength
        return isMany ? undefined : ids
      }
      return { step: 'matches', query, maxMilliseconds, read }
    }
  }
}
