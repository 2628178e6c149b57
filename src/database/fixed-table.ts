/** A table of the host as a statement reads it: the table itself, or the host's select. */
import {
  AliasNode,
  ColumnNode,
  type Expression,
  IdentifierNode,
  type OperationNode,
  ReferenceNode,
  type SelectQueryNode,
  TableNode
} from 'kysely'

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
  const { kind: _kind, from, selections = [], ...others } = node as SelectQueryNode
  const [source, ...joined] = from?.froms ?? []
  const table = source && AliasNode.is(source) ? source.node : source
  const pairs = selections.map(({ selection }) => pairOf(selection))
  const renamed = new Map(pairs.filter((pair) => pair !== undefined))
  const isNaming =
    table !== undefined &&
    TableNode.is(table) &&
    joined.length === 0 &&
    renamed.size === selections.length &&
    needed.every((name) => renamed.has(name)) &&
    Object.values(others).every((part) => part === undefined)
  const isComputed = (name: string) =>
    !renamed.has(name) && selections.some(({ selection }) => Object(selection).alias?.name === name)
  if (!isNaming) return { table: select, select, column: (name) => name, columns: needed, isComputed }
  const named = expressionOf(table)
  const column = (name: string) => renamed.get(name) as string
  const isRenamed = [...renamed].some(([name, column]) => name !== column)
  return {
    table: named,
    select: isRenamed ? select : named,
    column,
    columns: [...new Set(needed.map(column))],
    isComputed
  }
}

/** `mail as email` is `['email', 'mail']`. Undefined for what is no column. */
function pairOf(selection: OperationNode): [name: string, column: string] | undefined {
  const [reference, alias] = AliasNode.is(selection) ? [selection.node, selection.alias] : [selection, undefined]
  if (!ReferenceNode.is(reference) || !ColumnNode.is(reference.column)) return undefined
  const column = reference.column.column.name
  if (alias === undefined) return [column, column]
  return IdentifierNode.is(alias) ? [alias.name, column] : undefined
}
