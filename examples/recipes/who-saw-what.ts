import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing, { type ListingCaller, type ListingOptions } from 'fastify-assessment-payment-listing'

/** @param keep writes an entry. If it fails, the client gets a 500 in place of the records. */
export function addLists(
  app: FastifyInstance,
  { resolveRole, ...options }: ListingOptions,
  keep: (entry: { userId: string; list: string; ids: string[] }) => Promise<unknown>
) {
  const callers = new WeakMap<FastifyRequest, ListingCaller>()
  return app.register(async (scope) => {
    scope.addHook('onSend', async (request, { statusCode }, payload) => {
      const caller = callers.get(request)
      if (!caller || statusCode !== 200 || request.method !== 'GET') return
      const { assessments, data } = JSON.parse(String(payload))
      const ids = assessments?.map((item: { assessment_id: string }) => item.assessment_id)
      await keep({
        userId: String(caller.userId),
        list: String(request.routeOptions.url),
        ids: ids ?? data.map((item: { payment_id: string }) => item.payment_id)
      })
    })
    await scope.register(listing, {
      ...options,
      async resolveRole(request) {
        const caller = await resolveRole(request)
        if (caller) callers.set(request, caller)
        return caller
      }
    })
  })
}
