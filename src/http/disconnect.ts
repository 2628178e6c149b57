/** Tells when a client leaves. */
import type { EventEmitter } from 'node:events'
import type { FastifyRequest } from 'fastify'

type Connection = EventEmitter & { destroyed?: boolean }

/**
 * Listens to the socket, or to the HTTP/2 stream. Replies and requests do not report a disconnect: of pipelined replies,
 * only the first closes with the socket. A request also closes when a hook has read the body.
 *
 * @returns removes the listener. Undefined if the connection is closed already
 */
export function onClose(raw: FastifyRequest['raw'], listener: () => void): (() => void) | undefined {
  const connection = (raw as { stream?: Connection }).stream ?? (raw.socket as Connection)
  if (connection.destroyed) return undefined
  // Each pipelined request adds a listener, and Node.js warns above ten.
  connection.setMaxListeners(0).once('close', listener)
  return () => connection.off('close', listener)
}
