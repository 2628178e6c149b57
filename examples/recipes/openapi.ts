import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { securitySchemes } from 'fastify-assessment-payment-listing'

export async function describe(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'My API', version: '1.0.0' }, components: { securitySchemes } },
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) }
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })
}
