import type { FastifyInstance } from 'fastify'
import listing, { column, defineList, defineOptions, payments } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'

interface DB {
  members: { id: number; role: string; tenant_id: number }
}

const tenantPayments = defineList({
  ...payments.definition,
  columns: { tenant_id: column.id() },
  // This limits every reach, even 'all', and so the page, the total and the search.
  within: { tenant_id: 'tenant' }
})

export function addLists(app: FastifyInstance, db: Kysely<DB>) {
  const options = defineOptions({
    db,
    lists: [tenantPayments],
    // Take the tenant from your database or from a verified token, never from a parameter.
    async resolveRole({ user }) {
      const found = db.selectFrom('members').where('id', '=', Number(user.sub)).select(['id', 'role', 'tenant_id'])
      const member = await found.executeTakeFirst()
      return member && { userId: member.id, role: member.role, ids: { tenant: member.tenant_id } }
    }
  })
  return app.register(listing, options)
}
