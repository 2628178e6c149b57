import type { FastifyRequest } from 'fastify'
import {
  type assessments,
  createListings,
  type KyselyInstance,
  ListingError,
  type OptionsOf,
  type PaymentQuery,
  type payments
} from 'fastify-assessment-payment-listing'

/** What tRPC calls each status. */
const codes: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT'
}

/** GraphQL can pass null for an argument to which the client gives no value. */
type Arguments = { [Name in keyof PaymentQuery]: PaymentQuery[Name] | null }

type Options = OptionsOf<KyselyInstance, readonly [typeof assessments, typeof payments]>

/** The function for a resolver of GraphQL, a procedure of tRPC, or a service of NestJS. */
export function paymentsWith(options: Options) {
  const listings = createListings(options)

  /** @param request whose token a hook of the endpoint has verified */
  return async (request: FastifyRequest, { search, page, limit, processor_status }: Arguments = {}) => {
    try {
      const caller = await options.resolveRole(request)
      const query = {
        search: search ?? '',
        page: page ?? 1,
        limit: limit ?? undefined,
        processor_status: processor_status ?? undefined
      }
      return await listings.find('payments', { caller, query, signal: request.signal })
    } catch (error) {
      // The message of a ListingError is for clients, and that of any other error for the log.
      const isListing = error instanceof ListingError
      if (!isListing) request.log.error(error)
      const code = (isListing && codes[error.statusCode]) || 'INTERNAL_SERVER_ERROR'
      // GraphQL sends the extensions, too.
      throw Object.assign(isListing ? error : new Error('The payments cannot be read.'), { extensions: { code } })
    }
  }
}
