/**
 * The host's database with its tables. Only this file casts the host's Kysely instance. The other files see the instance
 * as a `Database`.
 */
import type { FastifyRequest } from 'fastify'
import { type Expression, type FromNode, type Kysely, type SelectQueryBuilder, TableNode } from 'kysely'
import { Failure } from '../errors/failure.js'
import type { Dialect } from './dialect.js'
import { dialectOf } from './dialects/index.js'
import { type StatementCache, statementCache } from './statement-cache.js'
import {
  columnsOf,
  type Database,
  notDatabase,
  type TableName,
  type Tables,
  type TablesOf,
  tableNames,
  tablesRule
} from './tables.js'

/** Any table with any columns: the type parameter of the host's Kysely is not known here. */
type AnyTables = Record<string, Record<string, unknown>>

/** A host's database, ready to be asked. */
export interface Source {
  readonly dialect: Dialect
  /** The host's Kysely without its plugins. The plugins have changed the nodes of `table`. */
  readonly db: Kysely<AnyTables>
  /** The tables of the host, and the default tables. Without `practitioners` the users are the practitioners. */
  readonly names: readonly TableName[]
  /** The SQL of a table: its name, or `(select … from …)` as the host or its plugins make it. */
  table(name: TableName): Expression<unknown>
  /** The columns of a table. Other tables refer to a table by its first column. */
  columns(name: TableName): readonly string[]
  /** No other source has this number. */
  readonly id: number
  /**
   * Names what stands for the tables now. No other source has the same text, and this one has it again only for
   * the very same nodes. None where a plugin makes new nodes each time: then nothing can be found again.
   */
  version(): string | undefined
  /** The memory for this source's statements. The sources of a registration share it. */
  readonly cache: StatementCache
  /**
   * The host's instance, when two equal statements on it surely read the same data; none where it
   * carries plugins, which may send each request elsewhere.
   */
  readonly shareable: object | undefined
}

/** Numbers for objects. A number keeps no object in memory and never comes again. */
const ids = new WeakMap<object, number>()
let lastId = 0

function idOf(object: object): number {
  const id = ids.get(object) ?? ++lastId
  ids.set(object, id)
  return id
}

/** The tables as a host gives them: of one instance, or made from each one. */
export type GivenTables = Tables | TablesOf<never>

/**
 * Looks at a host's database through its tables.
 *
 * @throws Failure when the kind of database is not supported, or when the tables' function returns something else.
 */
export function sourceOf(database: Database, given: GivenTables, cache = statementCache()): Source {
  const db = database as unknown as Kysely<AnyTables>
  const dialect = dialectOf(db)
  const { plugins } = db.getExecutor()
  const tables = tablesFor(database, given)
  // A name goes through the host's own instance, so that its plugins (schema, tenant) apply to it once.
  // The queries around it run without them: they would act twice, and rename our columns.
  const selectOf = (name: TableName): Expression<unknown> => {
    const given = tables[name]
    if (typeof given === 'object') return given as unknown as SelectQueryBuilder<AnyTables, string, unknown>
    const select = db.selectFrom(given ?? name).select([...columnsOf[name]])
    return plugins.length === 0 ? tableOf(select) : select
  }
  const standIn = (name: TableName): TableName =>
    name === 'practitioners' && tables.practitioners === undefined ? 'users' : name
  const selects = new Map(tableNames.map((name) => [name, selectOf(standIn(name))]))
  const all = [...selects.values()]
  /** Whether the tables stand for the very same nodes now. */
  const standFor = (nodes: object[]) => all.every((select, place) => select.toOperationNode() === nodes[place])
  const id = ++lastId
  let last: { nodes: object[]; version: string } = { nodes: [], version: '' }
  return {
    dialect,
    db: db.withoutPlugins(),
    names: tableNames.filter((name) => standIn(name) === name),
    table: (name) => selects.get(name) as Expression<unknown>,
    columns: (name) => columnsOf[standIn(name)],
    id,
    version() {
      if (standFor(last.nodes)) return last.version
      const nodes = all.map((select) => select.toOperationNode())
      if (!standFor(nodes)) return undefined
      last = { nodes, version: [id, ...nodes.map(idOf)].join(' ') }
      return last.version
    },
    cache,
    shareable: plugins.length === 0 ? database : undefined
  }
}

/** The table itself, which a database plans sooner than a select of its columns: `assessments`. */
function tableOf(select: SelectQueryBuilder<AnyTables, string, unknown>): Expression<unknown> {
  const [table] = (select.toOperationNode().from as FromNode).froms
  return table && TableNode.is(table) ? { expressionType: undefined, toOperationNode: () => table } : select
}

function tablesFor(database: Database, given: GivenTables): Tables {
  if (typeof given === 'object') return given
  const tables: unknown = (given as TablesOf)(database)
  const problem = tablesRule.validate(tables)
  if (problem) {
    const text = `The function 'tables' must return ${tablesRule.expected}; it returned ${problem}.`
    throw new Failure('internal', text)
  }
  // the host may use its object again
  return { ...(tables as Tables) }
}

/** Gives the source of the host's database for a request. */
export type SourceOf = (request: FastifyRequest) => Source

/** The host's database or databases, and its tables. */
export interface Given {
  db: Database | ((request: FastifyRequest) => Database)
  tables: GivenTables
}

export interface Sources {
  readonly of: SourceOf
  /** The only one there is; none where the host gives a database for each request. */
  readonly only: Source | undefined
}

/** @throws TypeError when the tables are selects of one instance, but there is an instance for each request. */
export function sourcesOf({ db, tables }: Given): Sources {
  const cache = statementCache()
  if (typeof db === 'object') {
    const only = sourceOf(db, tables, cache)
    return { only, of: () => only }
  }
  const select = Object.entries(tables).find(([, table]) => typeof table === 'object')?.[0]
  if (select) {
    throw new TypeError(
      `Option 'tables': '${select}' is a select of one Kysely instance, but 'db' is a function that gives an instance ` +
        `for each request. Make the selects from that instance: tables: (db) => ({ ${select}: db.selectFrom(…) }).`
    )
  }
  const sources = new WeakMap<Database, Source>()
  const of: SourceOf = (request) => {
    const database: unknown = db(request)
    const problem = notDatabase(database)
    if (problem) {
      const text = `The function 'db' must return a Kysely instance, and must not be async; it returned ${problem}.`
      throw new Failure('internal', text)
    }
    const source = sources.get(database as Database) ?? sourceOf(database as Database, tables, cache)
    sources.set(database as Database, source)
    return source
  }
  return { of, only: undefined }
}
