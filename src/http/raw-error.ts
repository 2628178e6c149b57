/** Writes an error without the host's hooks. */
import { type OutgoingHttpHeaders, STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'
import { contentType } from '../lists/schemas.js'
import { noStore } from './exchange.js'

/** Headers that describe the replaced body. */
const stale = (
  'content-disposition content-encoding content-length content-location content-md5 content-range content-type ' +
  'etag last-modified trailer transfer-encoding'
).split(' ')

export function removeStale(reply: FastifyReply, ...more: readonly string[]): void {
  // To remove an absent `transfer-encoding` would disable chunks.
  for (const name of [...stale, ...more].filter((name) => reply.hasHeader(name))) reply.removeHeader(name)
}

/** The answer keeps the other headers that the host has set. */
export function writeError(
  reply: FastifyReply,
  statusCode: number,
  body: string,
  ownHeaders: Readonly<OutgoingHttpHeaders>
): void {
  const { raw, request } = reply
  removeStale(reply, 'retry-after', 'www-authenticate')
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
