import type { FastifyInstance } from 'fastify'
import listing, { type KyselyInstance, type ListingOptions } from 'fastify-assessment-payment-listing'

export async function addLists(app: FastifyInstance, options: ListingOptions, archive: KyselyInstance) {
  await app.register(listing, { ...options, prefix: '/api' })
  await app.register(listing, { ...options, prefix: '/archive', db: archive })
}
