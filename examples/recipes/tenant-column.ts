import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing, { type ListingOptions, type ListingTables, payments } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

interface DB {
  users: { tenant_id: number; user_id: number; first_name: string; last_name: string; email: string }
  payments: {
    tenant_id: number
    payment_id: number
    user_id: number | null
    amount: string
    quantity: number
    payment_intent: string
    paid_at: Date | null
    payment_method: string
    payment_status: string
    processor_status: string
    created_at: Date
  }
}

type TenantDb = Kysely<DB> & { tenant: number }

const tables = (db: TenantDb): ListingTables => ({
  users: db
    .selectFrom('users')
    .select(['user_id', 'first_name', 'last_name', 'email'])
    .select((eb) => eb.lit(null).as('avatar_url'))
    .where('tenant_id', '=', db.tenant),
  payments: db
    .selectFrom('payments')
    .select(['payment_id', 'user_id', 'amount', 'quantity', 'payment_intent', 'paid_at', 'created_at'])
    .select(['payment_method', 'payment_status', 'processor_status'])
    .where('tenant_id', '=', db.tenant)
})

/** @param tenantOf reads the tenant from what `authenticate` has verified, never from a header or a parameter. */
export function addLists(
  app: FastifyInstance,
  db: Kysely<DB>,
  tenantOf: (request: FastifyRequest) => number,
  options: Pick<ListingOptions, 'resolveRole' | 'authenticate'>
) {
  const databases = new Map<number, TenantDb>()
  const databaseOf = (tenant: number): TenantDb => {
    // Another instance on the same pool. Kysely 0.29 also calls this `$extendTables`.
    const found = databases.get(tenant) ?? Object.assign(db.withTables<Record<never, never>>(), { tenant })
    databases.set(tenant, found)
    return found
  }
  return app.register(listing, {
    ...options,
    lists: [payments],
    db: (request) => databaseOf(tenantOf(request)),
    tables
  })
}
