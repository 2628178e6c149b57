import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing, { type ListingOptions } from 'fastify-assessment-payment-listing'
import { CompiledQuery, Kysely, PostgresDialect, type PostgresDialectConfig } from 'kysely'

/**
 * @param config of a pool that only the lists use, because a connection keeps its tenant until another one needs it
 * @param tenantOf reads the tenant of a request that `authenticate` has accepted
 */
export async function addLists<DB>(
  app: FastifyInstance,
  config: PostgresDialectConfig,
  tenantOf: (request: FastifyRequest) => string,
  { authenticate, resolveRole }: Pick<ListingOptions, 'authenticate' | 'resolveRole'>
) {
  // All instances share one pool.
  const databases = new Map<string, Kysely<DB>>()
  const open = (tenant: string) => {
    const setTenant = CompiledQuery.raw("select set_config('app.tenant', $1, false)", [tenant])
    const dialect = new PostgresDialect({
      ...config,
      // Tells PostgreSQL the tenant each time that a request gets a connection.
      onReserveConnection: (connection) => connection.executeQuery(setTenant).then(() => undefined)
    })
    return new Kysely<DB>({ dialect })
  }
  const databaseOf = (tenant: string) => {
    const db = databases.get(tenant) ?? open(tenant)
    databases.set(tenant, db)
    return db
  }
  await app.register(listing, { authenticate, resolveRole, db: (request) => databaseOf(tenantOf(request)) })
}
