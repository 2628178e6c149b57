/** Hosts with handlers and hooks of their own. */
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { type Host, hostsThat } from '../host.js'

const cache = async (_request: unknown, reply: FastifyReply) => void reply.header('cache-control', 'public, max-age=60')

export const hooks: readonly Host[] = [
  ...hostsThat({
    'an error handler': (app) => app.setErrorHandler((_error, _request, reply) => reply.code(418).send('host')),
    'a not-found handler': (app) => app.setNotFoundHandler((_request, reply) => reply.send('host')),
    'a slow hook at every step that does nothing'(app) {
      for (const step of ['onRequest', 'preHandler', 'onResponse'] as const) app.addHook(step, () => setImmediate())
      for (const step of ['preParsing', 'preValidation'] as const) app.addHook(step, async () => undefined)
      app.addHook('preSerialization', async (_request, _reply, payload) => payload)
      app.addHook('onSend', async (_request, _reply, payload) => payload)
      app.addHook('onError', async () => undefined)
    },
    'an envelope for every answer': (app) =>
      app.addHook('preSerialization', async (_request, _reply, payload) => ({ payload })),
    'a hook that changes the parsed query': (app) =>
      app.addHook('preValidation', async (request) => void Object.assign(request, { query: { page: 2, limit: 1000 } })),
    'another media type for every answer': (app) =>
      app.addHook('onRequest', async (_request, reply) => void reply.type('text/html')),
    'caching of every answer': (app) => app.addHook('onRequest', cache).addHook('onSend', cache),
    'hooks for each route': (app) =>
      app.addHook('onRoute', (route) => {
        route.preHandler = [async () => undefined]
        route.onSend = [async (_request, _reply, payload) => payload]
        route.config = Object.assign({}, route.config, { own: true })
        route.schema = { ...route.schema, tags: ['host'] }
      }),
    decorators: (app) =>
      app.decorate('settings', { db: 1 }).decorateRequest('caller', 'host').decorateReply('failure', 'host')
  }),
  { name: 'an error handler, set later', after: (app) => app.setErrorHandler((error) => error) },
  {
    name: 'a hook that sets headers first, and one that sets a header last',
    before: (app) => {
      app.addHook('onRequest', async ({ id }, reply) => void reply.headers({ 'x-request-id': id, server: 'host' }))
      app.addHook('onSend', async (_request, reply) => void reply.header('x-frame-options', 'DENY'))
    },
    adds: ['x-request-id', 'server', 'x-frame-options']
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
