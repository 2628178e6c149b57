/** Hosts with handlers and hooks of their own. */
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { Host } from '../host.js'

export const hooks: readonly Host[] = [
  {
    name: 'an error handler',
    before: (app) => app.setErrorHandler((_error, _request, reply) => reply.code(418).send('host'))
  },
  { name: 'an error handler, set later', after: (app) => app.setErrorHandler((error) => error) },
  { name: 'a not-found handler', before: (app) => app.setNotFoundHandler((_request, reply) => reply.send('host')) },
  {
    name: 'a slow hook at every step that does nothing',
    before: (app) => {
      for (const step of ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onResponse'] as const) {
        app.addHook(step, () => setImmediate())
      }
      app.addHook('preSerialization', async (_request, _reply, payload) => payload)
      app.addHook('onSend', async (_request, _reply, payload) => payload)
      app.addHook('onError', async () => undefined)
    }
  },
  {
    name: 'an envelope for every answer',
    before: (app) => app.addHook('preSerialization', async (_request, _reply, payload) => ({ payload }))
  },
  {
    name: 'a hook that changes the parsed query',
    before: (app) =>
      app.addHook('preValidation', async (request) => void Object.assign(request, { query: { page: 2, limit: 1000 } }))
  },
  {
    name: 'a hook that sets a header first',
    before: (app) =>
      app.addHook('onRequest', async ({ id }, reply) => void reply.headers({ 'x-request-id': id, server: 'host' })),
    adds: ['x-request-id', 'server']
  },
  {
    name: 'a hook that sets a header last',
    before: (app) => app.addHook('onSend', async (_request, reply) => void reply.header('x-frame-options', 'DENY')),
    adds: ['x-frame-options']
  },
  {
    name: 'another media type for every answer',
    before: (app) => app.addHook('onRequest', async (_request, reply) => void reply.type('text/html'))
  },
  {
    name: 'caching of every answer',
    before: (app) => {
      const cache = async (_request: unknown, reply: FastifyReply) =>
        void reply.header('cache-control', 'public, max-age=60')
      app.addHook('onRequest', cache).addHook('onSend', cache)
    }
  },
  {
    name: 'hooks for each route',
    before: (app) =>
      app.addHook('onRoute', (route) => {
        route.preHandler = [async () => undefined]
        route.onSend = [async (_request, _reply, payload) => payload]
        route.config = Object.assign({}, route.config, { own: true })
        route.schema = { ...route.schema, tags: ['host'] }
      })
  },
  {
    name: 'decorators',
    before: (app) =>
      app.decorate('settings', { db: 1 }).decorateRequest('caller', 'host').decorateReply('failure', 'host')
  },
  {
    name: 'parsers for every body',
    before: (app) => {
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', async () => 'host')
    },
    sends: { 'content-type': 'application/xml' }
  }
]
