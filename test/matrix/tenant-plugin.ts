/** A host's plugin for tables that all tenants share: reads `every_users` for `users`, and this tenant's rows only. */
import {
  IdentifierNode,
  OperationNodeTransformer,
  type SchemableIdentifierNode,
  type SelectQueryNode,
  sql,
  WhereNode
} from 'kysely'
import { transforming } from '../support/plugins.js'

/** The tables that all tenants share. */
export const everyTenant = (table: string): string => `every_${table}`
export const tenant = 7

class TenantTransformer extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    const condition = sql`tenant = ${sql.lit(tenant)}`.toOperationNode()
    const { where, ...select } = super.transformSelectQuery(node)
    return {
      ...select,
      where: where ? WhereNode.cloneWithOperation(where, 'And', condition) : WhereNode.create(condition)
    }
  }

  protected override transformSchemableIdentifier(node: SchemableIdentifierNode): SchemableIdentifierNode {
    const { identifier, ...rest } = super.transformSchemableIdentifier(node)
    return { ...rest, identifier: IdentifierNode.create(everyTenant(identifier.name)) }
  }
}

const transformer = new TenantTransformer()
export const tenantPlugin = transforming((node) => transformer.transformNode(node))
