import type { FastifyInstance } from 'fastify'
import listing from 'fastify-assessment-payment-listing'
import { Kysely, MysqlDialect } from 'kysely'
import type { Pool } from 'mysql2'

/**
 * @param pool of `mysql2`, which Drizzle can share: `drizzle(pool)`
 * @param findMember asks Prisma, Drizzle, Knex or TypeORM
 */
export function addLists(
  app: FastifyInstance,
  pool: Pool,
  findMember: (id: number) => Promise<{ id: number; role: string } | null>
) {
  const db = new Kysely({ dialect: new MysqlDialect({ pool }) }) // pg: new PostgresDialect({ pool })
  return app.register(listing, {
    db,
    async resolveRole({ user }) {
      const member = await findMember(Number(user.sub))
      return member && { userId: member.id, role: member.role }
    }
  })
}
