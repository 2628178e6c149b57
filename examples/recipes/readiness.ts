import { setTimeout } from 'node:timers/promises'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'

export const addReadiness = async <DB>(app: FastifyInstance, db: Kysely<DB>) =>
  app.register(underPressure, {
    exposeStatusRoute: '/ready',
    healthCheckInterval: 1_000,
    healthCheck: () => Promise.race([sql`select 1`.execute(db).then(() => true), setTimeout(500, false)])
  })
