/** Hosts in which the lists cannot work, and which must learn that at the boot, in plain words. */
import jwt from '@fastify/jwt'
import listing from '../../../src/index.js'
import { secret } from '../../support/server.js'
import type { Host } from '../host.js'

const nothingToAuthenticateWith =
  /^There is no request\.jwtVerify to authenticate requests with: register @fastify\/jwt on the same server, or give the option .authenticate.\. .* wrap that plugin in fastify-plugin, so that it is not encapsulated\. .*$/

export const refusals: readonly Host[] = [
  {
    name: 'a route at one of the paths',
    before: (app) => void app.get('/payment/list', () => 'host'),
    refused: /^Method 'GET' already declared for route '\/payment\/list'/
  },
  {
    name: 'the lists twice at the same path',
    after: (app) => app.register(listing, { db: () => undefined as never, resolveRole: () => null }),
    refused: /^Method 'GET' already declared for route '\/assessment\/list'/
  },
  { name: 'no @fastify/jwt', jwt: false, refused: nothingToAuthenticateWith },
  {
    name: '@fastify/jwt in another scope',
    jwt: false,
    before: (app) => app.register(async (scope) => void scope.register(jwt, { secret })),
    refused: nothingToAuthenticateWith
  }
]
