/** The host's database with its tables. */
import type { FastifyRequest } from 'fastify'
import { type Expression, type FromNode, type Kysely, type SelectQueryBuilder, TableNode } from 'kysely'
import { InvalidOption } from '../errors/boot-error.js'
import { call } from '../errors/callbacks.js'
import { Failure } from '../errors/failure.js'
import type { Dialect } from './dialect.js'
import { dialectOf } from './dialects/index.js'
import {
  columnsOf,
  type Database,
  idsOf,
  notDatabase,
  type TableName,
  type Tables,
  type TablesOf,
  tableNames,
  tablesRule
} from './tables.js'

type AnyTables = Record<string, Record<string, unknown>>

export interface Source {
  readonly dialect: Dialect
  /** Without plugins, which are already applied to `table`. */
  readonly db: Kysely<AnyTables>
  /** Leaves out `practitioners` where the users are the practitioners. */
  readonly names: readonly TableName[]
  /** `users` or `(select … from …)`. */
  table(name: TableName): Expression<unknown>
  columns(name: TableName): readonly string[]
  /** The columns that hold ids. */
  ids(name: TableName): readonly string[]
  /** Unique in the process. */
  readonly id: number
  /** Identifies the source and the current nodes of its tables. Undefined where a plugin makes new nodes each time. */
  version(): string | undefined
  /** Equal statements share results by this key. Undefined with plugins, which may send each request elsewhere. */
  readonly shareable: object | undefined
  /** Whether `db` is a connection with a snapshot (`inSnapshot`). */
  readonly isSnapshot?: boolean
}

/** A number keeps no object in memory, and is never reused. */
const ids = new WeakMap<object, number>()
let lastId = 0

function idOf(object: object): number {
  const id = ids.get(object) ?? ++lastId
  ids.set(object, id)
  return id
}

export type TablesOption = Tables | TablesOf<never>

/** @throws Failure when the database is not supported, or when the function `tables` returns something else. */
export function sourceOf(database: Database, tablesOption: TablesOption): Source {
  const db = database as unknown as Kysely<AnyTables>
  const dialect = dialectOf(db)
  const { plugins } = db.getExecutor()
  const tables = tablesFor(database, tablesOption)
  // The host's plugins (schema, tenant) apply here once. Around the statements of the lists, the plugins would rename the columns of the lists.
  const selectOf = (name: TableName): Expression<unknown> => {
    const table = tables[name]
    if (typeof table === 'object') return table as unknown as SelectQueryBuilder<AnyTables, string, unknown>
    const select = db.selectFrom(table ?? name).select([...columnsOf[name]])
    return plugins.length === 0 ? tableOf(select) : select
  }
  const standIn = (name: TableName): TableName =>
    name === 'practitioners' && tables.practitioners === undefined ? 'users' : name
  const selects = new Map(tableNames.map((name) => [name, selectOf(standIn(name))]))
  const all = [...selects.values()]
  const areCurrent = (nodes: object[]) => all.every((select, place) => select.toOperationNode() === nodes[place])
  const id = ++lastId
  let last: { nodes: object[]; version: string } = { nodes: [], version: '' }
  return {
    dialect,
    db: db.withoutPlugins(),
    names: tableNames.filter((name) => standIn(name) === name),
    table: (name) => selects.get(name) as Expression<unknown>,
    columns: (name) => columnsOf[standIn(name)],
    ids: (name) => idsOf[standIn(name)],
    id,
    version() {
      if (areCurrent(last.nodes)) return last.version
      const nodes = all.map((select) => select.toOperationNode())
      if (!areCurrent(nodes)) return undefined
      last = { nodes, version: [id, ...nodes.map(idOf)].join(' ') }
      return last.version
    },
    shareable: plugins.length === 0 ? database : undefined
  }
}

/** A database plans `assessments` faster than `(select … from assessments)`. */
function tableOf(select: SelectQueryBuilder<AnyTables, string, unknown>): Expression<unknown> {
  const [table] = (select.toOperationNode().from as FromNode).froms
  return table && TableNode.is(table) ? { expressionType: undefined, toOperationNode: () => table } : select
}

function tablesFor(database: Database, tablesOption: TablesOption): Tables {
  if (typeof tablesOption === 'object') return tablesOption
  const tables: unknown = call('tables', () => (tablesOption as TablesOf)(database))
  const problem = tablesRule.validate(tables)
  if (problem) {
    const text = `The function 'tables' must return ${tablesRule.expected}; it returned ${problem}.`
    throw new Failure('internal', text, { callback: 'tables' })
  }
  // The host may change the object later.
  return { ...(tables as Tables) }
}

export type SourceOf = (request: FastifyRequest) => Source

export interface SourceOptions {
  db: Database | ((request: FastifyRequest) => Database)
  tables: TablesOption
}

export interface Sources {
  readonly of: SourceOf
  /** Undefined where the host gives a database for each request. */
  readonly only: Source | undefined
}

/** The errors of a request have no code. */
function sourceAtBoot(database: Database, tables: TablesOption): Source {
  try {
    return sourceOf(database, tables)
  } catch (error) {
    throw error instanceof Failure ? new InvalidOption(error.message) : error
  }
}

/** @throws TypeError when `tables` holds a select and `db` is a function. */
export function sourcesOf({ db, tables }: SourceOptions): Sources {
  if (typeof db === 'object') {
    const only = sourceAtBoot(db, tables)
    return { only, of: () => only }
  }
  const select = Object.entries(tables).find(([, table]) => typeof table === 'object')?.[0]
  if (select) {
    throw new InvalidOption(
      `Option 'tables': '${select}' is a select of one Kysely instance, but 'db' is a function that gives an instance ` +
        `for each request. Make the selects from that instance: tables: (db) => ({ ${select}: db.selectFrom(…) }).`
    )
  }
  const sources = new WeakMap<Database, Source>()
  const of: SourceOf = (request) => {
    const database: unknown = call('db', () => db(request))
    const problem = notDatabase(database)
    if (problem) {
      const text = `The function 'db' must return a Kysely instance, and must not be async; it returned ${problem}.`
      throw new Failure('internal', text, { callback: 'db' })
    }
    const source = sources.get(database as Database) ?? sourceOf(database as Database, tables)
    sources.set(database as Database, source)
    return source
  }
  return { of, only: undefined }
}
