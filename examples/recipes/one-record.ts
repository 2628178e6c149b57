import type { FastifyInstance } from 'fastify'
import { type ListingOptions, listing, payments } from 'fastify-assessment-payment-listing'

const withRecord = payments.extend({
  record: {
    path: '/payment/:payment_id',
    key: 'payment',
    messages: { found: 'Payment retrieved successfully.', notFound: 'There is no such payment.' }
  }
})

/** GET /payment/list, and GET /payment/77 under the same rules. */
export function addPayments(app: FastifyInstance, options: ListingOptions & { prefix?: string }) {
  app.register(listing, { ...options, lists: [withRecord] })
}
