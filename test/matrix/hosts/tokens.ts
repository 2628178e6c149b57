/** Hosts with settings of @fastify/jwt of their own. */
import auth from '@fastify/auth'
import cookie from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { secret } from '../../support/server.js'
import { bearer, roleOf, type User } from '../askers.js'
import type { Host } from '../host.js'

/** What the settings below add to a request. */
type OwnRequest = FastifyRequest & { member: User; adminJwtVerify: FastifyRequest['jwtVerify'] }

export const tokens: readonly Host[] = [
  { name: 'a secret that is looked up', jwt: { secret: async () => secret } },
  { name: 'a cache of verified tokens', jwt: { verify: { cache: true } } },
  { name: 'tokens that it must trust', jwt: { trusted: async (_request, { role }) => role !== undefined } },
  {
    name: 'tokens in a cookie too',
    jwt: { cookie: { cookieName: 'token', signed: false } },
    before: (app) => app.register(cookie),
    // which must not help anybody
    sends: { cookie: `token=${bearer({ sub: '20', role: 'Admin' }).slice('Bearer '.length)}` }
  },
  {
    name: 'users in a form of its own',
    jwt: { formatUser: (payload) => ({ ...(payload as User), sub: `member ${(payload as User).sub}` }) },
    lists: { resolveRole: ({ user: { sub, role } }) => roleOf({ sub: sub.replace('member ', ''), role }) }
  },
  {
    name: 'users under another name',
    jwt: { decoratorName: 'member' },
    lists: { resolveRole: (request) => roleOf((request as OwnRequest).member) }
  },
  {
    name: '@fastify/jwt under a name of its own',
    jwt: { namespace: 'admin' },
    lists: { authenticate: (request: FastifyRequest) => (request as OwnRequest).adminJwtVerify() }
  },
  {
    name: '@fastify/auth',
    before: (app) => app.register(auth),
    lists: (app) => ({
      authenticate: app.auth([
        (request: FastifyRequest) => request.jwtVerify(),
        (request: FastifyRequest, _reply: FastifyReply, done) =>
          done(request.headers['x-key'] === 'host' ? undefined : new Error('host'))
      ])
    })
  }
]
