/** Compiles each shape of statement once, because query building is the slowest step of a small page in Node.js. */
import type { CompiledQuery, RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Row } from '../database/driver-samples.js'
import { bindSlots, keyOfForms, Slot, type Statement, slotFor } from '../database/parameter.js'
import type { Session } from '../database/session.js'
import type { List } from '../lists/list.js'
import type { Fitted } from './fitted.js'
import type { ListRequest } from './plan.js'
import { callerIdName, type PageOptions, type Queries, queriesOf, type SpanParameters } from './queries.js'
import type { Matches } from './search.js'

export interface Statements {
  page(options: PageOptions): CompiledQuery<Row>
  total(matches?: Matches): CompiledQuery<Row>
  /** Undefined for a side that the list does not search. */
  idsOf(side: keyof Matches, maxRows: number): CompiledQuery<Row> | undefined
}

/** Keeps statements without their query nodes, which take 20 times the memory. */
export type StatementCache = Pick<LRUCache<string, Statement>, 'get' | 'set'>

/** Estimated bytes of an entry without its texts. */
const overhead = { entry: 500, parameter: 100 }

/** @param maxSize estimated bytes */
export const statementCache = (maxSize = 4_000_000): StatementCache =>
  new LRUCache<string, Statement>({
    maxSize,
    sizeCalculation: ({ sql, parameters }, key) =>
      key.length + sql.length + overhead.entry + parameters.length * overhead.parameter
  })

export type StatementsFor = (
  session: Session,
  request: Pick<ListRequest, 'reach' | 'caller' | 'parameters'>,
  fitted: Fitted
) => Statements

// No parameter of a list has a name with a space.
const [skipName, takeName] = ['page skip', 'page take']
const spanSlots: SpanParameters = { skip: new Slot(skipName), take: new Slot(takeName) }

/**
 * Builds statements with `queriesOf`, compiles each shape once, and binds the texts and the span of a request. The key of
 * a statement is everything that the SQL depends on: the tables, what is fitted to them, the forms of the texts, and the shape.
 *
 * @param cache the statements of the list for all databases of a registration
 */
export function cachedStatements(list: List, cache = statementCache()): StatementsFor {
  return (session, request, fitted) => {
    const { reach, caller, parameters } = request
    const { version } = session.tables
    const texts = new Map<string, string>([[callerIdName, caller.userId], ...Object.entries(parameters)])
    const common = version && [version, fitted.key, keyOfForms(texts), reach].join('; ')
    const statement = (shape: string | undefined, build: (queries: Queries) => RawBuilder<Row>) => {
      const key = common && shape && `${common}; ${shape}`
      const found = key && cache.get(key)
      if (found) return found
      const queries = queriesOf({ list, request, fitted, session, toParameter: slotFor })
      const { sql, parameters } = session.compile(build(queries))
      // V8 keeps all parts of a concatenated string in memory until `trimStart` flattens the string.
      const compiled = { sql: sql.trimStart(), parameters }
      if (key) cache.set(key, compiled)
      return compiled
    }

    return {
      page(options) {
        const { span, plan, matches, withTotal = false, isBatch = false } = options
        const shape = shapeOf(['page', span.backwards, plan, withTotal, isBatch], matches)
        const values = new Map<string, unknown>([...texts, [skipName, span.skip], [takeName, span.take]])
        return bindSlots(
          statement(shape, ({ page }) => page(options, spanSlots)),
          values
        )
      },
      total: (matches) =>
        bindSlots(
          statement(shapeOf(['total'], matches), ({ total }) => total(matches)),
          texts
        ),
      idsOf: (side, maxRows) =>
        list.search[side].length === 0
          ? undefined
          : bindSlots(
              statement(shapeOf(['ids', side, maxRows]), ({ idsOf }) => idsOf(side, maxRows)),
              texts
            )
    }
  }
}

/** Undefined for a statement with ids, because no other request can use the statement. */
function shapeOf(parts: unknown[], { users, records }: Matches = {}): string | undefined {
  if (users?.length || records?.length) return undefined
  return [...parts, users?.length, records?.length].join()
}
