/**
 * What can go wrong with a request, as the client sees it: one kind a line. Everything that is
 * thrown, by us, by the host's callbacks or by a driver, becomes one of these in `failureOf`, and
 * from there on neither the client nor the log sees anything else of it.
 */
import { isMissing, isTimedOut, isTokenError, isUnreachable } from './driver-errors.js'
import { type Facts, factsOf, findCause, reportOf } from './reported.js'

/** Kind of failure → HTTP status (contract A "Errors" and B5). */
const statuses = {
  parameter: 400,
  unauthorized: 401,
  forbidden: 403,
  internal: 500,
  unavailable: 503,
  timeout: 504
} as const

export type FailureKind = keyof typeof statuses | 'host'

/** The kind of a status that the host's own error has; any other one, and a 400, is only the `host`'s. */
const kindOf = new Map<number, FailureKind>([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [500, 'internal'],
  [503, 'unavailable'],
  [504, 'timeout']
])

export class Failure extends Error {
  override readonly name = 'Failure'
  readonly statusCode: number

  /** `message` is for the operator; only that of a `parameter` failure is also for the client. */
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

/**
 * Turns anything thrown into a `Failure`.
 *
 * A token error is a 401, an own `statusCode` of 4xx or 5xx is kept, a server that cannot be reached
 * is a 503, a passed deadline a 504, the rest a 500. The facts hold codes and the places in the code,
 * never the message: drivers write SQL and values into it.
 *
 * @param replyStatus the reply's, which the host may have set before it threw an error that has none
 */
export function failureOf(error: unknown, replyStatus?: number): Failure {
  if (error instanceof Failure) return error
  const reported = reportOf(error)
  const facts = factsOf(reported)
  if (isTokenError(reported)) return new Failure('unauthorized', 'The token was refused.', facts)
  if (isTimedOut(reported)) return new Failure('timeout', 'The deadline passed.', facts)
  const refusal = (status: number) =>
    new Failure(kindOf.get(status) ?? 'host', 'The host refused with an error.', facts, status)
  if (isErrorStatus(reported.statusCode)) return refusal(reported.statusCode)
  const unreached = findCause(reported, isUnreachable)
  if (unreached) {
    return new Failure('unavailable', 'A server that this request needs cannot be reached.', factsOf(unreached))
  }
  if (isMissing(reported)) {
    const missing = 'table or column'
    return new Failure('internal', 'The database does not have what the relations promise.', { ...facts, missing })
  }
  if (isErrorStatus(replyStatus)) return refusal(replyStatus)
  return new Failure('internal', 'An unexpected error was thrown.', facts)
}

const isErrorStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
