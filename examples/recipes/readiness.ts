import type { FastifyInstance } from 'fastify'
import { checkHealth, type Database } from 'fastify-assessment-payment-listing'

export const addReadiness = (app: FastifyInstance, db: Database) =>
  app.get('/ready', async (_request, reply) => {
    const health = await checkHealth({ db, timeout: 500 }) // { healthy: true, milliseconds: 2 }
    return reply.code(health.healthy ? 200 : 503).send(health)
  })
