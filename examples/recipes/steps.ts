import { subscribe } from 'node:diagnostics_channel'
import type { ListingStep } from 'fastify-assessment-payment-listing'

subscribe('fastify-assessment-payment-listing:step', (message) => {
  const { requestId, list, reach, step, milliseconds, failed } = message as ListingStep
  console.log(requestId, list, reach, step, milliseconds, failed)
})
