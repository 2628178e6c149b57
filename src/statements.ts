/**
 * Statements that are compiled once for each shape and run with the values of each request: to build one
 * with Kysely takes longer than anything else that Node does for a small page.
 */
import { type CompiledQuery, createQueryId, type RawBuilder, sql } from 'kysely'
import { type ClientText, type Dialect, isWhole } from './dialect.js'
import { planOf, type Reading, type Row, type Way } from './plan.js'
import type { Parameters } from './query.js'
import type { Ids, Matches } from './search.js'
import type { Source } from './source.js'
import type { Traits } from './traits.js'
import type { Reach } from './visibility.js'

/** What a request asks, as far as its statements depend on it. */
export interface Asking {
  readonly reach: Reach
  readonly userId: string
  /** Without `page` and `limit`. */
  readonly parameters: Parameters
  readonly traits: Traits
}

/** A plan's statements with the values of one request. */
export interface Statements {
  page(way: Way): CompiledQuery<Row>
  total(matches?: Matches): CompiledQuery<Row>
  /** None where no column is searched. */
  idsOf(side: keyof Matches, most: number): CompiledQuery<Row> | undefined
}

/** Gives the statements for a list in a source, by a dialect that need not be the source's own. */
export type StatementsFor = (source: Source, dialect: Dialect, asking: Asking) => Statements

/** The values of a request by name. */
type Values = ReadonlyMap<string, string>

/** The name of the caller's id among them, which no parameter has. */
const caller = 'user id'

/** Where a value stands among the parameters of a compiled statement. */
class Slot {
  constructor(readonly of: (values: Values) => unknown) {}
}

/** A value of which only the form may decide how the statement looks, see `Dialect.formOf`. */
const slot = (name: string, text: string): ClientText => ({
  text,
  parameter: (make = (text) => text) => sql`${new Slot((values) => make(String(values.get(name))))}`
})

const bind = <Result>(statement: CompiledQuery<Result>, values: Values): CompiledQuery<Result> => ({
  ...statement,
  // a driver tells the runs of a statement apart by it
  queryId: createQueryId(),
  parameters: statement.parameters.map((parameter) => (parameter instanceof Slot ? parameter.of(values) : parameter))
})

export function statementsOf(list: Reading): StatementsFor {
  const compilers = keptStatements()

  return (source, dialect, { reach, userId, parameters, traits }) => {
    const values = new Map([[caller, userId]])
    for (const [name, value] of Object.entries(parameters)) values.set(name, String(value))
    const planned = () => {
      const slots = new Map([...values].map(([name, text]) => [name, slot(name, text)]))
      return planOf(list, { reach, userId: slot(caller, userId), parameters: slots, traits }, source, dialect)
    }
    const compile = compilers(source, traits)
    const forms = [...values].map(([name, text]) => `${name} ${isWhole(text)} ${dialect.formOf(text)}`).join()
    const shape = (...parts: (string | number | boolean | undefined)[]) =>
      // a dialect for what is seldom asked is made anew each time
      dialect !== source.dialect || parts.includes(undefined) ? undefined : [reach, forms, ...parts].join('; ')
    const bound = (shape: string | undefined, build: () => RawBuilder<Row>) => bind(compile(shape, build), values)

    return {
      page(way) {
        const { span, order, matches } = way
        const key = shape('page', span.skip, span.take, span.backwards, order, ...shapesOf(matches))
        return bound(key, () => planned().page(way))
      },
      total: (matches) => bound(shape('total', ...shapesOf(matches)), () => planned().total(matches)),
      idsOf(side, most) {
        return list.search[side].length > 0
          ? bound(shape('ids', side, most), () => planned().idsOf(side, most))
          : undefined
      }
    }
  }
}

/** Ids that are named in a statement make it one that nobody else needs. */
const shapesOf = (matches: Matches | undefined) => (matches ? [shapeOf(matches.users), shapeOf(matches.records)] : [])
const shapeOf = (ids: Ids) => (ids === 'many' || ids.length === 0 ? String(ids) : undefined)

/**
 * Gives a statement, compiled before where its shape, and what stands for each relation, is the very same:
 * a plugin of the host's may make another statement of it for each request.
 *
 * @param shape all that the statement depends on beside the relations; none for one that nobody else needs
 */
type Compile = (shape: string | undefined, build: () => RawBuilder<Row>) => CompiledQuery<Row>

/** So many are kept of one source: pages far in the list are many, and seldom asked for again. */
const most = 1000

/** @returns the statements of a source, as long as its traits hold */
function keptStatements(): (source: Source, traits: Traits) => Compile {
  const kept = new WeakMap<Traits, Map<string, { nodes: object[]; statement: CompiledQuery<Row> }>>()
  return (source, traits) => {
    const statements = kept.get(traits) ?? new Map()
    kept.set(traits, statements)
    return (shape, build) => {
      if (shape === undefined) return build().compile(source.db)
      const nodes = source.nodes()
      const found = statements.get(shape)
      if (found?.nodes.every((node: object, place: number) => node === nodes[place])) return found.statement
      const statement = build().compile(source.db)
      if (statements.size >= most) statements.clear()
      statements.set(shape, { nodes, statement })
      return statement
    }
  }
}
