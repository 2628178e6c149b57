import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing, { type ListingOptions } from 'fastify-assessment-payment-listing'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings
} from 'kysely'

/** Tells PostgreSQL the tenant at the start of each transaction. The setting ends with the transaction. */
class TenantDialect extends PostgresDialect {
  constructor(
    readonly config: PostgresDialectConfig,
    readonly tenant: string
  ) {
    super(config)
  }

  override createDriver() {
    const { config, tenant } = this
    return new (class extends PostgresDriver {
      override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
        await super.beginTransaction(connection, settings)
        await connection.executeQuery(CompiledQuery.raw("select set_config('app.tenant', $1, true)", [tenant]))
      }
    })(config)
  }
}

/** @param tenantOf reads the tenant of a request that `authenticate` has accepted */
export async function addLists<DB>(
  app: FastifyInstance,
  config: PostgresDialectConfig,
  tenantOf: (request: FastifyRequest) => string,
  { authenticate, resolveRole }: Pick<ListingOptions, 'authenticate' | 'resolveRole'>
) {
  // All instances share one pool.
  const databases = new Map<string, Kysely<DB>>()
  const databaseOf = (tenant: string) => {
    const db = databases.get(tenant) ?? new Kysely<DB>({ dialect: new TenantDialect(config, tenant) })
    databases.set(tenant, db)
    return db
  }
  await app.register(listing, { authenticate, resolveRole, db: (request) => databaseOf(tenantOf(request)) })
}
