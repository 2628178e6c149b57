/**
 * What can go wrong with a request, as the client sees it, one kind a line. `failureOf` makes a `Failure` of everything
 * that is thrown. The client and the log see only the failure.
 */
import type { Facts } from './error-details.js'

/** Kind of failure → HTTP status (contract 92 to 98). */
const statuses = {
  parameter: 400,
  unauthorized: 401,
  forbidden: 403,
  internal: 500,
  unavailable: 503,
  timeout: 504
} as const

export type FailureKind = keyof typeof statuses | 'host'

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly statusCode: number

  /** @param message for the operator. Only the message of a `parameter` failure is also for the client */
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly facts: Facts = {},
    statusCode?: number
  ) {
    super(message)
    this.statusCode = statusCode ?? (kind === 'host' ? 500 : statuses[kind])
  }
}
