/** Converts any thrown value to a `Failure`. */
import { callbackOf } from './callbacks.js'
import { isMissing, isTimedOut, isTokenError, isUnreachable, poolerAdvice } from './driver-errors.js'
import { factsOf, findCause, reportOf } from './error-details.js'
import { Failure, type FailureKind } from './failure.js'

/** Other statuses, and 400, have the kind `host`. */
const kindOf = new Map<number, FailureKind>([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [500, 'internal'],
  [503, 'unavailable'],
  [504, 'timeout']
])

/**
 * The facts never hold the message, because drivers write SQL and values into messages.
 *
 * @param replyStatus status that the host sets on the reply before it throws an error without a status
 */
export function failureOf(error: unknown, replyStatus?: number): Failure {
  if (error instanceof Failure) return error
  const failure = classified(error, replyStatus)
  failure.cause = error
  return failure
}

function classified(error: unknown, replyStatus: number | undefined): Failure {
  const reported = reportOf(error)
  const callback = callbackOf(error)
  const facts = { ...(callback && { callback }), ...factsOf(reported) }
  if (isTokenError(reported)) return new Failure('unauthorized', 'The token was refused.', facts)
  if (isTimedOut(reported)) return new Failure('timeout', 'The deadline passed.', facts)
  const refusal = (status: number) =>
    new Failure(kindOf.get(status) ?? 'host', 'The host refused with an error.', facts, status)
  if (isErrorStatus(reported.statusCode)) return refusal(reported.statusCode)
  // A callback may have a database of its own.
  const advice = callback ? undefined : poolerAdvice(reported)
  if (advice) return new Failure('internal', advice, facts)
  const unreached = findCause(reported, isUnreachable)
  if (unreached) {
    return new Failure('unavailable', 'A server that this request needs cannot be reached.', {
      ...facts,
      ...factsOf(unreached)
    })
  }
  if (!callback && isMissing(reported)) {
    const missing = 'table or column'
    return new Failure('internal', 'A table or a column of the option `tables` is missing in the database.', {
      ...facts,
      missing
    })
  }
  if (isErrorStatus(replyStatus)) return refusal(replyStatus)
  return new Failure('internal', callback ? `${callback} threw an error.` : 'An unexpected error was thrown.', facts)
}

const isErrorStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
