import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing, { type ListingOptions } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

/** @param databaseOf finds the database of a tenant. The same tenant must have the same instance each time. */
export async function addLists<DB>(
  app: FastifyInstance,
  databaseOf: (tenant: string) => Promise<Kysely<DB>>,
  resolveRole: ListingOptions['resolveRole']
) {
  const databases = new WeakMap<FastifyRequest, Kysely<DB>>()
  await app.register(listing, {
    resolveRole,
    // `db` cannot wait. `authenticate` runs before `db`, and may be async.
    async authenticate(request) {
      const { tenant } = await request.jwtVerify<{ tenant: string }>()
      databases.set(request, await databaseOf(tenant))
    },
    db: (request) => databases.get(request) as Kysely<DB>
  })
}
