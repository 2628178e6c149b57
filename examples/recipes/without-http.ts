import type { FastifyInstance } from 'fastify'
import {
  type assessments,
  createListings,
  type KyselyInstance,
  type OptionsOf,
  type payments
} from 'fastify-assessment-payment-listing'

type Options = OptionsOf<KyselyInstance, readonly [typeof assessments, typeof payments]>

export async function addLists(app: FastifyInstance, options: Options) {
  const listings = createListings(options)
  await app.register(listings.plugin, { prefix: '/api' })

  return {
    /** For a mail. */
    async newestOf(userId: number) {
      const caller = { userId, role: 'User' }
      const { items, total } = await listings.find('payments', { caller, query: { limit: 3 } })
      return { total, amounts: items.map(({ amount }) => amount) }
    },
    /** For a report. */
    async countByMethod() {
      const counts = new Map<string, number>()
      for await (const { payment_method } of listings.each('payments', { caller: { userId: 0, role: 'Admin' } })) {
        counts.set(payment_method, (counts.get(payment_method) ?? 0) + 1)
      }
      return counts
    }
  }
}
