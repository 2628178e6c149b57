/** Resolves the columns of a Kysely select to columns of the database. */
import {
  AliasNode,
  ColumnNode,
  type Expression,
  IdentifierNode,
  type OperationNode,
  ReferenceNode,
  SelectAllNode,
  SelectQueryNode,
  TableNode
} from 'kysely'

export interface BaseTable {
  readonly schema: string | undefined
  readonly table: string
}

export interface BaseColumn extends BaseTable {
  readonly column: string
  /** The name of the table in its select: `m` for `members as m`. */
  readonly alias: string
}

/** @returns undefined for a computed column and for an unknown base */
export type BaseOf = (column: string) => BaseColumn | undefined

export function baseColumns(expression: Expression<unknown>): BaseOf {
  const node = expression.toOperationNode()
  if (TableNode.is(node)) return (column) => ({ ...tableOf(node), column })
  // No single index serves grouped rows or unions.
  if (!SelectQueryNode.is(node) || node.groupBy || node.setOperations || node.with) return () => undefined
  const sources = [...(node.from?.froms ?? []), ...(node.joins ?? []).map(({ table }) => table)]
  const tables = new Map(sources.map(aliasedTable))
  const onlyTable = sources.length === 1 ? aliasedTable(sources[0])[1] : undefined
  const selected = (node.selections ?? []).map(({ selection }) => selection)
  const all = selected.some(
    (selection) => SelectAllNode.is(selection) || (ReferenceNode.is(selection) && SelectAllNode.is(selection.column))
  )

  return (column) => {
    const selection = selected.find((selection) => selectedName(selection) === column)
    const reference = selection && AliasNode.is(selection) ? selection.node : selection
    if (!reference) return all && onlyTable ? { ...onlyTable, column } : undefined
    if (!ReferenceNode.is(reference) || !ColumnNode.is(reference.column)) return undefined
    const table = reference.table ? tables.get(reference.table.table.identifier.name) : onlyTable
    return table && { ...table, column: reference.column.column.name }
  }
}

/** @returns the names of a select's columns, or undefined where the database must say them */
export function selectedNames(expression: Expression<unknown>): string[] | undefined {
  const node = expression.toOperationNode()
  const names = SelectQueryNode.is(node)
    ? (node.selections ?? []).map(({ selection }) => selectedName(selection))
    : [undefined]
  return names.every((name) => name !== undefined) ? names : undefined
}

type AliasedTable = Omit<BaseColumn, 'column'>

function aliasedTable(source: OperationNode | undefined): [name: string, table: AliasedTable | undefined] {
  const [node, alias] = source && AliasNode.is(source) ? [source.node, source.alias] : [source, undefined]
  if (!node || !TableNode.is(node)) return ['', undefined]
  const table = tableOf(node)
  const name = alias && IdentifierNode.is(alias) ? alias.name : table.table
  return [name, { ...table, alias: name }]
}

const tableOf = ({ table: { schema, identifier } }: TableNode): AliasedTable => ({
  schema: schema?.name,
  table: identifier.name,
  alias: identifier.name
})

function selectedName(selection: OperationNode): string | undefined {
  if (AliasNode.is(selection)) return IdentifierNode.is(selection.alias) ? selection.alias.name : undefined
  return ReferenceNode.is(selection) && ColumnNode.is(selection.column) ? selection.column.column.name : undefined
}
