import { FastifyOtelInstrumentation } from '@fastify/otel'
import type { FastifyInstance } from 'fastify'
import listing, { type ListingOptions } from 'fastify-assessment-payment-listing'

export async function addLists(app: FastifyInstance, options: ListingOptions) {
  const instrumentation = new FastifyOtelInstrumentation({
    requestHook: (span, { url }) => span.setAttribute('url.path', url.replace(/[?;#].*$/s, ''))
  })
  await app.register(instrumentation.plugin())
  await app.register(listing, options)
}
