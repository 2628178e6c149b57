/** The host's database with its tables. */
import { isDeepStrictEqual } from 'node:util'
import { CamelCasePlugin, type Expression, type OperationNode, WithSchemaPlugin } from 'kysely'
import type { AnyKysely, Dialect } from './dialect.js'
import { dialectOf } from './dialects/index.js'
import { expressionOf, type FixedTable, fixedTable } from './fixed-table.js'
import type { HostTables, KyselyInstance } from './tables.js'

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
  /** The tables now: the same object, unless a plugin of the host has changed them, as for another tenant. */
  tables(names: readonly string[]): Tables
}

/** The tables, fixed for a request. What is known of them is kept with this object. */
export interface Tables {
  of(name: string): FixedTable
}

/** These plugins make the same tables for every request, so a request need not ask them. */
const steadyPlugins: readonly unknown[] = [CamelCasePlugin, WithSchemaPlugin]

export function sourceOf(database: KyselyInstance, given: HostTables, { names: read, columns }: ReadTables): Source {
  const db = database as unknown as AnyKysely
  // The users can be the practitioners, too.
  const areUsers = given.practitioners === undefined
  const tableOf = (name: string) => (areUsers && name === 'practitioners' ? 'users' : name)
  const names = [...new Set(read.map(tableOf))]
  const neededOf = (table: string): string[] => {
    const namesOf = (name: string) => Object.keys(columns[name] as object)
    const others = read.filter((name) => name !== table && tableOf(name) === table)
    return [...new Set([...namesOf(table), ...others.flatMap(namesOf).map(columnOfUsers)])]
  }
  // Plugins of the host (schema, tenant) apply to these selects alone. Elsewhere they would rename the lists' columns.
  const isSteady = db.getExecutor().plugins.every((plugin) => steadyPlugins.includes(plugin.constructor))
  const selectOf = (name: string): Expression<unknown> => {
    const table = given[name]
    if (typeof table === 'object') return table as unknown as Expression<unknown>
    const select = db.selectFrom(table ?? name).select(neededOf(name))
    return isSteady ? expressionOf(select.toOperationNode()) : select
  }
  const selects = new Map(names.map((name) => [name, selectOf(name)]))
  const before = new Map<string, { nodes: readonly OperationNode[]; tables: Tables }>()

  return {
    dialect: dialectOf(db),
    db: db.withoutPlugins(),
    names,
    tables(wanted) {
      const used = [...new Set(wanted.map(tableOf))]
      const nodes = used.map((name) => (selects.get(name) as Expression<unknown>).toOperationNode())
      const key = used.join()
      const last = before.get(key)
      // CamelCasePlugin makes new nodes for each request. If they are equal, nothing has changed.
      if (last && isDeepStrictEqual(nodes, last.nodes)) return last.tables
      const fixed = new Map(used.map((name, at) => [name, fixedTable(nodes[at] as OperationNode, neededOf(name))]))
      const users = fixed.get('users')
      if (areUsers && users) fixed.set('practitioners', asPractitioners(users))
      const tables = tablesIn(fixed)
      before.set(key, { nodes, tables })
      return tables
    }
  }
}

const columnOfUsers = (column: string) => (column === 'practitioner_id' ? 'user_id' : column)

const asPractitioners = (users: FixedTable): FixedTable => ({
  ...users,
  column: (name) => users.column(columnOfUsers(name))
})

// In `sourceOf`, this function would keep the tables of every request in memory, because they would share a closure.
const tablesIn = (fixed: ReadonlyMap<string, FixedTable>): Tables => ({ of: (name) => fixed.get(name) as FixedTable })
