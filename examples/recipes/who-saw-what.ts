import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing, { type ListingCaller, type ListingOptions } from 'fastify-assessment-payment-listing'

/** The name of the id, by the property that holds the records, or the one record. Add those of your own lists. */
const idOf: Record<string, string> = { assessments: 'assessment_id', data: 'payment_id', payment: 'payment_id' }

/** @param keep writes an entry. If it fails, the client gets a 500 in place of the records. */
export function addLists(
  app: FastifyInstance,
  { resolveRole, ...options }: ListingOptions,
  keep: (entry: { userId: string; roles: string[]; list: string; ids: string[] }) => Promise<unknown>
) {
  const callers = new WeakMap<FastifyRequest, ListingCaller>()
  return app.register(async (scope) => {
    scope.addHook('onSend', async (request, { statusCode }, payload) => {
      const caller = callers.get(request)
      if (!caller || statusCode !== 200 || request.method !== 'GET') return
      const body: Record<string, Record<string, string> | Record<string, string>[]> = JSON.parse(String(payload))
      const [[key, id] = []] = Object.entries(idOf).filter(([key]) => body[key])
      const ids = [body[String(key)]].flat().map((item) => item?.[String(id)])
      if (!ids.every((id) => id !== undefined)) throw new Error(`idOf lacks the id of ${request.routeOptions.url}.`)
      // What the caller saw of a record depends on the roles.
      const roles = [caller.role].flat()
      await keep({ userId: String(caller.userId), roles, list: String(request.routeOptions.url), ids })
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
