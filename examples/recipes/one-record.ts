import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createListings, type ListingOptions, payments } from 'fastify-assessment-payment-listing'

const withId = payments.extend({ filters: { payment_id: { examples: ['1'] } } })

/** @param options those of the registration of the lists */
export function addRecord(app: FastifyInstance, options: ListingOptions) {
  const listings = createListings({ ...options, lists: [withId] })
  const onRequest = (request: FastifyRequest) => request.jwtVerify()

  app.get<{ Params: { id: string } }>('/payment/:id', { onRequest }, async (request, reply) => {
    // An empty value would filter nothing, and find the newest payment.
    if (request.params.id === '') return reply.callNotFound()
    const caller = await options.resolveRole(request)
    const query = { payment_id: request.params.id }
    const { items } = await listings.find('payments', { caller, query, signal: request.signal })
    return items[0] ?? reply.callNotFound()
  })
}
