import type { FastifyInstance } from 'fastify'
import listing, { type Database, type ListingOptions } from 'fastify-assessment-payment-listing'

export async function addLists(app: FastifyInstance, options: ListingOptions, archive: Database) {
  await app.register(listing, { ...options, prefix: '/api' })
  await app.register(listing, { ...options, prefix: '/archive', db: archive })
}
