/** A table of the host as a statement reads it: the table itself, or the host's select. */
import {
  AliasNode,
  ColumnNode,
  type Expression,
  IdentifierNode,
  type OperationNode,
  ReferenceNode,
  SelectAllNode,
  type SelectQueryNode,
  TableNode
} from 'kysely'
import type { BaseTable } from './dialect.js'

export interface BaseColumn extends BaseTable {
  readonly column: string
}

export interface FixedTable {
  /** `users`, `members` or `(select … from …)`. */
  readonly table: Expression<unknown>
  /** The table with the columns of the lists: `users`, or the host's select. */
  readonly select: Expression<unknown>
  /** The name of a column in `table`: `mail` for `email`, where the host's select only names columns of one table. */
  column(name: string): string
  /** The names in `table` of the columns that the lists read. */
  readonly columns: readonly string[]
  /** Whether the select computes a column, so that no index finds it: `concat('c', id) as user_id`. */
  isComputed(name: string): boolean
  /** The names of the select's columns. Undefined where the database must say them. */
  readonly names: readonly string[] | undefined
  /** The columns that a column can be: several for `select id from payments, users`, none for a computed one. */
  bases(name: string): BaseColumn[]
}

export const expressionOf = (node: OperationNode): Expression<unknown> => ({
  expressionType: undefined,
  toOperationNode: () => node
})

/**
 * A select that only names columns of one table is read as the table: `members as u` with `u.mail`, and not
 * `(select mail as email from members) as u`. Databases plan it faster, and a slow log shows it shorter. A plugin may
 * hide some of the `needed` columns.
 */
export function fixedTable(node: OperationNode, needed: readonly string[]): FixedTable {
  const select = expressionOf(node)
  // Kysely refuses a plugin that returns another kind of node.
  const { kind: _kind, from, joins = [], selections = [], ...others } = node as SelectQueryNode
  const tables = [...(from?.froms ?? []), ...joins.map(({ table }) => table)].map(aliasedTable)
  const selected = selections.map(({ selection }) => selectedOf(selection))
  const names = selected.map(({ name }) => name)
  const renamed = new Map(selected.flatMap(({ name, column }) => (name && column ? [[name, column]] : [])))
  const described = {
    names: names.every((name) => name !== undefined) ? names : undefined,
    isComputed: (name: string) => names.includes(name) && !renamed.has(name),
    bases(name: string): BaseColumn[] {
      // No single index serves grouped rows or unions.
      if (others.groupBy || others.setOperations || others.with) return []
      const one = selected.find((each) => each.name === name)
      const read = one ? [one] : selected.flatMap((each) => (each.isAll ? { ...each, column: name } : []))
      return read.flatMap(({ alias, column }) =>
        tables.flatMap(({ table, alias: name }) =>
          table && column && [undefined, name].includes(alias) ? { ...baseOf(table), column } : []
        )
      )
    }
  }
  const [{ table } = {}] = tables
  const isNaming =
    table !== undefined &&
    tables.length === 1 &&
    renamed.size === selections.length &&
    needed.every((name) => renamed.has(name)) &&
    Object.values(others).every((part) => part === undefined)
  if (!isNaming) return { table: select, select, column: (name) => name, columns: needed, ...described }
  const named = expressionOf(table)
  const column = (name: string) => renamed.get(name) as string
  const isRenamed = [...renamed].some(([name, column]) => name !== column)
  return {
    table: named,
    select: isRenamed ? select : named,
    column,
    columns: [...new Set(needed.map(column))],
    ...described
  }
}

const baseOf = ({ table: { schema, identifier } }: TableNode) => ({ schema: schema?.name, table: identifier.name })

/** `members as m` is the table of the alias `m`, and a subquery is no table. */
function aliasedTable(source: OperationNode) {
  const [node, alias] = withoutAlias(source)
  const table = TableNode.is(node) ? node : undefined
  return { alias: alias ?? table?.table.identifier.name, table }
}

/** `m.mail as email` has a name and a column, what is computed has no column, and `m.*` has neither. */
function selectedOf(selection: OperationNode) {
  const [node, name] = withoutAlias(selection)
  const part = ReferenceNode.is(node) ? node.column : node
  const column = ColumnNode.is(part) ? part.column.name : undefined
  const alias = ReferenceNode.is(node) ? node.table?.table.identifier.name : undefined
  return { name: node === selection ? column : name, column, alias, isAll: SelectAllNode.is(part) }
}

/** An alias can be SQL, which has no name. */
function withoutAlias(node: OperationNode): [node: OperationNode, alias?: string] {
  if (!AliasNode.is(node)) return [node]
  return IdentifierNode.is(node.alias) ? [node.node, node.alias.name] : [node.node]
}
