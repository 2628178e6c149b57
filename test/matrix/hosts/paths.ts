/** Hosts that have the lists at other paths, or other rules for paths. */
import jwt from '@fastify/jwt'
import Fastify, { type FastifyInstance } from 'fastify'
import listing from '../../../src/index.js'
import { secret } from '../../support/hosts/server.js'
import type { Host } from '../host.js'

export const paths: readonly Host[] = [
  {
    name: 'all of it in a scope of its own, with a prefix in a prefix',
    build: (lists) => {
      const app = Fastify()
      const own = async (scope: FastifyInstance) => {
        scope.register(jwt, { secret })
        scope.register(listing, { ...lists, prefix: '/v2' })
      }
      app.register(own, { prefix: '/api' })
      return app
    },
    url: (path) => `/api/v2${path}`
  },
  {
    name: 'a database for each tenant',
    lists: (_app, { db }) => ({ prefix: '/:tenant', db: (request) => (typeof db === 'function' ? db(request) : db) }),
    url: (path) => `/acme${path}`
  },
  {
    name: 'URLs that it rewrites',
    server: { rewriteUrl: ({ url = '' }) => url.replace('/v1/', '/') },
    url: (path) => `/v1${path}`
  },
  {
    name: 'trailing slashes that count for nothing',
    server: { routerOptions: { ignoreTrailingSlash: true } },
    url: (path) => path.replace('/list', '/list/')
  },
  {
    name: 'repeated slashes that count as one',
    server: { routerOptions: { ignoreDuplicateSlashes: true } },
    url: (path) => path.replace('/list', '//list')
  },
  {
    name: 'paths in either case',
    server: { routerOptions: { caseSensitive: false } },
    url: (path) => path.replace('/list', '/LIST')
  },
  { name: 'queries that may begin with a semicolon', server: { useSemicolonDelimiter: true } },
  {
    name: 'queries that do begin with a semicolon',
    server: { useSemicolonDelimiter: true },
    url: (path) => path.replace('/list?', '/list;')
  },
  {
    name: 'a route for everything else',
    before: (app) => {
      app.all('/*', () => 'host')
      app.get('/:kind/:what', () => 'host')
    }
  },
  {
    name: 'versions of its routes',
    before: (app) =>
      app.addHook('onRoute', (route) => void Object.assign(route, { constraints: { version: '1.0.0' } })),
    sends: { 'accept-version': '1.x' }
  }
]
