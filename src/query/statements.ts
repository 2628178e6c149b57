/**
 * Statements that are compiled once for each shape and run with the values of each request. Building a statement with
 * Kysely takes longer than anything else that Node.js does for a small page.
 */
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

/** The statements of a request. */
export interface Statements {
  page(options: PageOptions): CompiledQuery<Row>
  total(matches?: Matches): CompiledQuery<Row>
  /** None where no column is searched. */
  idsOf(side: keyof Matches, maxRows: number): CompiledQuery<Row> | undefined
}

/** Gives the statements of a request. */
export type StatementsFor = (
  source: Source,
  request: Pick<ListRequest, 'reach' | 'caller' | 'parameters'>,
  traits: Traits
) => Statements

/** The values of a request: its texts by name, and the span of the page. */
interface Values {
  readonly texts: ReadonlyMap<string, string>
  readonly span?: Span
}

/** The place of a value among the parameters of a compiled statement. */
class Slot {
  constructor(readonly of: (values: Values) => unknown) {}
}

/** A value that a compiled statement gets later. Only its form can change the SQL, see `Dialect.formOf`. */
const slot = (name: string, text: string): ClientText => ({
  text,
  parameter: (make = (text) => text) => sql`${new Slot(({ texts }) => make(String(texts.get(name))))}`
})

const spanSlots: SpanParameters = {
  skip: new Slot(({ span }) => span?.skip),
  take: new Slot(({ span }) => span?.take)
}

/** A new query each time: a driver tells the runs of a statement apart by its `queryId`. */
const bind = ({ sql, parameters }: Statement, values: Values): CompiledQuery<Row> =>
  CompiledQuery.raw(
    sql,
    parameters.map((parameter) => (parameter instanceof Slot ? parameter.of(values) : parameter))
  ) as CompiledQuery<Row>

export function statementsOf(list: List): StatementsFor {
  const met = new WeakSet<Source>()

  return (source, request, traits) => {
    const { reach, caller, parameters } = request
    const { dialect } = source
    const texts = new Map([[callerId, caller.userId], ...Object.entries(parameters)])
    const queries = () => queriesOf({ list, request, traits, source, textOf: slot })
    // Some hosts make a Kysely instance for each request. The slower sources of `slowerSource` are also made for each.
    const isKept = met.has(source)
    met.add(source)
    const forms = [...texts].map(([name, text]) => `${name} ${isWhole(text)} ${dialect.formOf(text)}`).join()
    const known = [...traits.countingCase, traits.plainIds, traits.plainRecordIds].join()
    const shapeOf = (...parts: (string | number | boolean | undefined)[]) =>
      isKept && !parts.includes(undefined) ? [list.records, reach, known, forms, ...parts].join('; ') : undefined

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

/** A statement with inlined ids is of no use to another request. */
const shapesOf = (matches: Matches | undefined) =>
  matches ? [shapeOfIds(matches.users), shapeOfIds(matches.records)] : []
const shapeOfIds = (ids: Ids) => (ids === 'many' || ids.length === 0 ? String(ids) : undefined)

/**
 * Gives a compiled statement. A kept statement is used only while its shape and the nodes of all tables are the same:
 * a Kysely plugin of the host may change the nodes for each request.
 *
 * @param shape everything that the statement depends on beside the tables. None for a statement that is not kept
 */
function statementOf(source: Source, shape: string | undefined, build: () => RawBuilder<Row>): Statement {
  const version = shape === undefined ? undefined : source.version()
  const key = `${version}; ${shape}`
  const found = version === undefined ? undefined : source.cache.get(key)
  if (found) return found
  const { sql, parameters } = build().compile(source.db)
  // Kysely concatenates pieces. V8 keeps all pieces until the text is flattened, which trimStart does.
  const statement = { sql: sql.trimStart(), parameters }
  // A plugin may have changed the tables while the statement was compiled.
  if (version !== undefined && version === source.version()) source.cache.set(key, statement)
  return statement
}
