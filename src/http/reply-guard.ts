/**
 * Lets one answer out for each request. A hook of the host can hold an answer back, and a second answer meanwhile
 * would change the status and the media type of the first. So the first `send` counts and later ones are dropped.
 * At the deadline the 504 is written at once, past the hooks, and what comes out of the hooks after that is dropped.
 */
import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { maskUrl } from './request-log.js'
import { contentType } from './response.js'

/** The answer of one reply. */
interface Guarded {
  /** Fastify's own `send`. */
  readonly send: FastifyReply['send']
  /** The answer that counts: its status and its media type. None before the first `send`. */
  answer?: { status: number; type: unknown }
  /** The server's 404 handler is about to answer. */
  isNotFound: boolean
}

const guarded = new WeakMap<FastifyReply, Guarded>()

/** Whether an answer is on its way, also while a hook holds it back. */
export const isAnswering = (reply: FastifyReply): boolean => {
  const { answer, isNotFound } = guarded.get(reply) as Guarded
  return isOver(reply) || answer !== undefined || isNotFound
}

/** Whether nothing can be answered any more: the answer is being written, or the host has hijacked the reply. */
export const isOver = ({ sent, raw }: FastifyReply): boolean => sent || raw.headersSent

const answerOf = (reply: FastifyReply) => ({ status: reply.statusCode, type: reply.getHeader('content-type') })

function restore(reply: FastifyReply, { status, type }: NonNullable<Guarded['answer']>): void {
  reply.code(status)
  if (type === undefined) reply.removeHeader('content-type')
  else reply.header('content-type', type)
}

/** Every answer is the caller's own (contract 105). */
const noStore = 'private, no-store'

/** Guards each reply of our scope, and adds our last step to each answer. */
export function guardReplies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { send, callNotFound } = reply
    const guard: Guarded = { send, isNotFound: false }
    guarded.set(reply, guard)
    reply.send = (payload) => {
      if (isOver(reply) || guard.answer) {
        // the second sender has set its own before
        if (guard.answer && !isOver(reply)) restore(reply, guard.answer)
        request.log.debug(
          'A hook or a callback of the server has answered a second time. The second answer is dropped.'
        )
        return drop(payload, reply)
      }
      guard.answer = answerOf(reply)
      send.call(reply, payload)
      // Fastify has set the media type of the payload.
      guard.answer = answerOf(reply)
      return reply
    }
    reply.callNotFound = () => {
      guard.isNotFound = true
      hideTerm(request)
      return callNotFound.call(reply)
    }
    done()
  })

  // In `onRoute`, so that no hook that the host adds to each route comes after it.
  app.addHook('onRoute', (route) => {
    const hooks = [route.onSend ?? []].flat()
    route.onSend = [
      ...hooks,
      (_request, reply, payload, done) => {
        if (isOver(reply)) return void drop(payload, reply)
        reply.header('cache-control', noStore)
        done()
      }
    ]
  })
}

/** Fastify logs the URL of a route that is not found. */
function hideTerm({ raw, url }: FastifyRequest): void {
  raw.url = maskUrl(url)
}

/** Drops a payload. A stream is destroyed, because an open file would stay open. */
function drop(payload: unknown, reply: FastifyReply): FastifyReply {
  const { destroy } = Object(payload)
  if (typeof destroy === 'function') destroy.call(payload)
  return reply
}

/** Headers that describe an answer that is not sent. */
const stale = new Set([
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'trailer',
  'transfer-encoding'
])

function removeStale(reply: FastifyReply): void {
  for (const name of Object.keys(reply.getHeaders())) if (stale.has(name)) reply.removeHeader(name)
}

/** Sends an error in place of an answer that has failed, or of none. */
export function sendError(
  reply: FastifyReply,
  statusCode: number,
  body: string,
  headers: Readonly<Record<string, string | number>>
): void {
  removeStale(reply)
  for (const [name, value] of Object.entries(headers)) {
    // A rate limiter of the host can set its own.
    if (name !== 'retry-after' || !reply.hasHeader(name)) reply.header(name, value)
  }
  reply.code(statusCode).type(contentType)
  const guard = guarded.get(reply)
  if (guard) guard.answer = answerOf(reply)
  const { send } = guard ?? reply
  send.call(reply, body)
}

/** Writes an error past the hooks, with the headers that the host has set so far. */
export function writeError(
  reply: FastifyReply,
  statusCode: number,
  body: string,
  ownHeaders: Readonly<Record<string, string | number>>
): void {
  const { raw, request } = reply
  removeStale(reply)
  for (const name of ['retry-after', 'www-authenticate']) reply.removeHeader(name)
  const headers = {
    ...ownHeaders,
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': noStore
  }
  // Node.js keeps the status message of an answer that could not be written. HTTP/2 has no status message.
  if (request.raw.httpVersionMajor === 1) raw.statusMessage = STATUS_CODES[statusCode] ?? ''
  try {
    raw.writeHead(statusCode, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers })
  } catch {
    // A header of the host is not valid.
    for (const name of raw.getHeaderNames()) raw.removeHeader(name)
    raw.writeHead(statusCode, headers)
  }
  raw.end(request.method === 'HEAD' ? undefined : body)
}
