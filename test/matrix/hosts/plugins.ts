/** Hosts with the plugins that many have. */
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import etag from '@fastify/etag'
import helmet from '@fastify/helmet'
import middie from '@fastify/middie'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import requestContext from '@fastify/request-context'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import underPressure from '@fastify/under-pressure'
import { type Host, hostsThat } from '../host.js'

export const plugins: readonly Host[] = [
  ...hostsThat({
    async '@fastify/swagger of version 2, with its pages'(app) {
      await app.register(swagger, { swagger: { info: { title: 'host', version: '1' } } })
      await app.register(swaggerUi)
    },
    '@fastify/under-pressure': (app) =>
      app.register(underPressure, {
        // a limit on the event loop's delay would be reached on a busy machine
        maxHeapUsedBytes: 2 ** 40,
        exposeStatusRoute: true,
        healthCheck: async () => true,
        healthCheckInterval: 100
      }),
    '@fastify/request-context': (app) => app.register(requestContext, { defaultStoreValues: {} }),
    '@fastify/otel': (app) => app.register(new FastifyOtelInstrumentation().plugin())
  }),
  { name: '@fastify/etag', before: (app) => app.register(etag), adds: ['etag'] },
  {
    name: '@fastify/helmet',
    before: (app) => app.register(helmet),
    adds: [
      ...['content-security-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy', 'referrer-policy'],
      ...['origin-agent-cluster', 'strict-transport-security', 'x-content-type-options', 'x-dns-prefetch-control'],
      ...['x-download-options', 'x-frame-options', 'x-permitted-cross-domain-policies', 'x-xss-protection']
    ]
  },
  {
    name: '@fastify/cors',
    before: (app) =>
      app.register(cors, { origin: [/lists\.example$/], credentials: true, exposedHeaders: ['retry-after'] }),
    sends: { origin: 'https://lists.example' },
    adds: ['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-expose-headers', 'vary']
  },
  ...['gzip', 'br'].map(
    (encoding): Host => ({
      name: `@fastify/compress, ${encoding}`,
      before: (app) => app.register(compress, { threshold: 0, encodings: ['gzip', 'br'] }),
      sends: { 'accept-encoding': encoding },
      // the body is compared as it was
      adds: ['content-encoding', 'content-length', 'transfer-encoding', 'vary']
    })
  ),
  {
    name: 'Express middleware',
    before: async (app) => {
      await app.register(middie)
      app.use((_request: unknown, response: { setHeader(name: string, value: string): void }, next: () => void) => {
        response.setHeader('x-powered-by', 'host')
        next()
      })
    },
    adds: ['x-powered-by']
  }
]
