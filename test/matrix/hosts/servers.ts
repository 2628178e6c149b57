/** Hosts with settings of Fastify that are about the server and its connections. */
import { createServer } from 'node:http'
import jwt from '@fastify/jwt'
import Fastify, { type FastifyInstance } from 'fastify'
import qs from 'qs'
import listing from '../../../src/index.js'
import { secret } from '../../support/hosts/server.js'
import { openHttp2Client } from '../client.js'
import type { Host } from '../host.js'

export const servers: readonly Host[] = [
  {
    name: 'HTTP/2',
    build: (lists) => {
      const app = Fastify({ http2: true })
      app.register(jwt, { secret })
      app.register(listing, lists)
      return app as unknown as FastifyInstance
    },
    client: openHttp2Client,
    // those of HTTP/1.1 connections
    adds: ['connection', 'keep-alive']
  },
  {
    name: 'a server of its own making',
    server: { serverFactory: (handler) => createServer({ keepAliveTimeout: 60_000 }, handler) },
    adds: ['keep-alive']
  },
  {
    name: 'a log with serializers of its own, and of the lists',
    server: {
      logger: {
        level: 'trace',
        stream: { write: () => undefined },
        redact: ['req.headers.authorization'],
        serializers: {
          req: ({ method, url, headers, query }) => ({ method, url, headers, query }),
          res: ({ statusCode }) => ({ statusCode }),
          err: ({ message }) => ({ type: 'Error', message, stack: '' })
        }
      }
    },
    lists: { logSerializers: { req: () => 'a request' } }
  },
  { name: 'no request lines in its log', server: { logger: { level: 'fatal' }, disableRequestLogging: true } },
  { name: 'no room for bodies and long parameters', server: { bodyLimit: 1, routerOptions: { maxParamLength: 1 } } },
  {
    name: 'timeouts for its connections',
    server: { connectionTimeout: 20_000, requestTimeout: 20_000, keepAliveTimeout: 60_000, maxRequestsPerSocket: 1000 },
    adds: ['keep-alive']
  },
  {
    name: 'a proxy in front',
    server: { trustProxy: true },
    sends: { 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'lists.example' }
  },
  {
    name: 'ids for its requests',
    server: { requestIdHeader: 'x-request-id', genReqId: () => 'generated', requestIdLogLabel: 'id' },
    sends: { 'x-request-id': "'; drop table users; --" }
  },
  { name: 'no HEAD routes', server: { exposeHeadRoutes: false } },
  { name: 'one error handler only', server: { allowErrorHandlerOverride: false } },
  {
    name: 'an answer of its own to broken requests',
    server: { frameworkErrors: (error, _request, reply) => void reply.send(error as never) }
  },
  {
    name: 'requests that are served while it closes',
    server: { return503OnClosing: false, forceCloseConnections: true }
  },
  { name: 'qs for query strings', server: { routerOptions: { querystringParser: (text) => qs.parse(text) } } },
  {
    name: 'a query parser that reads nothing',
    server: { routerOptions: { querystringParser: () => ({ page: 'host' }) } }
  }
]
