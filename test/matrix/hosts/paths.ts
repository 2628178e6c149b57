/** Hosts that have the lists at other paths, or other rules for paths. */
import jwt from '@fastify/jwt'
import Fastify, { type FastifyInstance } from 'fastify'
import { Kysely } from 'kysely'
import { sqlite } from '../../../examples/sqlite.js'
import listing from '../../../src/index.js'
import { secret } from '../../support/server.js'
import type { Host } from '../host.js'

/** Lists of another database, which does not even have tables. */
const otherLists = {
  prefix: '/other',
  db: new Kysely<object>({ dialect: sqlite() }),
  resolveRole: () => null,
  checkOnReady: 'off'
} as const

export const paths: readonly Host[] = [
  {
    name: 'a database for each tenant',
    lists: (_app, { db }) => ({ prefix: '/:tenant', db: (request) => (typeof db === 'function' ? db(request) : db) }),
    url: (path) => `/acme${path}`
  },
  {
    name: 'all of it in a scope of its own, with a prefix in a prefix',
    build: (lists) => {
      const app = Fastify()
      const scoped = async (scope: FastifyInstance) => {
        scope.register(jwt, { secret })
        scope.register(listing, { ...lists, prefix: '/v2' })
      }
      return app.register(scoped, { prefix: '/api' })
    },
    url: (path) => `/api/v2${path}`
  },
  { name: 'other lists registered later', after: (app) => app.register(listing, otherLists) },
  {
    name: 'URLs that it rewrites',
    server: { rewriteUrl: ({ url = '' }) => url.replace('/v1/', '/') },
    url: (path) => `/v1${path}`
  },
  {
    name: 'paths in either case, with slashes that count for nothing',
    server: { routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } },
    url: (path) => path.replace('/list', '//LIST/')
  },
  { name: 'queries that may begin with a semicolon', server: { useSemicolonDelimiter: true } },
  {
    name: 'queries that do begin with a semicolon',
    server: { useSemicolonDelimiter: true },
    url: (path) => path.replace('/list?', '/list;')
  }
]
