/** Answers and logs the failed requests of a list (contract 91). */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from '../errors/classify.js'
import type { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import type { SharedMessages } from '../lists/messages.js'
import { contentType, errorBody } from '../lists/schemas.js'
import { exchangeOf } from './exchange.js'
import { removeStale, writeError } from './raw-error.js'

const retryAfterSeconds = 1

/** The text of a failure for the client. */
export function clientTextOf(
  { kind, message, clientMessage = message, statusCode }: Failure,
  { forbidden }: Pick<List, 'forbidden'>,
  messages: SharedMessages
): string {
  if (kind === 'parameter' || kind === 'aborted') return clientMessage
  if (kind === 'host') return `${STATUS_CODES[statusCode] ?? 'Error'}.`
  return kind === 'forbidden' ? forbidden : messages[kind]
}

export function failuresOf(list: Pick<List, 'name' | 'forbidden'>, messages: SharedMessages) {
  function logAndSerialize(failure: Failure, reply: FastifyReply): string {
    const { statusCode, kind, facts, message } = failure
    const exchange = exchangeOf(reply)
    const { reach, waitingFor } = exchange
    // `write` answers a 504 again if a hook delays the answer.
    if (!exchange.hasTimedOut) {
      exchange.hasTimedOut = kind === 'timeout'
      // Refusals help only developers of clients.
      const level = statusCode === 500 ? 'error' : statusCode > 500 ? 'warn' : 'debug'
      const details = { list: list.name, ...(reach && { reach }), kind, ...facts }
      const milliseconds = Math.round(reply.elapsedTime)
      reply.log[level](exchange.hasTimedOut ? { ...details, waitingFor, milliseconds } : details, message)
      // The failed step ends here. The hooks of the host can still delay the answer.
      if (!exchange.hasTimedOut) exchange.waitingFor = 'hook'
    }
    return errorBody(statusCode, clientTextOf(failure, list, messages))
  }

  return {
    /** The error handler of a route. Sends a failure in place of the answer that failed. */
    send(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
      const exchange = exchangeOf(reply)
      // A hook failed on an answer that the 504 has replaced.
      if (exchange.state === 'over') return
      exchange.claim()
      const failure = failureOf(error, reply.statusCode)
      const { statusCode } = failure
      removeStale(reply)
      for (const [name, value] of Object.entries(headersOf(statusCode))) {
        // A rate limiter can set its own `retry-after`.
        if (name !== 'retry-after' || !reply.hasHeader(name)) reply.header(name, value)
      }
      reply.code(statusCode).type(contentType)
      exchange.send(logAndSerialize(failure, reply))
    },

    /** Answers without the host's hooks, because a hook hangs or has failed. */
    write(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
      if (reply.sent) return
      const failure = failureOf(error)
      const body = logAndSerialize(failure, reply)
      // The client must notice that the answer is incomplete.
      if (reply.raw.headersSent) reply.raw.destroy()
      else writeError(reply, failure.statusCode, body, headersOf(failure.statusCode))
    }
  }
}

/** Contract 106 and 107. */
function headersOf(statusCode: number): Record<string, string | number> {
  if (statusCode === 401) return { 'www-authenticate': 'Bearer' }
  return statusCode === 503 ? { 'retry-after': retryAfterSeconds } : {}
}
