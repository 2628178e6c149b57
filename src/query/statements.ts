/** Compiles each shape of statement once, because query building is the slowest step of a small page in Node.js. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Row } from '../database/cells.js'
import { type ClientText, isWhole } from '../database/dialect.js'
import type { Source } from '../database/source.js'
import type { Statement } from '../database/statement-cache.js'
import type { List } from '../lists/list.js'
import type { Traits } from './column-traits.js'
import type { Ids, Matches, PageOptions } from './page-options.js'
import { callerId, queriesOf, type SpanParameters } from './page-query.js'
import type { Span } from './paging.js'
import type { ListRequest } from './request.js'

export interface Statements {
  page(options: PageOptions): CompiledQuery<Row>
  total(matches?: Matches): CompiledQuery<Row>
  idsOf(side: keyof Matches, maxRows: number): CompiledQuery<Row> | undefined
}

export type StatementsFor = (
  source: Source,
  request: Pick<ListRequest, 'reach' | 'caller' | 'parameters'>,
  traits: Traits
) => Statements

interface Values {
  readonly texts: ReadonlyMap<string, string>
  readonly span?: Span
}

/** A placeholder among the parameters of a compiled statement. */
class Slot {
  constructor(readonly of: (values: Values) => unknown) {}
}

/** Only `formOf(text)` and `isWhole(text)` may change the SQL. */
const slot = (name: string, text: string): ClientText => ({
  text,
  parameter: (make = (text) => text) => sql`${new Slot(({ texts }) => make(String(texts.get(name))))}`
})

const spanSlots: SpanParameters = {
  skip: new Slot(({ span }) => span?.skip),
  take: new Slot(({ span }) => span?.take)
}

/** Every run needs a new `CompiledQuery`, because the `queryId` identifies a run. */
const bind = ({ sql, parameters }: Statement, values: Values): CompiledQuery<Row> =>
  CompiledQuery.raw(
    sql,
    parameters.map((parameter) => (parameter instanceof Slot ? parameter.of(values) : parameter))
  ) as CompiledQuery<Row>

export function statementsOf(list: List): StatementsFor {
  const seen = new WeakSet<Source>()

  return (source, request, traits) => {
    const { reach, caller, parameters } = request
    const { dialect } = source
    const texts = new Map([[callerId, caller.userId], ...Object.entries(parameters)])
    const queries = () => queriesOf({ list, request, traits, source, textOf: slot })
    // The first request caches nothing, because a host or `slowerSource` may create a source per request.
    const isCacheable = seen.has(source)
    seen.add(source)
    const forms = [...texts].map(([name, text]) => `${name} ${isWhole(text)} ${dialect.formOf(text)}`).join()
    const traitsKey = [...traits.caseSensitive, traits.plainIds, traits.plainRecordIds].join()
    const shapeOf = (...parts: (string | number | boolean | undefined)[]) =>
      isCacheable && !parts.includes(undefined)
        ? [list.records, reach, traitsKey, forms, ...parts].join('; ')
        : undefined

    return {
      page(options) {
        const { span, order, matches } = options
        const shape = shapeOf('page', span.backwards, order, ...shapesOf(matches))
        return bind(
          statementOf(source, shape, () => queries().page(options, spanSlots)),
          { texts, span }
        )
      },
      total(matches) {
        const shape = shapeOf('total', ...shapesOf(matches))
        return bind(
          statementOf(source, shape, () => queries().total(matches)),
          { texts }
        )
      },
      idsOf(side, maxRows) {
        if (list.search[side].length === 0) return undefined
        const shape = shapeOf('ids', side, maxRows)
        return bind(
          statementOf(source, shape, () => queries().idsOf(side, maxRows)),
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
function statementOf(source: Source, shape: string | undefined, build: () => RawBuilder<Row>): Statement {
  const version = shape === undefined ? undefined : source.version()
  const key = `${version}; ${shape}`
  const found = version === undefined ? undefined : source.cache.get(key)
  if (found) return found
  const { sql, parameters } = build().compile(source.db)
  // V8 keeps all parts of a concatenated string in memory until `trimStart` flattens the string.
  const statement = { sql: sql.trimStart(), parameters }
  // A plugin may have changed the tables during the compilation.
  if (version !== undefined && version === source.version()) source.cache.set(key, statement)
  return statement
}
