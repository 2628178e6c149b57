/** The host's database with its tables. */
import { createHash } from 'node:crypto'
import {
  AliasNode,
  CamelCasePlugin,
  ColumnNode,
  type Expression,
  IdentifierNode,
  type OperationNode,
  ReferenceNode,
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
  /** The columns of a table. */
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
  /** `users`, `members` or `(select … from …)`. */
  of(name: string): Expression<unknown>
  /** The name that a column has there: `mail` for `email`, where the host's select only names columns of one table. */
  column(name: string, column: string): string
  /** These names of all columns that the lists read from a table. */
  columns(name: string): string[]
  /** The table with the columns of the lists: `users`, or the host's select. */
  select(name: string): Expression<unknown>
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
  const selectFrom = (name: string): Expression<unknown> => {
    const table = tables[name]
    if (typeof table === 'object') return table as unknown as Expression<unknown>
    const select = db.selectFrom(table ?? name).select(Object.keys(kindsOf(name)))
    return isSteady ? expressionOf(select.toOperationNode()) : select
  }
  const hostTables = new Map(names.map((name) => [name, selectFrom(name)]))
  const tableOf = (name: string) => hostTables.get(standIn(name)) as Expression<unknown>
  const neededOf = (table: Expression<unknown>) =>
    names.filter((name) => hostTables.get(name) === table).flatMap((name) => Object.keys(kindsOf(name)))
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
      const nodes = used.map((table) => table.toOperationNode())
      const before = last.get(names)
      // Without plugins that create nodes, the nodes stay the same.
      if (before && areSame(nodes, before.nodes)) return before.tables
      const fixed = used.map((table, place) => fixedTable(nodes[place] as OperationNode, neededOf(table)))
      const fixedOf = (name: string) => fixed[used.indexOf(tableOf(name))] as FixedTable
      const tables: RequestTables = {
        of: (name) => fixedOf(name).table,
        column(name, column) {
          const own = standIn(name) === name ? column : ofUsers(column)
          return fixedOf(name).names?.get(own) ?? own
        },
        columns: (name) => [...new Set(Object.keys(kindsOf(name)).map((column) => tables.column(name, column)))],
        select: (name) => fixedOf(name).select,
        ...keysOf(bare, id, fixed)
      }
      last.set(names, { nodes, tables })
      return tables
    }
  }
}

/** The users can stand in for the practitioners. */
const ofUsers = (column: string) => (column === 'practitioner_id' ? 'user_id' : column)

// An arrow function in `now` would keep the tables of every request in memory, because `of` has the same closure.
const areSame = (nodes: readonly OperationNode[], others: readonly OperationNode[]): boolean =>
  nodes.every((node, place) => node === others[place])

interface FixedTable {
  readonly table: Expression<unknown>
  readonly select: Expression<unknown>
  /** The names in the table by the names in the select. Undefined for a select that does more than to name columns. */
  readonly names: ReadonlyMap<string, string> | undefined
}

function keysOf(db: AnyKysely, id: string, tables: readonly FixedTable[]): Pick<RequestTables, 'shape' | 'version'> {
  const statements = tables.map((table) => statementOf(db, table))
  const parameters = statements.flatMap(({ parameters }) => parameters)
  const sql = JSON.stringify([id, ...statements.map(({ sql }) => sql)])
  // In `coalesce(user_id, ?)`, the type of the parameter decides the type of the column.
  const shape = shortened([sql, ...parameters.map((parameter) => typeof parameter)].join())
  if (parameters.length === 0) return { shape, version: shape }
  const key = keyOfStatement({ sql, parameters })
  return { shape, version: key && shortened(key) }
}

/** To compile a table takes longer than to read its names. A plugin makes new tables for each request. */
function statementOf(db: AnyKysely, { table, names }: FixedTable): Statement {
  if (!names) return sql`${table}`.compile(db)
  const { schema, identifier } = (table.toOperationNode() as TableNode).table
  return { sql: JSON.stringify([schema?.name, identifier.name, ...names]), parameters: [] }
}

const expressionOf = (node: OperationNode): Expression<unknown> => ({
  expressionType: undefined,
  toOperationNode: () => node
})

/**
 * A select that does nothing but name columns of one table is read as the table: `members as u` with `u.mail`, and not
 * `(select mail as email from members) as u`. The databases plan it faster, and a slow log shows it shorter.
 *
 * @param needed the columns that the lists read. A plugin may hide some of them
 */
function fixedTable(node: OperationNode, needed: readonly string[]): FixedTable {
  const select = expressionOf(node)
  // Kysely refuses a plugin that returns another kind of node.
  const { kind: _kind, from, selections = [], ...others } = node as SelectQueryNode
  const [source, ...joined] = from?.froms ?? []
  const table = source && AliasNode.is(source) ? source.node : source
  const pairs = selections.map(({ selection }) => pairOf(selection))
  const names = new Map(pairs.filter((pair) => pair !== undefined))
  const isNaming =
    table !== undefined &&
    TableNode.is(table) &&
    joined.length === 0 &&
    names.size === selections.length &&
    needed.every((name) => names.has(name)) &&
    Object.values(others).every((part) => part === undefined)
  if (!isNaming) return { table: select, select, names: undefined }
  const isRenamed = [...names].some(([name, column]) => name !== column)
  return { table: expressionOf(table), select: isRenamed ? select : expressionOf(table), names }
}

/** `mail as email` is `['email', 'mail']`. Undefined for what is no column. */
function pairOf(selection: OperationNode): [name: string, column: string] | undefined {
  const [reference, alias] = AliasNode.is(selection) ? [selection.node, selection.alias] : [selection, undefined]
  if (!ReferenceNode.is(reference) || !ColumnNode.is(reference.column)) return undefined
  const column = reference.column.column.name
  if (alias === undefined) return [column, column]
  return IdentifierNode.is(alias) ? [alias.name, column] : undefined
}
