/**
 * A server as a team would write it: authentication, an OpenAPI document, both lists of the plugin, and a list of the
 * team. Copy this file if you like; what only a demo needs is in ./demo and ./page.
 */
import { createRequire } from 'node:module'
import jwt from '@fastify/jwt'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { assessments, createListings, defineOptions, payments } from 'fastify-assessment-payment-listing'
import type { Kysely } from 'kysely'
import { certificates } from './certificates.js'
import type { Account } from './demo/data.js'

const { version } = createRequire(import.meta.url)('fastify-assessment-payment-listing/package.json') as {
  version: string
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string }
  }
}

/** The lists of the server: the two of the plugin as they are, and one of its own. */
export const lists = [assessments, payments, certificates] as const

/** Practitioners see the certificates of everyone they have examined, and of their clients or clinics. */
export const roles = {
  certificates: {
    Practitioner: [{ own: 'examiner_id' }, { linked: 'holder_id' }],
    'Master Practitioner': [{ own: 'examiner_id' }, { linked: 'clinic_id', by: 'clinic_staff' }],
    Institutional: { linked: 'clinic_id', by: 'clinic_staff' },
    'Super Admin': 'all'
  }
} as const

/** Adds the lists to a server, and gives them for calls without HTTP. */
export async function addLists(
  app: FastifyInstance,
  db: Kysely<Record<string, Record<string, unknown>>>,
  accounts: Account[],
  secret: string
) {
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
            description:
              'The page is authorized as a caller of the demo. [/demo/callers](/demo/callers) has all tokens.'
          }
        }
      },
      security: [{ bearerAuth: [] }]
    },
    // the names that the lists give their schemas, in place of def-0, def-1 …
    refResolver: { buildLocalReference: ({ $id }, _base, _fragment, index) => String($id ?? `def-${index}`) }
  })

  const rolesOf = new Map(accounts.map(({ userId, roles }) => [String(userId), roles]))
  const listings = createListings(
    defineOptions({
      db,
      lists,
      roles,
      resolveRole({ user: { sub } }) {
        const role = rolesOf.get(sub)
        return role ? { userId: sub, role } : null
      }
    })
  )
  await app.register(listings.plugin)
  return listings
}
