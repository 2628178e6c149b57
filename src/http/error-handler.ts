/** Answers and logs failed requests (contract 91). */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from '../errors/classify.js'
import type { Failure } from '../errors/failure.js'
import type { Messages } from '../lists/messages.js'
import { errorBody } from '../lists/schemas.js'
import { isOver, sendError, writeError } from './reply-guard.js'
import { maskError } from './request-log.js'
import { requestStates } from './request-state.js'

const retryAfterSeconds = 1

export interface FailureHandlers {
  sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void
  /** Answers without the host's hooks, because a hook hangs or has failed. */
  writeFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void
}

/** @param forbidden the text of a 403, by list */
export function failureHandlers(
  forbidden: ReadonlyMap<unknown, string>,
  messages: Readonly<Messages>
): FailureHandlers {
  const timedOut = new WeakSet<FastifyRequest>()
  const listOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config as { list?: string }).list

  function logAndSerialize(failure: Failure, request: FastifyRequest): string {
    const { statusCode, kind, facts, cause } = failure
    // Refusals help only developers of clients.
    const level = statusCode === 500 ? 'error' : statusCode > 500 ? 'warn' : 'debug'
    const list = listOf(request)
    const state = requestStates.get(request)
    const { reach, waitingFor, caller } = state ?? {}
    const details = {
      list,
      ...(reach && { reach }),
      kind,
      ...facts,
      ...(kind === 'timeout' && { waitingFor }),
      ...(facts.callback && cause !== undefined && { error: maskError(cause, request, caller?.userId) })
    }
    // `writeFailure` answers a 504 again if a hook delays the answer.
    if (!timedOut.has(request)) {
      request.log[level](details, failure.message)
      // A refused token has a cause too. Only a log at this level pays for the mask.
      if (cause && !facts.callback && isDebug(request)) {
        request.log.debug(
          { list, error: maskError(cause, request, caller?.userId) },
          'This error was thrown. The values of the request are masked.'
        )
      }
    }
    if (kind === 'timeout') timedOut.add(request)
    else if (state) state.waitingFor = 'hook'
    return errorBody(statusCode, clientTextOf(failure, forbidden.get(list), messages))
  }

  return {
    sendFailure(error, request, reply) {
      // A hook failed on an answer that the 504 has replaced.
      if (isOver(reply)) return
      const failure = failureOf(error, reply.statusCode)
      sendError(reply, failure.statusCode, logAndSerialize(failure, request), headersOf(failure))
    },
    writeFailure(error, request, reply) {
      if (reply.sent) return
      const failure = failureOf(error)
      const body = logAndSerialize(failure, request)
      // The client must notice that the answer is incomplete.
      if (reply.raw.headersSent) reply.raw.destroy()
      else writeError(reply, failure.statusCode, body, headersOf(failure))
    }
  }
}

const isDebug = ({ log }: FastifyRequest) => ['debug', 'trace'].includes(log.level)

/** Contract 106 and 107. */
function headersOf({ statusCode }: Failure): Record<string, string | number> {
  if (statusCode === 401) return { 'www-authenticate': 'Bearer' }
  return statusCode === 503 ? { 'retry-after': retryAfterSeconds } : {}
}

function clientTextOf(
  { kind, message, clientMessage = message, statusCode }: Failure,
  forbidden: string | undefined,
  messages: Readonly<Messages>
): string {
  const status = `${STATUS_CODES[statusCode] ?? 'Error'}.`
  switch (kind) {
    case 'parameter':
      return clientMessage
    case 'forbidden':
      return forbidden ?? status
    case 'host':
      return status
    default:
      return messages[kind]
  }
}
