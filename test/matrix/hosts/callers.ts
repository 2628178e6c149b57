/** Hosts without @fastify/jwt: they tell in a way of their own who is calling. */
import cookie from '@fastify/cookie'
import sensible from '@fastify/sensible'
import session from '@fastify/session'
import type { FastifyRequest } from 'fastify'
import { secret } from '../../support/server.js'
import { roleOf, type User, userOf } from '../askers.js'
import type { Host } from '../host.js'

declare module 'fastify' {
  interface Session {
    member?: User
  }
}

/** The host's own store of tokens. */
const member = ({ headers }: FastifyRequest) => userOf(headers.authorization)
const resolveRole = (request: FastifyRequest) => roleOf(member(request) as User)

/** Why a stranger is refused; nobody but the host should read it. */
const refusal = () => Object.assign(new Error('host'), { statusCode: 401 })

export const callers: readonly Host[] = [
  {
    name: 'a hook with a callback',
    jwt: false,
    lists: { authenticate: (request, _reply, done) => done(member(request) ? undefined : refusal()), resolveRole }
  },
  {
    name: 'errors of @fastify/sensible',
    jwt: false,
    before: (app) => app.register(sensible),
    lists: (app) => ({ resolveRole, authenticate: async (request) => app.assert(member(request), 401, 'host') })
  },
  {
    name: 'sessions',
    jwt: false,
    before: async (app) => {
      await app.register(cookie)
      await app.register(session, { secret, cookie: { secure: false }, saveUninitialized: false })
      app.post<{ Body: User }>('/session', async (request) => {
        request.session.member = request.body
        return {}
      })
    },
    adds: ['set-cookie'],
    lists: {
      authenticate: async ({ session }) => {
        if (!session.member) throw refusal()
      },
      resolveRole: ({ session }) => roleOf(session.member as User)
    },
    signIn: async (user, address) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${address}/session`, { method: 'POST', headers, body: JSON.stringify(user) })
      const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
      return { cookie: cookies.join('; ') }
    }
  }
]
