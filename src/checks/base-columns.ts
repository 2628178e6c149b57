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
import type { BaseTable } from '../database/dialect.js'

export interface BaseColumn extends BaseTable {
  readonly column: string
}

/** Undefined for a computed column, `[]` if only the database knows, several for `select id from payments, users`. */
export function baseColumns(expression: Expression<unknown>): (column: string) => BaseColumn[] | undefined {
  const node = expression.toOperationNode()
  if (TableNode.is(node)) return (column) => [{ ...tableOf(node), column }]
  // No single index serves grouped rows or unions.
  if (!SelectQueryNode.is(node) || node.groupBy || node.setOperations || node.with) return () => []
  const joined = (node.joins ?? []).map(({ table }) => table)
  const tables = new Map([...(node.from?.froms ?? []), ...joined].map(aliasedTable))
  const selected = (node.selections ?? []).map(({ selection }) => selection)
  const columnsOf = (reference: OperationNode, column: string): BaseColumn[] => {
    const alias = ReferenceNode.is(reference) ? reference.table?.table.identifier.name : undefined
    const among = alias === undefined ? [...tables.values()] : [tables.get(alias)]
    return among.flatMap((table) => (table ? { ...table, column } : []))
  }

  return (column) => {
    const selection = selected.find((selection) => selectedName(selection) === column)
    const reference = selection && AliasNode.is(selection) ? selection.node : selection
    if (!reference) {
      const all = selected.filter((part) => SelectAllNode.is(ReferenceNode.is(part) ? part.column : part))
      return all.flatMap((part) => columnsOf(part, column))
    }
    if (!ReferenceNode.is(reference) || !ColumnNode.is(reference.column)) return undefined
    return columnsOf(reference, reference.column.column.name)
  }
}

/** @returns the names of a select's columns, or undefined where the database must say them */
export function selectedNames(expression: Expression<unknown>): string[] | undefined {
  const node = expression.toOperationNode()
  if (!SelectQueryNode.is(node)) return undefined
  const names = (node.selections ?? []).map(({ selection }) => selectedName(selection))
  return names.every((name) => name !== undefined) ? names : undefined
}

function aliasedTable(source: OperationNode): [name: string, table: BaseTable | undefined] {
  const [node, alias] = AliasNode.is(source) ? [source.node, source.alias] : [source, undefined]
  if (!TableNode.is(node)) return ['', undefined]
  const table = tableOf(node)
  return [alias && IdentifierNode.is(alias) ? alias.name : table.table, table]
}

const tableOf = ({ table: { schema, identifier } }: TableNode) => ({ schema: schema?.name, table: identifier.name })

function selectedName(selection: OperationNode): string | undefined {
  if (AliasNode.is(selection)) return IdentifierNode.is(selection.alias) ? selection.alias.name : undefined
  return ReferenceNode.is(selection) && ColumnNode.is(selection.column) ? selection.column.column.name : undefined
}
