/** Sends the first answer of a request, and drops others. */
import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentType } from '../lists/schemas.js'
import { property } from './property.js'
import { maskUrl } from './request-log.js'

interface Guarded {
  readonly send: FastifyReply['send']
  firstAnswer?: { status: number; type: unknown }
  isNotFound: boolean
}

const guarded = property<FastifyReply, Guarded>()

/** Also true while a hook delays the answer. */
export const isAnswering = (reply: FastifyReply): boolean => {
  const { firstAnswer, isNotFound } = guarded.get(reply) as Guarded
  return isOver(reply) || firstAnswer !== undefined || isNotFound
}

/** Also true when the host has hijacked the reply. */
export const isOver = ({ sent, raw }: FastifyReply): boolean => sent || raw.headersSent

const answerOf = (reply: FastifyReply) => ({ status: reply.statusCode, type: reply.getHeader('content-type') })

function restore(reply: FastifyReply, { status, type }: NonNullable<Guarded['firstAnswer']>): void {
  reply.code(status)
  if (type === undefined) reply.removeHeader('content-type')
  else reply.header('content-type', type)
}

const noStore = 'private, no-store'

/**
 * Sends only the first answer. While a hook of the host delays an answer, a second `send` would change the status and
 * the media type of the first answer.
 */
export function guardReplies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { send, callNotFound } = reply
    const guard: Guarded = { send, isNotFound: false }
    guarded.set(reply, guard)
    reply.send = (payload) => {
      if (isOver(reply) || guard.firstAnswer) {
        // The second sender has already changed the status.
        if (guard.firstAnswer && !isOver(reply)) restore(reply, guard.firstAnswer)
        request.log.debug('A hook or a callback of the server sent a second answer, which is dropped.')
        return drop(payload, reply)
      }
      guard.firstAnswer = answerOf(reply)
      send.call(reply, payload)
      // `send` can set the media type.
      guard.firstAnswer = answerOf(reply)
      return reply
    }
    reply.callNotFound = () => {
      guard.isNotFound = true
      maskRequestUrl(request)
      return callNotFound.call(reply)
    }
    done()
  })

  beforeSending(app, (reply, payload) => {
    if (!isOver(reply)) return true
    drop(payload, reply)
    return false
  })
}

/** Sets `Cache-Control` on every answer (contract 105). */
export function forbidCaching(app: FastifyInstance): void {
  beforeSending(app, (reply) => {
    reply.header('cache-control', noStore)
    return true
  })
}

/** Runs after the host's `onSend` hooks, which the host's own `onRoute` can add. */
function beforeSending(app: FastifyInstance, hook: (reply: FastifyReply, payload: unknown) => boolean): void {
  app.addHook('onRoute', (route) => {
    const hooks = [route.onSend ?? []].flat()
    route.onSend = [...hooks, (_request, reply, payload, done) => void (hook(reply, payload) && done())]
  })
}

/** Fastify logs the URL of an unknown route (contract 104). */
function maskRequestUrl({ raw, url }: FastifyRequest): void {
  raw.url = maskUrl(url)
}

/** A stream would keep its file open. */
function drop(payload: unknown, reply: FastifyReply): FastifyReply {
  const { destroy } = Object(payload)
  if (typeof destroy === 'function') destroy.call(payload)
  return reply
}

/** Headers that describe the replaced body. */
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

export function sendError(
  reply: FastifyReply,
  statusCode: number,
  body: string,
  headers: Readonly<Record<string, string | number>>
): void {
  removeStale(reply)
  for (const [name, value] of Object.entries(headers)) {
    // A rate limiter can set its own `retry-after`.
    if (name !== 'retry-after' || !reply.hasHeader(name)) reply.header(name, value)
  }
  reply.code(statusCode).type(contentType)
  const guard = guarded.get(reply)
  if (guard) guard.firstAnswer = answerOf(reply)
  const { send } = guard ?? reply
  send.call(reply, body)
}

/** Writes an error without the host's hooks, but with the headers that the host has set. */
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
  // A failed `writeHead` leaves its status message. HTTP/2 has none.
  if (request.raw.httpVersionMajor === 1) raw.statusMessage = STATUS_CODES[statusCode] ?? ''
  try {
    raw.writeHead(statusCode, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headers })
  } catch {
    // The host has set an invalid header.
    for (const name of raw.getHeaderNames()) raw.removeHeader(name)
    raw.writeHead(statusCode, headers)
  }
  raw.end(request.method === 'HEAD' ? undefined : body)
}
