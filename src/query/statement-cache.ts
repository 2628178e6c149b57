/** Compiles each shape of statement once, because query building is the slowest step of a small page in Node.js. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type ClientText, isWhole } from '../database/dialect.js'
import type { Row } from '../database/driver-samples.js'
import type { Source } from '../database/source.js'
import type { List } from '../lists/list.js'
import type { Traits } from './column-traits.js'
import type { Ids, Matches, PageOptions } from './order.js'
import { callerIdName, queriesOf, type SpanParameters } from './page-query.js'
import type { Span } from './paging.js'
import type { ListRequest } from './request.js'

export interface Statements {
  page(options: PageOptions): CompiledQuery<Row>
  total(matches?: Matches): CompiledQuery<Row>
  idsOf(side: keyof Matches, maxRows: number): CompiledQuery<Row> | undefined
}

/** A compiled statement without its query nodes, which take 20 times the memory. */
export interface CachedStatement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export type StatementCache = Pick<LRUCache<string, CachedStatement>, 'get' | 'set'>

/** Estimated bytes of an entry without its texts. */
const overhead = { entry: 500, parameter: 100 }

/** @param maxSize estimated bytes */
export const statementCache = (maxSize = 4_000_000): StatementCache =>
  new LRUCache<string, CachedStatement>({
    maxSize,
    sizeCalculation: ({ sql, parameters }, key) =>
      key.length + sql.length + overhead.entry + parameters.length * overhead.parameter
  })

export type StatementsFor = (
  source: Source,
  request: Pick<ListRequest, 'reach' | 'caller' | 'parameters'>,
  traits: Traits
) => Statements

interface Values {
  readonly texts: ReadonlyMap<string, string>
  readonly span?: Span
}

/**
 * A placeholder among the parameters of a compiled statement. The cache keeps
 * `… where r.user_id = ? … limit ? offset ?` with `[Slot, Slot, Slot]`. For user 7 and the second page of 12, `bind`
 * replaces the slots: `[7, 12, 12]`.
 */
class Slot {
  constructor(readonly of: (values: Values) => unknown) {}
}

/**
 * SQL may depend on a text only through `formOf` and `isWhole`, because the cache key contains nothing else of the text.
 */
const slot = (name: string, text: string): ClientText => ({
  text,
  parameter: (make = (text) => text) => sql`${new Slot(({ texts }) => make(String(texts.get(name))))}`
})

const spanSlots: SpanParameters = {
  skip: new Slot(({ span }) => span?.skip),
  take: new Slot(({ span }) => span?.take)
}

/** Every run needs a new `CompiledQuery`, because the `queryId` identifies a run. */
const bind = ({ sql, parameters }: CachedStatement, values: Values): CompiledQuery<Row> =>
  CompiledQuery.raw(
    sql,
    parameters.map((parameter) => (parameter instanceof Slot ? parameter.of(values) : parameter))
  ) as CompiledQuery<Row>

/**
 * Builds statements with `queriesOf`, compiles each shape once, and binds the texts and the span of a request.
 *
 * @param cache the statements of the list for all databases of a registration
 */
export function cachedStatements(list: List, cache = statementCache()): StatementsFor {
  const seen = new WeakSet<Source>()

  return (source, request, traits) => {
    const { reach, caller, parameters } = request
    const { dialect } = source
    const texts = new Map([[callerIdName, caller.userId], ...Object.entries(parameters)])
    const queries = () => queriesOf({ list, request, traits, source, toParameter: slot })
    // The first request caches nothing, because a host or `slowerSource` may create a source per request.
    const isCacheable = seen.has(source)
    seen.add(source)
    const forms = [...texts].map(([name, text]) => `${name} ${isWhole(text)} ${dialect.formOf(text)}`).join()
    const { caseSensitive, exactTexts, plainIds, plainRecordIds, foreignTables } = traits
    const traitsKey = [...caseSensitive, '', ...exactTexts, plainIds, plainRecordIds, foreignTables].join()
    const shapeOf = (...parts: (string | number | boolean | undefined)[]) =>
      isCacheable && !parts.includes(undefined) ? [reach, traitsKey, forms, ...parts].join('; ') : undefined

    return {
      page(options) {
        const { span, order, matches, withTotal = false } = options
        const shape = shapeOf('page', span.backwards, order, withTotal, ...shapesOf(matches))
        return bind(
          statementOf(cache, source, shape, () => queries().page(options, spanSlots)),
          { texts, span }
        )
      },
      total(matches) {
        const shape = shapeOf('total', ...shapesOf(matches))
        return bind(
          statementOf(cache, source, shape, () => queries().total(matches)),
          { texts }
        )
      },
      idsOf(side, maxRows) {
        if (list.search[side].length === 0) return undefined
        const shape = shapeOf('ids', side, maxRows)
        return bind(
          statementOf(cache, source, shape, () => queries().idsOf(side, maxRows)),
          { texts }
        )
      }
    }
  }
}

/** Undefined for inlined ids, because no other request can use the statement. */
const shapesOf = (matches: Matches | undefined) =>
  matches ? [shapeOfIds(matches.users), shapeOfIds(matches.records)] : []
const shapeOfIds = (ids: Ids) => (ids === 'many' || ids.length === 0 ? String(ids) : undefined)

/**
 * The cache key contains the version of the tables, because a Kysely plugin may change the tables for each request.
 *
 * @param shape everything else that changes the SQL. Undefined for a statement that is not cached
 */
function statementOf(
  cache: StatementCache,
  source: Source,
  shape: string | undefined,
  build: () => RawBuilder<Row>
): CachedStatement {
  const version = shape === undefined ? undefined : source.version()
  const key = `${version}; ${shape}`
  const found = version === undefined ? undefined : cache.get(key)
  if (found) return found
  const { sql, parameters } = build().compile(source.db)
  // V8 keeps all parts of a concatenated string in memory until `trimStart` flattens the string.
  const statement = { sql: sql.trimStart(), parameters }
  // A plugin may have changed the tables during the compilation.
  if (version !== undefined && version === source.version()) cache.set(key, statement)
  return statement
}
