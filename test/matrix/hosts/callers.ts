/** Hosts with settings of @fastify/jwt of their own, and hosts that tell in another way who is calling. */
import { setTimeout as sleep } from 'node:timers/promises'
import auth from '@fastify/auth'
import cookie from '@fastify/cookie'
import jwt, { type FastifyJWTOptions } from '@fastify/jwt'
import sensible from '@fastify/sensible'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListingOptions } from '../../../src/index.js'
import { secret } from '../../support/hosts/server.js'
import type { Host } from '../host.js'
import { bearer, roleOf, type User, userOf } from '../requests.js'

/** What the settings below add to a request. */
type OwnRequest = FastifyRequest & { member: User; adminJwtVerify: FastifyRequest['jwtVerify'] }

/** The host's own store of tokens. */
const member = ({ headers }: FastifyRequest) => userOf(headers.authorization)
const resolveRole = (request: FastifyRequest) => roleOf(member(request) as User)

const withJwt = (name: string, jwt: Partial<FastifyJWTOptions>, lists: Partial<ListingOptions> = {}): Host => ({
  name,
  jwt,
  lists
})

export const callers: readonly Host[] = [
  { name: '@fastify/jwt registered later', jwt: false, after: (app) => app.register(jwt, { secret }) },
  withJwt('a secret that is looked up', { secret: async () => secret }),
  withJwt('a cache of verified tokens', { verify: { cache: true } }),
  withJwt('texts of its own for bad tokens', {
    messages: { noAuthorizationInHeaderMessage: 'host', authorizationTokenInvalid: 'host' }
  }),
  withJwt('tokens that it must trust', { trusted: async (_request, { role }) => role !== undefined }),
  {
    ...withJwt('tokens in a cookie too', { cookie: { cookieName: 'token', signed: false } }),
    before: (app) => app.register(cookie),
    // which must not help anybody
    sends: { cookie: `token=${bearer({ sub: '20', role: 'Admin' }).slice('Bearer '.length)}` }
  },
  withJwt(
    'users in a form of its own',
    { formatUser: (payload) => ({ ...(payload as User), sub: `member ${(payload as User).sub}` }) },
    { resolveRole: ({ user: { sub, role } }) => roleOf({ sub: sub.replace('member ', ''), role }) }
  ),
  withJwt(
    'users under another name',
    { decoratorName: 'member' },
    { resolveRole: (request) => roleOf((request as OwnRequest).member) }
  ),
  withJwt(
    '@fastify/jwt under a name of its own',
    { namespace: 'admin' },
    { authenticate: (request: FastifyRequest) => (request as OwnRequest).adminJwtVerify() }
  ),
  withJwt('a role that takes a while', {}, { resolveRole: ({ user }) => sleep(2).then(() => roleOf(user)) }),
  {
    name: '@fastify/auth',
    before: (app) => app.register(auth),
    lists: (app) => ({
      authenticate: app.auth([
        (request: FastifyRequest) => request.jwtVerify(),
        (_request: FastifyRequest, _reply: FastifyReply, done) => done(new Error('host'))
      ])
    })
  },
  {
    name: 'an async hook that throws',
    jwt: false,
    lists: {
      resolveRole,
      authenticate: async (request) => {
        if (!member(request)) throw Object.assign(new Error('host'), { statusCode: 401 })
      }
    }
  },
  {
    name: 'errors of @fastify/sensible',
    jwt: false,
    before: (app) => app.register(sensible),
    lists: (app) => ({ resolveRole, authenticate: async (request) => app.assert(member(request), 401, 'host') })
  }
]
