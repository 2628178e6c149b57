/** A Fastify server that checks tokens, as @fastify/jwt teaches it. */
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { ready, settings } from './serve.mjs'

/** @typedef {{ sub: string, role: string }} Token */

export async function fastify() {
  const app = Fastify()
  await app.register(jwt, { secret: settings().secret, verify: { algorithms: ['HS256'] } })
  return app
}

/** @param {Awaited<ReturnType<typeof fastify>>} app */
export async function listen(app) {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const [{ port }] = /** @type {[import('node:net').AddressInfo]} */ (app.addresses())
  ready(port)
}
