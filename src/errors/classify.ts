/** Converts any thrown value to a `Failure`. */
import { callbackOf } from './callbacks.js'
import { isTimedOut, isTokenError, isUnreachable, missingIn, poolerAdvice } from './driver-errors.js'
import { factsOf, findCause, type Reported, reportOf } from './error-details.js'
import { Failure, type FailureKind } from './failure.js'

/** Other statuses, and 400, have the kind `host`. */
const kindOf = new Map<number, FailureKind>([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [500, 'internal'],
  [503, 'unavailable'],
  [504, 'timeout']
])

/** @param replyStatus status that the host sets on the reply before it throws an error without a status */
export function failureOf(error: unknown, replyStatus?: number): Failure {
  if (error instanceof Failure) return error
  const failure = classified(error, replyStatus)
  failure.cause = error
  return failure
}

function classified(error: unknown, replyStatus: number | undefined): Failure {
  const reported = reportOf(error)
  const callback = callbackOf(error)
  const facts = { ...factsOf(reported), ...(callback && { callback, ...textOf(reported) }) }
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
  const missing = callback ? undefined : missingIn(reported)
  if (missing !== undefined) {
    const text = 'A table or a column of the option `tables` is missing in the database.'
    const failure = new Failure('internal', text, { ...facts, missing })
    failure.isMisfit = true
    return failure
  }
  if (isErrorStatus(replyStatus)) return refusal(replyStatus)
  return new Failure('internal', callback ? `${callback} threw an error.` : 'An unexpected error was thrown.', facts)
}

/** The class and the message of an error that is the host's own. Drivers write SQL and values into messages. */
const textOf = (reported: Reported) =>
  findCause(reported, ({ isPlain }) => !isPlain) ? {} : { error: `${reported.className}: ${reported.message}` }

const isErrorStatus = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
