/** A host's plugin for tables that all tenants share: reads `every_users` for `users`, and this tenant's rows only. */
import {
  IdentifierNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type SchemableIdentifierNode,
  type SelectQueryNode,
  sql,
  WhereNode
} from 'kysely'

/** The tables that all tenants share. */
export const everyTenant = (table: string): string => `every_${table}`
export const tenant = 7

class TenantTransformer extends OperationNodeTransformer {
  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    const condition = sql`tenant = ${sql.lit(tenant)}`.toOperationNode()
    const select = super.transformSelectQuery(node, queryId)
    return {
      ...select,
      where: select.where ? WhereNode.cloneWithOperation(select.where, 'And', condition) : WhereNode.create(condition)
    }
  }

  protected override transformSchemableIdentifier(
    node: SchemableIdentifierNode,
    queryId?: QueryId
  ): SchemableIdentifierNode {
    const { identifier, ...rest } = super.transformSchemableIdentifier(node, queryId)
    return { ...rest, identifier: IdentifierNode.create(everyTenant(identifier.name)) }
  }
}

export class TenantPlugin implements KyselyPlugin {
  readonly #transformer = new TenantTransformer()

  transformQuery({ node, queryId }: PluginTransformQueryArgs) {
    return this.#transformer.transformNode(node, queryId)
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result
  }
}
