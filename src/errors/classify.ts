/** Converts any thrown value to a `Failure`. */
import { callbackOf } from './callbacks.js'
import { isRefused, isTimedOut, isTokenError, isUnreachable, missingIn, refusedAdvice } from './driver-error-codes.js'
import { factsOf, reportOf, withCauses } from './error-details.js'
import { type Facts, Failure, type FailureKind, statuses } from './failure.js'

/** @param replyStatus status that the host sets on the reply before it throws an error without a status */
export function failureOf(error: unknown, replyStatus?: number): Failure {
  if (error instanceof Failure) return error
  const failure = classified(error, replyStatus)
  failure.cause = error
  return failure
}

function classified(error: unknown, replyStatus: number | undefined): Failure {
  const reported = reportOf(error)
  const all = withCauses(reported)
  const callback = callbackOf(error)
  // Libraries wrap the error of a driver.
  const missing = all.map(missingIn).find(Boolean)
  const facts = {
    ...factsOf(reported),
    ...(callback && { callback }),
    ...(missing && { missing }),
    // Probably an error of the host's own. Drivers write SQL and values into messages.
    ...(callback && all.every(({ isPlain }) => isPlain) && { error: `${reported.className}: ${reported.message}` })
  }
  const refusal = (status: number) =>
    new Failure(kindOfStatus(status), 'The host refused with an error.', facts, status)
  const late = (more?: Facts) => new Failure('timeout', 'The deadline passed.', { ...facts, ...more })

  if (isTokenError(reported)) return new Failure('unauthorized', 'The token was refused.', facts)
  if (isTimedOut(reported)) return late()
  if (isErrorStatus(reported.statusCode)) return refusal(reported.statusCode)
  // A pool that waits for a slow statement can time out too, so the outer error decides.
  const first = all.find((each) => isTimedOut(each) || isUnreachable(each))
  if (first && isTimedOut(first)) return late(factsOf(first))
  if (first) {
    const text = 'A server that this request needs cannot be reached.'
    return new Failure('unavailable', text, { ...facts, ...factsOf(first) })
  }
  const lack = `Missing in the database: ${missing}.`
  if (missing && !callback) {
    const text = `${lack} Create the table or the column, or map your own in the option 'tables'.`
    return new Failure('internal', text, facts)
  }
  if (isErrorStatus(replyStatus)) return refusal(replyStatus)
  // A callback may have a database of its own.
  if (!callback && all.some(isRefused)) return new Failure('internal', refusedAdvice, facts)
  const text = callback ? `${callback} threw an error.` : 'An unexpected error was thrown.'
  return new Failure('internal', missing ? `${text} ${lack}` : text, facts)
}

const ownKinds = ['unauthorized', 'forbidden', 'internal', 'unavailable', 'timeout'] as const

const kindOfStatus = (status: number): FailureKind => ownKinds.find((kind) => statuses[kind] === status) ?? 'host'

const isErrorStatus = (status: number | undefined): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
