/** The errors of calls without HTTP. */
import type { Facts, Failure, FailureKind } from './failure.js'

/**
 * `find` and `each` throw this error where the route would answer with an error, whose text is the message. A wrong
 * call is a TypeError instead.
 *
 * @example
 * app.get('/payments/latest', async (request, reply) => {
 *   try {
 *     return await listings.find('payments', { caller: request.caller, query: { limit: 3 } })
 *   } catch (error) {
 *     if (!(error instanceof ListingError)) throw error
 *     return reply.code(error.statusCode).send(error.body)
 *   }
 * })
 */
export class ListingError extends Error {
  /** `ListingError`. */
  override readonly name = 'ListingError'
  /** The HTTP status of the answer that the route would send. An aborted call has 499. */
  readonly statusCode: number
  /**
   * `parameter` (400), `unauthorized` (401), `forbidden` (403), `notFound` (404, by a route only), `aborted` (499),
   * `internal` (500), `unavailable` (503), `timeout` (504), or `host`: your own code threw one with a status.
   */
  readonly kind: FailureKind
  /** A sentence that explains the error to the operator. */
  readonly reason: string
  /** Details for the log, and not for clients: names, codes, and places in the code. Never values or SQL. */
  readonly facts: Facts

  /** Only the library creates these errors. */
  constructor(message: string, { statusCode, kind, message: reason, facts }: Failure) {
    super(message)
    this.statusCode = statusCode
    this.kind = kind
    this.reason = reason
    this.facts = facts
  }

  /** The body that the route would send, for a route of the host. Its type is that of `ListErrorBody`. */
  get body(): {
    /** The HTTP status. */
    status: number
    /** The message. */
    error: string
  } {
    return { status: this.statusCode, error: this.message }
  }
}

/** The TypeError for a wrong call. Code of the host, such as the function `tables`, can throw other TypeErrors. */
export class InvalidCall extends TypeError {}
