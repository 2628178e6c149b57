/** The host's database with its tables. */
import { createHash } from 'node:crypto'
import {
  CamelCasePlugin,
  ColumnNode,
  type Expression,
  type OperationNode,
  ReferenceNode,
  type SelectionNode,
  type SelectQueryNode,
  sql,
  TableNode,
  WithSchemaPlugin
} from 'kysely'
import type { Columns } from '../lists/columns.js'
import type { List } from '../lists/list.js'
import { people } from '../lists/people.js'
import type { AnyKysely, Dialect } from './dialect.js'
import { dialectOf } from './dialects/index.js'
import { keyOfStatement, type Statement } from './parameter.js'
import { type HostTables, type KyselyInstance, tableNamesOf } from './tables.js'

/** The host's database, for its lifetime. */
export interface Source {
  readonly dialect: Dialect
  /** Without plugins, which are already applied to the tables. */
  readonly db: AnyKysely
  readonly lists: readonly List[]
  /** The tables that the lists read. Leaves out `practitioners` where the users are the practitioners. */
  readonly names: readonly string[]
  /** The columns of a table. In a table that lists join, the first column is the id. */
  columns(name: string): Columns
  /**
   * The tables of this moment. A host's plugin may change the tables from request to request.
   *
   * @param names the same array for the same tables
   */
  now(names: readonly string[]): RequestTables
}

/** The tables, fixed for a request. */
export interface RequestTables {
  /** `users` or `(select … from …)`. */
  of(name: string): Expression<unknown>
  /** Identifies the database and the SQL of the tables, without the values of the parameters. */
  readonly shape: string
  /** Identifies also the values of the parameters. Undefined if a parameter is an object. */
  readonly version: string | undefined
}

/** A host's selects are long, and are parts of many cache keys. */
const shortened = (text: string): string => createHash('sha256').update(text).digest('base64')

let lastSource = 0

const steadyPlugins: readonly unknown[] = [CamelCasePlugin, WithSchemaPlugin]

/**
 * @param lists the lists that read the tables
 * @throws Failure when the database is not supported
 */
export function sourceOf(database: KyselyInstance, tables: HostTables, lists: readonly List[]): Source {
  const db = database as unknown as AnyKysely
  const dialect = dialectOf(db)
  const { plugins } = db.getExecutor()
  const standIn = (name: string): string =>
    name === 'practitioners' && tables.practitioners === undefined ? 'users' : name
  const names = [...new Set(tableNamesOf(lists).map(standIn))]
  const kinds: Readonly<Record<string, Columns>> = {
    ...people,
    ...Object.fromEntries(lists.map(({ name, columns }) => [name, columns]))
  }
  const kindsOf = (name: string) => kinds[standIn(name)] as Columns
  // These plugins give the same nodes to every request, so a request need not ask them.
  const isSteady = plugins.every((plugin) => steadyPlugins.some((steady) => plugin.constructor === steady))
  // The host's plugins (schema, tenant) apply here once. Around the statements of the lists, the plugins would rename
  // the columns of the lists.
  const tableFrom = (name: string): HostTable => {
    const table = tables[name]
    if (typeof table === 'object') return { select: table as unknown as Expression<unknown> }
    const columns = Object.keys(kindsOf(name))
    const select = db.selectFrom(table ?? name).select(columns)
    return { select: isSteady ? expressionOf(select.toOperationNode()) : select, columns }
  }
  const hostTables = new Map(names.map((name) => [name, tableFrom(name)]))
  const tableOf = (name: string) => hostTables.get(standIn(name)) as HostTable
  const bare = db.withoutPlugins()
  const id = String(++lastSource)
  const last = new WeakMap<readonly string[], { nodes: readonly OperationNode[]; tables: RequestTables }>()
  return {
    dialect,
    db: bare,
    lists,
    names,
    columns: kindsOf,
    now(names) {
      const used = [...new Set(names.map(tableOf))]
      const nodes = used.map(({ select }) => select.toOperationNode())
      const before = last.get(names)
      // Without plugins that create nodes, the nodes stay the same.
      if (before && areSame(nodes, before.nodes)) return before.tables
      const fixed = used.map(({ columns }, place) => {
        const node = nodes[place] as OperationNode
        return expressionOf((columns && tableIn(node, columns)) ?? node)
      })
      const of = (name: string) => fixed[used.indexOf(tableOf(name))] as Expression<unknown>
      const tables = { of, ...keysOf(bare, id, fixed) }
      last.set(names, { nodes, tables })
      return tables
    }
  }
}

// An arrow function in `now` would keep the tables of every request in memory, because `of` has the same closure.
const areSame = (nodes: readonly OperationNode[], others: readonly OperationNode[]): boolean =>
  nodes.every((node, place) => node === others[place])

interface HostTable {
  readonly select: Expression<unknown>
  /** The columns of a table that the host has named. */
  readonly columns?: readonly string[]
}

function keysOf(db: AnyKysely, id: string, tables: Expression<unknown>[]): Pick<RequestTables, 'shape' | 'version'> {
  const statements = tables.map((table) => statementOf(db, table))
  const parameters = statements.flatMap(({ parameters }) => parameters)
  const sql = JSON.stringify([id, ...statements.map(({ sql }) => sql)])
  // In `coalesce(user_id, ?)`, the type of the parameter decides the type of the column.
  const shape = shortened([sql, ...parameters.map((parameter) => typeof parameter)].join())
  if (parameters.length === 0) return { shape, version: shape }
  const key = keyOfStatement({ sql, parameters })
  return { shape, version: key && shortened(key) }
}

/** To compile a table takes longer than to read its name. A plugin makes new tables for each request. */
function statementOf(db: AnyKysely, table: Expression<unknown>): Statement {
  const node = table.toOperationNode()
  if (!TableNode.is(node)) return sql`${table}`.compile(db)
  const { schema, identifier } = node.table
  return { sql: JSON.stringify([schema?.name, identifier.name]), parameters: [] }
}

const expressionOf = (node: OperationNode): Expression<unknown> => ({
  expressionType: undefined,
  toOperationNode: () => node
})

/**
 * The table of a select that reads these columns of the table, and does nothing else. A plugin may have added a schema to
 * the table. A database plans `assessments` faster than `(select … from assessments)`.
 */
function tableIn(node: OperationNode, columns: readonly string[]): TableNode | undefined {
  // Kysely refuses a plugin that returns another kind of node.
  const { kind: _kind, from, selections = [], ...others } = node as SelectQueryNode
  const [table, ...joined] = from?.froms ?? []
  const isColumn = ({ selection }: SelectionNode, place: number) =>
    ReferenceNode.is(selection) && ColumnNode.is(selection.column) && selection.column.column.name === columns[place]
  // A plugin may hide columns.
  const hasColumns = selections.length === columns.length && selections.every(isColumn)
  const isPlain = hasColumns && Object.values(others).every((part) => part === undefined)
  return isPlain && joined.length === 0 && table && TableNode.is(table) ? table : undefined
}
