/** Hosts without @fastify/jwt: they tell in a way of their own who is calling. */
import cookie from '@fastify/cookie'
import sensible from '@fastify/sensible'
import session from '@fastify/session'
import type { FastifyRequest } from 'fastify'
import type { ListingOptions } from '../../../src/index.js'
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

/** A host that has this hook. */
const withHook = (name: string, authenticate: NonNullable<ListingOptions['authenticate']>): Host => ({
  name,
  jwt: false,
  lists: { authenticate, resolveRole }
})

export const callers: readonly Host[] = [
  withHook('an async hook that throws', async (request) => {
    if (!member(request)) throw refusal()
  }),
  withHook('a hook that rejects', (request: FastifyRequest) =>
    member(request) ? Promise.resolve() : Promise.reject(refusal())
  ),
  withHook('a hook with a callback', (request, _reply, done) => done(member(request) ? undefined : refusal())),
  withHook('a hook that sets the status and throws', async (request, reply) => {
    if (member(request)) return
    reply.code(401)
    throw new Error('host')
  }),
  withHook('a hook that sends the error', async (request, reply) =>
    member(request) ? undefined : reply.send(refusal())
  ),
  {
    ...withHook('a hook that answers strangers itself', async (request, reply) =>
      member(request) ? undefined : reply.code(401).send({ own: 'body' })
    ),
    notAsked: { because: 'what strangers are told is its own', requests: ({ asker }) => 'authorization' in asker }
  },
  {
    name: 'a hook that lets everybody through',
    jwt: false,
    lists: {
      authenticate: async () => undefined,
      resolveRole: (request) => {
        const user = member(request)
        return user ? roleOf(user) : null
      }
    }
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
  },
  {
    name: 'keys in a header of its own',
    jwt: false,
    lists: {
      authenticate: async ({ headers }) => {
        if (!headers['x-key']) throw refusal()
      },
      resolveRole: ({ headers }) => roleOf(JSON.parse(String(headers['x-key'])))
    },
    signIn: async (user) => ({ 'x-key': JSON.stringify(user) })
  }
]
