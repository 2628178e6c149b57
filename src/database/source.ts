/** The host's database with its tables. */
import { createHash } from 'node:crypto'
import { CamelCasePlugin, type Expression, type OperationNode, sql, type TableNode, WithSchemaPlugin } from 'kysely'
import type { AnyKysely, Dialect } from './dialect.js'
import { dialectOf } from './dialects/index.js'
import { expressionOf, type FixedTable, fixedTable } from './fixed-table.js'
import { keyOfStatement, type Statement } from './parameter.js'
import type { HostTables, KyselyInstance } from './tables.js'

/** What is read of the host's tables. */
export interface ReadTables {
  readonly names: readonly string[]
  /** The columns of every table by its name, the users and the practitioners among them. */
  readonly columns: Readonly<Record<string, object>>
}

/** The host's database, for its lifetime. */
export interface Source {
  readonly dialect: Dialect
  /** Without plugins, which are already applied to the tables. */
  readonly db: AnyKysely
  /** The tables that the lists read. Leaves out `practitioners` where the users are the practitioners. */
  readonly names: readonly string[]
  /**
   * The tables of this moment. A host's plugin may change the tables from request to request.
   *
   * @param wanted the names of tables, in the same array for the same tables
   */
  now(wanted: readonly string[]): RequestTables
}

/** The tables, fixed for a request. */
export interface RequestTables {
  /** `users`, `members` or `(select … from …)`. */
  of(name: string): Expression<unknown>
  /** The name that a column has there: `mail` for `email`, where the host's select only names columns of one table. */
  column(name: string, column: string): string
  /** See `FixedTable`. */
  isComputed(name: string, column: string): boolean
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

/** @throws Failure when the database is not supported */
export function sourceOf(database: KyselyInstance, tables: HostTables, { names: read, columns }: ReadTables): Source {
  const db = database as unknown as AnyKysely
  const dialect = dialectOf(db)
  const { plugins } = db.getExecutor()
  const standIn = (name: string): string =>
    name === 'practitioners' && tables.practitioners === undefined ? 'users' : name
  const names = [...new Set(read.map(standIn))]
  const columnsOf = (name: string) => Object.keys(columns[name] as object)
  const isStandIn = (name: string) =>
    name === 'users' && read.includes('practitioners') && standIn('practitioners') === name
  const neededIn = (name: string) => [
    ...new Set([...columnsOf(name), ...(isStandIn(name) ? columnsOf('practitioners').map(ofUsers) : [])])
  ]
  // These plugins give the same nodes to every request, so a request need not ask them.
  const isSteady = plugins.every((plugin) => steadyPlugins.some((steady) => plugin.constructor === steady))
  // The host's plugins (schema, tenant) apply here once. Around the statements of the lists, the plugins would rename
  // the columns of the lists.
  const selectFrom = (name: string): Expression<unknown> => {
    const table = tables[name]
    if (typeof table === 'object') return table as unknown as Expression<unknown>
    const select = db.selectFrom(table ?? name).select(neededIn(name))
    return isSteady ? expressionOf(select.toOperationNode()) : select
  }
  const hostTables = new Map(names.map((name) => [name, selectFrom(name)]))
  const tableOf = (name: string) => hostTables.get(standIn(name)) as Expression<unknown>
  const neededOf = (table: Expression<unknown>) =>
    names.filter((name) => hostTables.get(name) === table).flatMap(neededIn)
  const bare = db.withoutPlugins()
  const id = String(++lastSource)
  const last = new WeakMap<readonly string[], { nodes: readonly OperationNode[]; tables: RequestTables }>()
  return {
    dialect,
    db: bare,
    names,
    now(wanted) {
      const used = [...new Set(wanted.map(tableOf))]
      const nodes = used.map((table) => table.toOperationNode())
      const before = last.get(wanted)
      // Without plugins that create nodes, the nodes stay the same.
      if (before && areSame(nodes, before.nodes)) return before.tables
      const fixed = used.map((table, place) => fixedTable(nodes[place] as OperationNode, neededOf(table)))
      const fixedOf = (name: string) => fixed[used.indexOf(tableOf(name))] as FixedTable
      const tables: RequestTables = {
        of: (name) => fixedOf(name).table,
        column(name, column) {
          const own = standIn(name) === name ? column : ofUsers(column)
          return fixedOf(name).renamed?.get(own) ?? own
        },
        isComputed: (name, column) => fixedOf(name).isComputed(column),
        columns: (name) => [...new Set(neededIn(standIn(name)).map((column) => tables.column(standIn(name), column)))],
        select: (name) => fixedOf(name).select,
        ...keysOf(bare, id, fixed)
      }
      last.set(wanted, { nodes, tables })
      return tables
    }
  }
}

/** The users can stand in for the practitioners. */
const ofUsers = (column: string) => (column === 'practitioner_id' ? 'user_id' : column)

// An arrow function in `now` would keep the tables of every request in memory, because `of` has the same closure.
const areSame = (nodes: readonly OperationNode[], others: readonly OperationNode[]): boolean =>
  nodes.every((node, place) => node === others[place])

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
function statementOf(db: AnyKysely, { table, renamed }: FixedTable): Statement {
  if (!renamed) return sql`${table}`.compile(db)
  const { schema, identifier } = (table.toOperationNode() as TableNode).table
  return { sql: JSON.stringify([schema?.name, identifier.name, ...renamed]), parameters: [] }
}
