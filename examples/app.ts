/** The demo's server: a host as a team would write it, with Swagger UI and tokens for everybody. */
import { createRequire } from 'node:module'
import jwt from '@fastify/jwt'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import listing, { assessments, defineOptions, payments } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'
import { certificates } from './certificates.js'
import type { Data } from './data.js'

const { version } = createRequire(import.meta.url)('fastify-assessment-payment-listing/package.json') as {
  version: string
}

/** Somebody to try the lists as. */
export interface DemoCaller {
  name: string
  role: string
  userId: number
  token: string
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string }
  }
}

export async function buildApp(
  db: Kysely<Record<string, Record<string, unknown>>>,
  { accounts, tables }: Data,
  secret: string
): Promise<{ app: FastifyInstance; callers: DemoCaller[] }> {
  const app = Fastify({ logger: { level: 'warn' } })
  await app.register(jwt, { secret, sign: { expiresIn: '1h' }, verify: { algorithms: ['HS256'] } })
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Assessments, payments and certificates',
        version,
        license: { name: 'MIT', identifier: 'MIT' }
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'assessments', description: 'Who was assessed, by whom and when.' },
        { name: 'payments', description: 'Who paid what.' },
        { name: 'certificates', description: 'Who passed which course: a list of this server.' }
      ],
      components: {
        securitySchemes: {
          bearerAuth: {
            type: 'http',
            scheme: 'bearer',
            description: 'Each caller in [/demo/callers](/demo/callers) has a token. Copy one without its quotes.'
          }
        }
      },
      security: [{ bearerAuth: [] }]
    },
    // the names that the lists give their schemas, in place of def-0, def-1 …
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) }
  })
  await app.register(swaggerUi, { routePrefix: '/docs' })

  const roles = new Map(accounts.map(({ userId, role }) => [String(userId), role]))
  await app.register(
    listing,
    defineOptions({
      db,
      lists: [assessments, payments, certificates],
      resolveRole({ user: { sub } }) {
        const role = roles.get(sub)
        return role ? { userId: sub, role } : null
      }
    })
  )

  const callers = accounts.map(({ userId, role }) => {
    const user = tables.users.find(({ user_id }) => user_id === userId)
    return {
      name: `${user?.first_name} ${user?.last_name}`,
      role,
      userId,
      token: app.jwt.sign({ sub: String(userId) })
    }
  })
  return { app, callers }
}
