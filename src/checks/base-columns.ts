/** From which table of the database each column of a select comes, as far as the select's nodes tell. */
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

/** A column of a table or view. */
export interface BaseColumn {
  readonly schema: string | undefined
  readonly table: string
  readonly column: string
}

/** Gives the base of a column of the select; undefined where the column is computed or its base is not known. */
export type BaseOf = (column: string) => BaseColumn | undefined

export function baseColumns(expression: Expression<unknown>): BaseOf {
  const node = expression.toOperationNode()
  if (TableNode.is(node)) return (column) => ({ ...baseOf(node), column })
  // of a grouped or united row no table has the index
  if (!SelectQueryNode.is(node) || node.groupBy || node.setOperations || node.with) return () => undefined
  const sources = [...(node.from?.froms ?? []), ...(node.joins ?? []).map(({ table }) => table)]
  const tables = new Map(sources.map(tableOf))
  const only = sources.length === 1 ? tableOf(sources[0])[1] : undefined
  const selected = (node.selections ?? []).map(({ selection }) => selection)
  const all = selected.some(
    (selection) => SelectAllNode.is(selection) || (ReferenceNode.is(selection) && SelectAllNode.is(selection.column))
  )

  return (column) => {
    const selection = selected.find((selection) => nameOf(selection) === column)
    const reference = selection && AliasNode.is(selection) ? selection.node : selection
    if (!reference) return all && only ? { ...only, column } : undefined
    if (!ReferenceNode.is(reference) || !ColumnNode.is(reference.column)) return undefined
    const table = reference.table ? tables.get(reference.table.table.identifier.name) : only
    return table && { ...table, column: reference.column.column.name }
  }
}

type Table = Omit<BaseColumn, 'column'>

/** The name by which the select calls a table, and the table; none of a subquery. */
function tableOf(source: OperationNode | undefined): [name: string, table: Table | undefined] {
  const [node, alias] = source && AliasNode.is(source) ? [source.node, source.alias] : [source, undefined]
  if (!node || !TableNode.is(node)) return ['', undefined]
  const table = baseOf(node)
  return [alias && IdentifierNode.is(alias) ? alias.name : table.table, table]
}

const baseOf = ({ table: { schema, identifier } }: TableNode): Table => ({
  schema: schema?.name,
  table: identifier.name
})

/** The name that a selected column has in the rows. */
function nameOf(selection: OperationNode): string | undefined {
  if (AliasNode.is(selection)) return IdentifierNode.is(selection.alias) ? selection.alias.name : undefined
  return ReferenceNode.is(selection) && ColumnNode.is(selection.column) ? selection.column.column.name : undefined
}
