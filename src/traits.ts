/**
 * What must be known of a database's columns before a query can be built. Most columns ignore the case of
 * letters and most ids are whole numbers, for which the plainest SQL is right and fastest; a case-sensitive
 * or Turkish collation needs more to find `jane` in `JANE` (contract B7), and ids as text more than `=` not
 * to take `abc` for `ABC`.
 */
import { type RawBuilder, sql } from 'kysely'
import { failureOf } from './errors.js'
import { aliasesOf, type Reading, type Row } from './plan.js'
import { columnsOf } from './relations.js'
import { searchedColumns } from './search.js'
import { textOf } from './send.js'
import type { Source } from './source.js'

export interface Traits {
  /** The searched columns, as `u.email`, whose collation counts the case of letters. */
  readonly countingCase: ReadonlySet<string>
  /** Whether `=` tells all ids of people apart: they are all exact numbers. */
  readonly plainIds: boolean
  /** The same of the records' ids. */
  readonly plainRecordIds: boolean
}

/** For plans that nobody runs: ids of any kind, and letters as each collation has them. */
export const unknownTraits: Traits = { countingCase: new Set(), plainIds: false, plainRecordIds: false }

/** Runs a query of the source. */
export type Run = (query: RawBuilder<Row>) => Promise<Row[]>

/** Gives the traits. A source is asked once a minute, since its tables may change while the server runs. */
export type TraitsOf = (source: Source, run: Run) => Promise<Traits>

/** What is known of a source. */
interface Known {
  /** What stood for the relations when it was asked last, and that as SQL: plugins may lead each request elsewhere. */
  nodes: object[]
  tables: string
  /** By the tables; those that were learnt first come first. */
  readonly traits: Map<string, { traits: Traits; until: number }>
}

/** @param most so many tenants' tables are known at a time: each has statements of its own */
export function traitsOf(list: Reading, lifetime = 60_000, most = 500): TraitsOf {
  const { records, search } = list
  const known = new WeakMap<Source, Known>()
  const relations = Object.entries(aliasesOf(list))
  const searched = searchedColumns(search).flat()
  const recordId = `r.${columnsOf[records][0]}`

  // what is under way is not shared: it would end with the time of the request that began it
  return async (source, run) => {
    const knownOf: Known = known.get(source) ?? { nodes: [], tables: '', traits: new Map() }
    known.set(source, knownOf)
    const nodes = source.nodes()
    if (nodes.some((node, place) => node !== knownOf.nodes[place])) {
      Object.assign(knownOf, { nodes, tables: from(source).compile(source.db).sql })
    }
    const { tables } = knownOf
    const learnt = knownOf.traits.get(tables)
    if (learnt && performance.now() < learnt.until) return learnt.traits
    const traits = await ask(source, run)
    knownOf.traits.delete(tables)
    knownOf.traits.set(tables, { traits, until: performance.now() + lifetime })
    const [first] = knownOf.traits.keys()
    if (first !== undefined && knownOf.traits.size > most) knownOf.traits.delete(first)
    return traits
  }

  /**
   * `from (select 1 as one) as one left join (select x.user_id, … from users as x limit 0) as u on 1 = 1 …`: the
   * columns but no row, and none is read. (With `on 1 = 0` instead, MariaDB reads every table from end to end.)
   * The columns by name: an account may not be allowed to read others.
   */
  function from({ relation, columns }: Source) {
    const joins = relations.map(([alias, name]) => {
      const cells = sql.join(columns(name).map((column) => sql.ref(`x.${column}`)))
      return sql`left join (select ${cells} from ${relation(name)} as x limit 0) as ${sql.id(alias)} on 1 = 1`
    })
    return sql`from (select 1 as one) as one ${sql.join(joins, sql` `)}`
  }

  async function ask(source: Source, run: Run): Promise<Traits> {
    const { letterCase, isExactNumber } = source.dialect
    const columns = from(source)
    /** What holds of each column. */
    const read = async (names: string[], holds: ((column: RawBuilder<unknown>) => RawBuilder<boolean>) | undefined) => {
      if (!holds) return new Map<string, undefined>()
      const cells = names.map((name) => sql`${holds(sql.ref(name))} as ${sql.id(name)}`)
      const [row] = await run(sql<Row>`select ${sql.join(cells)} ${columns}`)
      return new Map(names.map((name) => [name, truthOf(row?.[name])]))
    }
    const ids = relations.flatMap(([alias, relation]) =>
      source
        .columns(relation)
        .filter(isId)
        .map((column) => `${alias}.${column}`)
    )
    const counts = await read(searched, letterCase?.counts)
    const numbers = await read(ids, isExactNumber).catch((error): Map<string, undefined> => {
      // MariaDB cannot even compute with an id of a type like UUID
      if (failureOf(error).kind === 'internal') return new Map()
      throw error
    })
    return {
      // an answer that the driver has garbled counts: then more is looked for, never less
      countingCase: new Set(searched.filter((name) => counts.get(name) !== false)),
      // a record's own id meets only itself
      plainIds: ids.every((name) => name === recordId || numbers.get(name) === true),
      plainRecordIds: numbers.get(recordId) === true
    }
  }
}

const isId = (column: string) => column.endsWith('_id')

/** Drivers give 1, '1', a Buffer or true. */
const truthOf = (cell: unknown): boolean | undefined =>
  new Map([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false]
  ]).get(textOf(cell) ?? '')
