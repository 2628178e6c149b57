import type { FastifyRequest } from 'fastify'
import {
  createListings,
  ListingError,
  type ListingOptions,
  type PaymentQuery
} from 'fastify-assessment-payment-listing'

/** What tRPC calls each status. */
const codes: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT'
}

/** GraphQL has null for an argument that the client gives no value. */
type Arguments = { [Name in keyof PaymentQuery]: PaymentQuery[Name] | null }

/** The function for a resolver of GraphQL, a procedure of tRPC, or a service of NestJS. */
export function paymentsWith({ resolveRole, db }: ListingOptions) {
  const listings = createListings({ resolveRole, db })

  /** @param request whose token a hook of the endpoint has verified */
  return async (request: FastifyRequest, { search, page, limit }: Arguments) => {
    try {
      const caller = await resolveRole(request)
      const query = { search: search ?? '', page: page ?? 1, limit: limit ?? undefined }
      return await listings.find('payments', { caller, query, signal: request.signal })
    } catch (error) {
      if (!(error instanceof ListingError)) throw error
      // Its message is for clients. GraphQL sends the extensions, too.
      const code = codes[error.statusCode] ?? 'INTERNAL_SERVER_ERROR'
      throw Object.assign(error, { extensions: { code } })
    }
  }
}
