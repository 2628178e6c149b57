/** Kysely plugins of hosts with tenants. Each plugin makes new nodes for each request. */
import { type KyselyPlugin, type RootOperationNode, SelectQueryNode, sql, WhereNode, WithSchemaPlugin } from 'kysely'

export const transforming = (transform: (node: RootOperationNode) => RootOperationNode): KyselyPlugin => ({
  transformQuery: ({ node }) => transform(node),
  transformResult: async ({ result }) => result
})

/** Reads the tables of the schema of this moment. */
export const withSchema = (schema: () => string): KyselyPlugin => ({
  ...transforming((node) => node),
  transformQuery: (args) => new WithSchemaPlugin(schema()).transformQuery(args)
})

/** Reads the rows of the tenant of this moment: tenant 0 has the users with an even id, and tenant 1 the others. */
export const tenantPlugin = (tenant: () => unknown): KyselyPlugin =>
  transforming((node) =>
    SelectQueryNode.is(node)
      ? { ...node, where: WhereNode.create(sql`user_id % 2 = ${tenant()}`.toOperationNode()) }
      : node
  )
