/** Answers a request that failed, in the contract's error body, and tells the operator in one line. */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentType, errorBody } from './envelope.js'
import { type Failure, failureOf } from './errors.js'
import { maskUrl } from './log.js'
import type { Messages } from './messages.js'
import type { Reach } from './visibility.js'

/** Seconds after which a client may try again. */
const retryAfter = 1

/**
 * The error handler of one list's routes; it wins over the host's.
 *
 * @param reaches of the requests that got so far
 */
export function failureHandler(
  list: string,
  reaches: WeakMap<FastifyRequest, Reach>,
  forbidden: string,
  messages: Readonly<Messages>
) {
  return function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const failure = failureOf(error, reply.statusCode)
    const { statusCode, kind, facts } = failure
    // why a request was refused is for the one who builds a client; a parameter's text is in the answer
    const level = statusCode === 500 ? 'error' : statusCode > 500 ? 'warn' : 'debug'
    const reach = reaches.get(request)
    request.log[level]({ list, ...(reach && { reach }), kind, ...facts }, failure.message)
    // should a hook of the host answer after the deadline, Fastify warns with the URL
    if (kind === 'timeout') request.raw.url = maskUrl(request.url)
    // RFC 9110, sections 11.6.1 and 10.2.3; a host's rate limiter may have set its own
    if (statusCode === 401) reply.header('www-authenticate', 'Bearer')
    if (statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfter)
    reply
      .code(statusCode)
      .type(contentType)
      .send(errorBody(statusCode, textOf(failure, forbidden, messages)))
  }
}

function textOf({ kind, message, statusCode }: Failure, forbidden: string, messages: Readonly<Messages>): string {
  switch (kind) {
    case 'parameter':
      return message
    case 'forbidden':
      return forbidden
    case 'host':
      return `${STATUS_CODES[statusCode] ?? 'Error'}.`
    default:
      return messages[kind]
  }
}
