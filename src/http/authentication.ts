/** The `onRequest` hooks that authenticate a request and resolve its caller. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { NoAuthentication } from '../errors/boot-error.js'
import { isThenable, thrownBy } from '../errors/callbacks.js'
import { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import type { Authenticate } from '../options/options.js'
import type { Settings } from '../options/settings.js'
import { callerFrom } from '../visibility/caller.js'
import { reachFor } from '../visibility/reach-of-role.js'
import { type Exchange, exchangeOf, isAnswered } from './exchange.js'
import type { NoticeRole } from './role-notices.js'

export function identifyCallers(
  app: FastifyInstance,
  { authenticate, resolveRole }: Pick<Settings, 'authenticate' | 'resolveRole'>,
  list: List,
  noticeUnknown: NoticeRole
): void {
  for (const hook of authenticate) addAuthenticate(app, hook)
  if (authenticate.length === 0) addTokenCheck(app)

  app.addHook('onRequest', async function resolveCaller(request, reply) {
    const exchange = exchangeOf(reply) as Exchange
    const resolved: unknown = await exchange
      .race<unknown>('resolveRole', () => resolveRole(request))
      .catch((thrown) => {
        throw thrownBy('resolveRole', thrown)
      })
    if (resolved === null || resolved === undefined) {
      throw new Failure('unauthorized', 'resolveRole does not know the caller.')
    }
    exchange.caller = callerFrom(resolved, (rule, got) => {
      const text = `resolveRole must return a ${rule}; it returned ${got}.`
      throw new Failure('internal', text, { callback: 'resolveRole' })
    })
    for (const role of exchange.caller.roles) if (!Object.hasOwn(list.roles, role)) noticeUnknown(role)
    exchange.reach = reachFor(list, exchange.caller)
  })
}

/** RFC 6750, section 2.1. */
const bearer = /^Bearer +([\w\-.~+/]+=*)$/i

type JwtRequest = { jwtVerify(options?: { extractToken(): string; onlyCookie: false }): Promise<unknown> }

/** Only a token in the header counts (contract 5). */
function addTokenCheck(app: FastifyInstance): void {
  let readsTokenElsewhere = false

  app.addHook('onRequest', async function verifyToken(request, reply) {
    const { authorization = '' } = request.headers
    const token = bearer.exec(authorization)?.[1]
    if (token === undefined) throw new Failure('unauthorized', 'There is no Bearer token in the header.')
    const { jwtVerify } = request as unknown as JwtRequest
    // Without options, `jwtVerify` is faster, but refuses two spaces after `Bearer`, and may read a cookie.
    const options =
      readsTokenElsewhere || authorization.includes('  ')
        ? { extractToken: () => token, onlyCookie: false as const }
        : undefined
    await (exchangeOf(reply) as Exchange).race('authenticate', () => jwtVerify.call(request, options))
  })

  // The host may register @fastify/jwt after the plugin.
  app.addHook('onReady', async () => {
    if (!app.hasRequestDecorator('jwtVerify')) throw new NoAuthentication(noJwtVerify)
    readsTokenElsewhere = hasOwnPlace((app as { jwt?: unknown }).jwt)
  })
}

const noJwtVerify =
  "There is no request.jwtVerify to authenticate requests with: register @fastify/jwt on the same server, or give the option 'authenticate'. If a plugin of yours registers @fastify/jwt, wrap that plugin in fastify-plugin, so that it is not encapsulated. If @fastify/jwt has a namespace, such as 'members', give authenticate: (request) => request.membersJwtVerify()."

/** A host can configure @fastify/jwt to read a cookie, which browsers send unasked. */
function hasOwnPlace(jwt: unknown): boolean {
  // Any registration with a namespace can provide `jwtVerify`.
  return [jwt, ...Object.values(Object(jwt))].some((registration) => {
    const { extractToken, onlyCookie } = Object(Object(Object(registration).options).verify)
    return Boolean(extractToken || onlyCookie)
  })
}

/** With a callback: if an async hook answers, Fastify runs the next hook while an `onSend` hook delays the answer. */
function addAuthenticate(app: FastifyInstance, authenticate: Authenticate): void {
  app.addHook('onRequest', function authenticateCaller(request, reply, done) {
    const exchange = exchangeOf(reply) as Exchange
    const work = () =>
      new Promise<(next: typeof done) => void>((resolve, reject) => {
        // The next hooks run in the async context in which the host calls `done`.
        const pass = () => resolve(AsyncLocalStorage.snapshot())
        const result: unknown = authenticate.call(this, request, reply, (error) => (error ? reject(error) : pass()))
        if (isThenable(result)) result.then(pass, reject)
      })
    exchange.race('authenticate', work).then(
      (inContext) => {
        if (!isAnswered(reply)) inContext(done)
        else exchange.answered(reply).catch((failure) => !reply.sent && done(failure))
      },
      (thrown) => done(thrownBy('authenticate', thrown))
    )
  })
}
