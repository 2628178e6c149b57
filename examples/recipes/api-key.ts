import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import listing, { type ListingCaller, type ListingOptions } from 'fastify-assessment-payment-listing'

/**
 * People come with a token, and machines with a key in the header `x-api-key`.
 *
 * @param ownerOf finds the owner of a key by its SHA-256, so that the database has no key that could be stolen
 */
export function addLists(
  app: FastifyInstance,
  { resolveRole, ...options }: ListingOptions,
  ownerOf: (hash: string) => Promise<ListingCaller | undefined>
) {
  const owners = new WeakMap<FastifyRequest, ListingCaller>()
  return app.register(listing, {
    ...options,
    async authenticate(request) {
      const { 'x-api-key': key } = request.headers
      if (key === undefined) return request.jwtVerify()
      const owner = await ownerOf(createHash('sha256').update(String(key)).digest('hex'))
      if (!owner) throw Object.assign(new Error('There is no such key.'), { statusCode: 401 })
      owners.set(request, owner)
    },
    resolveRole: (request) => owners.get(request) ?? resolveRole(request)
  })
}
