/** What a client gets in place of an answer that fails, and its line in the log (contract 91 to 107). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from '../errors/classify.js'
import { clientTextOf, type SharedMessages } from '../errors/client-texts.js'
import type { Failure } from '../errors/failure.js'
import type { ListErrorBody } from '../lists/answer-schemas.js'
import type { List } from '../lists/list.js'
import { nameOf } from '../visibility/grant.js'
import { exchangeOf } from './exchange.js'

export const contentType = 'application/json; charset=utf-8'

export const noStore = 'private, no-store'

/** Contract 106 and 107, which counts seconds. */
function headersOf(statusCode: number): Record<string, string | number> {
  if (statusCode === 401) return { 'www-authenticate': 'Bearer' }
  return statusCode === 503 ? { 'retry-after': 1 } : {}
}

/** Headers that describe the body that an error replaces. */
const ofBody = (
  'content-disposition content-encoding content-length content-location content-md5 content-range content-type ' +
  'etag last-modified trailer transfer-encoding'
).split(' ')

export function errorHandlersOf(list: Pick<List, 'name' | 'messages' | 'record'>, messages: SharedMessages) {
  function logAndSerialize(failure: Failure, reply: FastifyReply): string {
    const { statusCode, kind, facts, message } = failure
    const { reach, waitingFor } = exchangeOf(reply) ?? {}
    // Refusals help only developers of clients.
    const level = statusCode === 500 ? 'error' : statusCode > 500 ? 'warn' : 'debug'
    const late = kind === 'timeout' && { waitingFor, milliseconds: Math.round(reply.elapsedTime) }
    reply.log[level]({ list: list.name, ...(reach && { reach: nameOf(reach) }), kind, ...facts, ...late }, message)
    const error = clientTextOf(failure, list, messages)
    return JSON.stringify({ status: statusCode, error } satisfies ListErrorBody)
  }

  return {
    /** The error handler of a route. Sends a failure in place of the answer that failed. */
    send(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
      const failure = failureOf(error, reply.statusCode)
      const { statusCode } = failure
      // To remove an absent `transfer-encoding` would disable chunks.
      for (const name of ofBody.filter((name) => reply.hasHeader(name))) reply.removeHeader(name)
      for (const [name, value] of Object.entries(headersOf(statusCode))) {
        // A rate limiter can set its own `retry-after`.
        if (name !== 'retry-after' || !reply.hasHeader(name)) reply.header(name, value)
      }
      reply.code(statusCode).type(contentType).send(logAndSerialize(failure, reply))
    },

    /** The error handler for a hook of the host that fails on the body of `send`. Answers without hooks. */
    write(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
      const failure = failureOf(error)
      const { statusCode } = failure
      const body = logAndSerialize(failure, reply)
      reply.hijack()
      reply.raw.writeHead(statusCode, {
        ...headersOf(statusCode),
        'content-type': contentType,
        'cache-control': noStore,
        'content-length': Buffer.byteLength(body)
      })
      reply.raw.end(request.method === 'HEAD' ? undefined : body)
    }
  }
}
