/** Tells when a client leaves. */
import type { EventEmitter } from 'node:events'
import type { FastifyRequest } from 'fastify'

type Connection = EventEmitter & { destroyed?: boolean }

/** Pipelined requests share one listener, because Node.js warns above ten. */
const listeners = new WeakMap<Connection, Set<() => void>>()

/**
 * Listens to the socket, or to the HTTP/2 stream. Replies and requests do not report a disconnect: of pipelined replies,
 * only the first closes with the socket. A request also closes when a hook has read the body.
 *
 * @returns removes the listener. Undefined if the connection is closed already
 */
export function onClose(raw: FastifyRequest['raw'], listener: () => void): (() => void) | undefined {
  const connection = (raw as { stream?: Connection }).stream ?? (raw.socket as Connection)
  if (connection.destroyed) return undefined
  const all = listeners.get(connection) ?? new Set()
  if (!listeners.has(connection)) {
    listeners.set(connection, all)
    connection.once('close', () => {
      for (const each of all) each()
    })
  }
  all.add(listener)
  return () => all.delete(listener)
}
