import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import listing, { type ListingOptions } from 'fastify-assessment-payment-listing'

export const addLists = (app: FastifyInstance, options: ListingOptions) =>
  app.register(async (scope) => {
    await scope.register(rateLimit, { global: false })
    scope.addHook('onRequest', scope.rateLimit({ max: 100, timeWindow: '1 minute' }))
    await scope.register(listing, options)
  })
