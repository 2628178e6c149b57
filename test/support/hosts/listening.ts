/** Servers on a port, and their clients over a socket. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { admin } from '../fixtures/world.js'
import { type Caller, type Host, type Options, serve } from './server.js'
import { headersOf } from './tokens.js'

/** Starts a server on a free port. */
export async function listen(app: FastifyInstance) {
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { address, port: Number(new URL(address).port) }
}

/** The lists on a free port. */
export async function listening(t: Test, options: Options, host: Host = {}) {
  const server = await serve(t, options, { log: 'debug', ...host })
  return { ...server, ...(await listen(server.app)) }
}

/** Sends a request and returns its socket. */
export async function send(port: number, url: string, caller: Caller = admin): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${url} HTTP/1.1\r\nhost: lists\r\nauthorization: ${headersOf(caller).authorization}\r\n\r\n`)
  return socket
}

/** Sends a request and closes the socket after a number of milliseconds. */
export async function leave(port: number, url: string, milliseconds: number): Promise<void> {
  const socket = await send(port, url)
  await sleep(milliseconds)
  socket.destroy()
}

/** Sends the bytes of a request with `connection: close`, and returns all bytes that come back. */
export async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  // An `end` would half-close the connection, as a client does that leaves.
  socket.write(bytes)
  return Buffer.concat(await socket.toArray()).toString()
}
