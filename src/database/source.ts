/** The host's database with its tables. */
import { type Expression, type FromNode, type OperationNode, type SelectQueryBuilder, sql, TableNode } from 'kysely'
import { LRUCache } from 'lru-cache'
import { call } from '../errors/callbacks.js'
import { Failure } from '../errors/failure.js'
import type { AnyKysely, Dialect } from './dialect.js'
import { dialectOf } from './dialects/index.js'
import { keyOfStatement } from './parameter.js'
import {
  columnsOf,
  type Database,
  type TableName,
  type Tables,
  type TablesOf,
  tableNames,
  tablesRule
} from './tables.js'

/** The host's database, for its lifetime. */
export interface Source {
  readonly dialect: Dialect
  /** Without plugins, which are already applied to the tables. */
  readonly db: AnyKysely
  /** Leaves out `practitioners` where the users are the practitioners. */
  readonly names: readonly TableName[]
  columns(name: TableName): readonly string[]
  /** The tables of this moment. A host's plugin may change the tables from request to request. */
  now(): RequestTables
  /** Equal statements share results by this key. Undefined with plugins, which may send each request elsewhere. */
  readonly shareable: object | undefined
}

/** The tables, fixed for a request. */
export interface RequestTables {
  /** `users` or `(select … from …)`. */
  of(name: TableName): Expression<unknown>
  /** Identifies the database and the SQL of the tables, without the values of the parameters. */
  readonly shape: string
  /** Identifies the SQL and the parameters of the tables. Undefined if a parameter is an object. */
  readonly version: string | undefined
}

/** Short names for long texts, which are parts of many cache keys. A name is never reused. */
const shortNames = new LRUCache<string, string>({
  // Estimated bytes. Large selects with other parameters for each request would fill the memory.
  maxSize: 4_000_000,
  sizeCalculation: (name, text) => name.length + text.length
})
let lastName = 0

function nameOf(text: string): string {
  const name = shortNames.get(text) ?? String(++lastName)
  shortNames.set(text, name)
  return name
}

/** Shows how an instance writes names and parameters. A host may change the compiler of a dialect. */
const everyColumn = sql`${sql.join(
  Object.values(columnsOf)
    .flat()
    .map((name) => sql.ref(name))
)} = ${1}`

export type TablesOption = Tables | TablesOf<never>

/** @throws Failure when the database is not supported, or when the function `tables` returns something else. */
export function sourceOf(database: Database, tablesOption: TablesOption): Source {
  const db = database as unknown as AnyKysely
  const dialect = dialectOf(db)
  const { plugins } = db.getExecutor()
  const tables = tablesFor(database, tablesOption)
  // The host's plugins (schema, tenant) apply here once. Around the statements of the lists, the plugins would rename the columns of the lists.
  const selectOf = (name: TableName): Expression<unknown> => {
    const table = tables[name]
    if (typeof table === 'object') return table as unknown as SelectQueryBuilder<never, never, unknown>
    const select = db.selectFrom(table ?? name).select([...columnsOf[name]])
    return plugins.length === 0 ? withoutSelect(select) : select
  }
  const standIn = (name: TableName): TableName =>
    name === 'practitioners' && tables.practitioners === undefined ? 'users' : name
  const selects = tableNames.map((name) => selectOf(standIn(name)))
  const names = tableNames.filter((name) => standIn(name) === name)
  const bare = db.withoutPlugins()
  const kind = [dialect.name, names, everyColumn.compile(bare).sql].join(' ')
  const id = ++lastName
  let last: { nodes: readonly OperationNode[]; tables: RequestTables } | undefined
  return {
    dialect,
    db: bare,
    names,
    columns: (name) => columnsOf[standIn(name)],
    now() {
      const nodes = selects.map((select) => select.toOperationNode())
      // Without plugins that create nodes, the nodes stay the same.
      if (!last || nodes.some((node, place) => node !== last?.nodes[place])) {
        last = { nodes, tables: requestTables(bare, id, kind, nodes) }
      }
      return last.tables
    },
    shareable: plugins.length === 0 ? database : undefined
  }
}

function requestTables(db: AnyKysely, id: number, kind: string, nodes: readonly OperationNode[]): RequestTables {
  const tables = new Map(nodes.map((node, place) => [tableNames[place], expressionOf(node)]))
  const statement = sql`${sql.join([...tables.values()])}`.compile(db)
  const key = keyOfStatement(statement)
  // In `coalesce(user_id, ?)`, the type of the parameter decides the type of the column.
  const types = statement.parameters.map((parameter) => typeof parameter)
  return {
    of: (name) => tables.get(name) as Expression<unknown>,
    shape: `${id} ${nameOf([statement.sql, ...types].join())}`,
    version: key === undefined ? undefined : nameOf(`${kind} ${key}`)
  }
}

const expressionOf = (node: OperationNode): Expression<unknown> => ({
  expressionType: undefined,
  toOperationNode: () => node
})

/** A database plans `assessments` faster than `(select … from assessments)`. */
function withoutSelect(select: Expression<unknown>): Expression<unknown> {
  const [table] = ((select.toOperationNode() as { from?: FromNode }).from as FromNode).froms
  return table && TableNode.is(table) ? expressionOf(table) : select
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
