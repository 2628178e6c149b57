/** Answers a request that failed, in the error body (contract 91), and tells the operator in one line. */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from '../errors/classify.js'
import type { Failure } from '../errors/failure.js'
import type { Messages } from '../lists/messages.js'
import type { Reach } from '../lists/reach.js'
import { isOver, sendError, writeError } from './reply-guard.js'
import { errorBody } from './response.js'

/** Seconds after which a client may try again. */
const retryAfter = 1

export interface FailureHandlers {
  /** The error handler of a route. Fastify calls it before the host's error handler. */
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void
  /** Answers past the host's hooks, which hang or have failed. The error handler for the answers of `answer`. */
  answerNow(error: unknown, request: FastifyRequest, reply: FastifyReply): void
}

/**
 * @param reaches of the requests that got so far
 * @param forbidden the text of a 403, by the list that the route's config names
 */
export function failureHandlers(
  reaches: WeakMap<FastifyRequest, Reach>,
  forbidden: ReadonlyMap<unknown, string>,
  messages: Readonly<Messages>
): FailureHandlers {
  /** Requests whose passed deadline is in the log. */
  const timedOut = new WeakSet<FastifyRequest>()
  const listOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config as { list?: string }).list

  /** Logs the failure, and gives the body of its answer. */
  function bodyOf(failure: Failure, request: FastifyRequest): string {
    const { statusCode, kind, facts } = failure
    // Refusals help people who build a client, so they are logged at debug.
    const level = statusCode === 500 ? 'error' : statusCode > 500 ? 'warn' : 'debug'
    const list = listOf(request)
    const reach = reaches.get(request)
    // A 504 that a hook holds back is answered twice and logged once.
    if (!timedOut.has(request)) request.log[level]({ list, ...(reach && { reach }), kind, ...facts }, failure.message)
    if (kind === 'timeout') timedOut.add(request)
    return errorBody(statusCode, textOf(failure, forbidden.get(list), messages))
  }

  return {
    answer(error, request, reply) {
      // The deadline has answered, and the answer that it replaced has failed in a hook since.
      if (isOver(reply)) return
      const failure = failureOf(error, reply.statusCode)
      sendError(reply, failure.statusCode, bodyOf(failure, request), headersOf(failure))
    },
    answerNow(error, request, reply) {
      if (reply.sent) return
      const failure = failureOf(error)
      const body = bodyOf(failure, request)
      // An answer that has begun cannot be replaced. The client must see that the answer is not whole.
      if (reply.raw.headersSent) reply.raw.destroy()
      else writeError(reply, failure.statusCode, body, headersOf(failure))
    }
  }
}

/** RFC 9110, sections 11.6.1 and 10.2.3. */
function headersOf({ statusCode }: Failure): Record<string, string | number> {
  if (statusCode === 401) return { 'www-authenticate': 'Bearer' }
  return statusCode === 503 ? { 'retry-after': retryAfter } : {}
}

function textOf(
  { kind, message, statusCode }: Failure,
  forbidden: string | undefined,
  messages: Readonly<Messages>
): string {
  const status = `${STATUS_CODES[statusCode] ?? 'Error'}.`
  switch (kind) {
    case 'parameter':
      return message
    case 'forbidden':
      return forbidden ?? status
    case 'host':
      return status
    default:
      return messages[kind]
  }
}
