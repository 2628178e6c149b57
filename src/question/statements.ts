/** Compiles each shape of statement once, because query building is the slowest step of a small page in Node.js. */
import type { CompiledQuery, RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Row } from '../database/cells.js'
import {
  bindSlots,
  keyOfForm,
  type Parameter,
  parameterOf,
  Slot,
  type Statement,
  slotFor
} from '../database/parameter.js'
import type { Session } from '../database/session.js'
import type { Fitted } from './fitted.js'
import type { ReadPage } from './items.js'
import { maxStatementBytes, type Thresholds } from './measured.js'
import { type PageOptions, type Queries, queriesOf, type SpanParameters } from './queries.js'
import type { Question, Span, TextOf } from './question.js'
import type { Matches } from './search.js'

export interface Statements {
  page(options: PageOptions): CompiledQuery<Row>
  total(matches?: Matches): CompiledQuery<Row>
  /** Undefined for a side that the list does not search. */
  idsOf(side: keyof Matches, maxRows: number): CompiledQuery<Row> | undefined
}

/** The statements of a question. */
export interface Steps {
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

/** Estimated bytes of an entry without its texts. */
const overhead = { entry: 500, parameter: 100 }

/** @param maxSize estimated bytes */
export const statementCache = (maxSize = maxStatementBytes): StatementCache =>
  new LRUCache<string, Statement>({
    maxSize,
    sizeCalculation: ({ sql, parameters }, key) =>
      key.length + sql.length + overhead.entry + parameters.length * overhead.parameter
  })

export type StatementsFor = (question: Omit<Question, 'page'>, session: Session, fitted: Fitted) => Statements

/** What the slots of a statement read. */
interface Bound {
  readonly question: Omit<Question, 'page'>
  readonly span?: Span
}

const spanSlots: SpanParameters = {
  skip: new Slot<Bound>(({ span }) => span?.skip),
  take: new Slot<Bound>(({ span }) => span?.take)
}

/** Outside of the function that builds a statement, because the cache would keep what that function knows. */
const questionSlot = (read: TextOf, text: string): Parameter =>
  slotFor<Bound>(({ question }) => read(question), parameterOf(text))

/**
 * Builds statements with `queriesOf`, compiles each shape once, and binds the texts and the span of a question. The key of
 * a statement is everything that the SQL depends on: the tables, what is fitted to them, the forms of the texts, and the
 * shape.
 *
 * @param cache the statements of all databases of a registration
 */
export function cachedStatements(cache = statementCache()): StatementsFor {
  return (question, session, fitted) => {
    const { list, reach, owner, caller, parameters, order, from } = question
    const { version } = session.tables
    const named = Object.entries(parameters).map(([name, text]) => `${name} ${keyOfForm(text)}`)
    const start = typeof from === 'object' ? [keyOfForm(from.time), keyOfForm(from.id)] : [from]
    const forms = [keyOfForm(caller.userId), ...named, 'from', ...start]
    const common =
      version && [list.name, version, fitted.key, forms, reach, owner, order.column, order.direction].join('; ')
    const statementOf = (shape: string | undefined, build: (queries: Queries) => RawBuilder<Row>, span?: Span) => {
      const key = common && shape && `${common}; ${shape}`
      let statement = key && cache.get(key)
      if (!statement) {
        const queries = queriesOf({ question, fitted, tables: session.tables, parameter: questionSlot })
        const compiled = session.compile(build(queries))
        // V8 keeps all parts of a concatenated string in memory until `trimStart` flattens the string.
        statement = { sql: compiled.sql.trimStart(), parameters: compiled.parameters }
        if (key) cache.set(key, statement)
      }
      return bindSlots<Row, Bound>(statement, { question, ...(span && { span }) })
    }

    return {
      page(options) {
        const { span, plan, matches, withTotal = false, isBatch = false } = options
        const shape = shapeOf(['page', span.backwards, plan, withTotal, isBatch], matches)
        return statementOf(shape, ({ page }) => page(options, spanSlots), span)
      },
      total: (matches) => statementOf(shapeOf(['total'], matches), ({ total }) => total(matches)),
      idsOf: (side, maxRows) =>
        list.search[side].length === 0
          ? undefined
          : statementOf(shapeOf(['ids', side, maxRows]), ({ idsOf }) => idsOf(side, maxRows))
    }
  }
}

/** Undefined for a statement with ids, because no other request can use the statement. */
function shapeOf(parts: unknown[], { users, records }: Matches = {}): string | undefined {
  if (users?.length || records?.length) return undefined
  return [...parts, users?.length, records?.length].join()
}
