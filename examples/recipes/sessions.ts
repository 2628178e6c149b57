import cookie from '@fastify/cookie'
import session from '@fastify/session'
import type { FastifyInstance } from 'fastify'
import listing, { type ListingOptions } from 'fastify-assessment-payment-listing'

declare module 'fastify' {
  interface Session {
    memberId?: string
  }
}

interface Login {
  /** At least 32 characters. */
  secret: string
  findMember(id: string | undefined): Promise<{ id: number; role: string } | undefined>
}

export async function addLists(
  app: FastifyInstance,
  { secret, findMember }: Login,
  options: Omit<ListingOptions, 'authenticate' | 'resolveRole'>
) {
  await app.register(cookie)
  await app.register(session, { secret, saveUninitialized: false, cookie: { sameSite: 'lax' } })
  await app.register(listing, {
    ...options,
    // The hook must throw, because a request passes when its hook returns.
    authenticate: async ({ session }) => {
      if (!session.memberId) throw Object.assign(new Error('Nobody is logged in.'), { statusCode: 401 })
    },
    resolveRole: async ({ session }) => {
      const member = await findMember(session.memberId)
      return member && { userId: member.id, role: member.role }
    }
  })
}
