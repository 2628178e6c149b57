/** The error of a call without HTTP. */
import type { Facts, Failure, FailureKind } from './failure.js'

/**
 * The error of `find` and `each` for everything that a route answers with an error. The message is the text that the
 * route would send.
 */
export class ListingError extends Error {
  /** `ListingError`. */
  override readonly name = 'ListingError'
  /** The HTTP status of the answer that the route would send, such as 400. An aborted call has 499. */
  readonly statusCode: number
  /** What is wrong, such as `parameter` or `timeout`. */
  readonly kind: FailureKind
  /** One sentence for the operator. */
  readonly reason: string
  /** Details for the log: names and codes, never values or SQL. */
  readonly facts: Facts

  constructor(message: string, { statusCode, kind, message: reason, facts }: Failure) {
    super(message)
    this.statusCode = statusCode
    this.kind = kind
    this.reason = reason
    this.facts = facts
  }
}
