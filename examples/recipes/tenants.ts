import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

interface DB {
  members: { id: number; role: string }
}

/** @param databaseOf finds the database of a tenant. The same tenant must have the same instance each time. */
export async function addLists(app: FastifyInstance, databaseOf: (tenant: string) => Promise<Kysely<DB>>) {
  const databases = new WeakMap<FastifyRequest, Kysely<DB>>()
  const db = (request: FastifyRequest) => databases.get(request) as Kysely<DB>
  await app.register(listing, {
    // `db` cannot wait, so `authenticate`, which runs first, looks the database up.
    async authenticate(request) {
      const { tenant } = await request.jwtVerify<{ tenant?: string }>()
      if (!tenant) throw Object.assign(new Error('The token names no tenant.'), { statusCode: 401 })
      databases.set(request, await databaseOf(tenant))
    },
    // The roles are in the tenant's database, too.
    resolveRole: (request) =>
      db(request)
        .selectFrom('members')
        .where('id', '=', Number(request.user.sub))
        .select(['id as userId', 'role'])
        .executeTakeFirst(),
    db
  })
}
