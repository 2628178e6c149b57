/** The `onRequest` hooks that authenticate a request and resolve its caller. */
import type { FastifyInstance } from 'fastify'
import { NoAuthentication } from '../errors/boot-error.js'
import { callAsync, isThenable, thrownBy } from '../errors/callbacks.js'
import { describe } from '../errors/describe.js'
import { Failure } from '../errors/failure.js'
import type { Caller } from '../lists/reach.js'
import type { Settings } from '../options/settings.js'
import { exchangeOf } from './exchange.js'

/**
 * Adds the `onRequest` hooks that authenticate a request, with `jwtVerify` or the option `authenticate`, and that store
 * what `resolveRole` returns as the caller of the exchange. Both fail with a 401.
 */
export function identifyCallers(
  app: FastifyInstance,
  { authenticate, resolveRole }: Pick<Settings, 'authenticate' | 'resolveRole'>,
  noticeRole: (role: string) => void
): void {
  if (authenticate) addAuthenticate(app, authenticate)
  else addTokenCheck(app)

  app.addHook('onRequest', async (request, reply) => {
    const exchange = exchangeOf(reply)
    const resolved: unknown = await exchange.race('resolveRole', () =>
      callAsync('resolveRole', () => resolveRole(request))
    )
    if (resolved === null || resolved === undefined) {
      throw new Failure('unauthorized', 'resolveRole does not know the caller.')
    }
    exchange.caller = callerFrom(resolved)
    noticeRole(exchange.caller.role)
  })
}

/**
 * The hook has a callback, which keeps the async context in which the host calls `done`. Fastify alone would accept a
 * second `done`, and a `done` after the deadline. Fastify would also run the next hook if `authenticate` answers without
 * returning the reply while an `onSend` hook delays the answer.
 */
function addAuthenticate(app: FastifyInstance, authenticate: NonNullable<Settings['authenticate']>): void {
  app.addHook('onRequest', function (request, reply, done) {
    const end = exchangeOf(reply).step('authenticate', done)
    const fail = (thrown: unknown) => end(thrownBy('authenticate', thrown))
    try {
      const result: unknown = authenticate.call(this, request, reply, (error) => (error ? fail(error) : end()))
      if (isThenable(result)) result.then(() => end(), fail)
    } catch (thrown) {
      fail(thrown)
    }
  })
}

interface JwtRegistration {
  options: { verify: { extractToken?: unknown; onlyCookie?: unknown } }
}
interface JwtRequest {
  jwtVerify(options?: { extractToken(): string; onlyCookie: false }): Promise<unknown>
}

/** RFC 6750, section 2.1. */
const bearer = /^Bearer +([\w\-.~+/]+=*)$/i

/** Only a token in the header counts (contract 5). */
function addTokenCheck(app: FastifyInstance): void {
  let readsTokenElsewhere = false

  app.addHook('onRequest', async (request, reply) => {
    const token = bearer.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw new Failure('unauthorized', 'There is no Bearer token in the header.')
    const { jwtVerify } = request as unknown as JwtRequest
    // Without options, `jwtVerify` is faster, but refuses two spaces after `Bearer`, and may read a cookie.
    const options =
      readsTokenElsewhere || request.headers.authorization?.includes('  ')
        ? [{ extractToken: () => token, onlyCookie: false as const }]
        : []
    await exchangeOf(reply).race('authenticate', () => jwtVerify.call(request, ...options))
  })

  // The host may register @fastify/jwt after the plugin.
  app.addHook('onReady', async () => {
    const { jwt } = app as { jwt?: unknown }
    const namespaces = Object.entries(Object(jwt)).filter(([, value]) => isRegistration(value))
    if (!app.hasRequestDecorator('jwtVerify')) {
      throw new NoAuthentication(missingJwtVerify(namespaces.map(([name]) => name)))
    }
    // A host can configure @fastify/jwt to read a cookie, which browsers send unasked. Any registration with a namespace
    // can provide `jwtVerify`.
    readsTokenElsewhere = [jwt, ...namespaces.map(([, value]) => value)]
      .filter(isRegistration)
      .some(({ options: { verify } }) => verify.extractToken || verify.onlyCookie)
  })
}

const isRegistration = (value: unknown): value is JwtRegistration =>
  typeof Object(Object(value).options).verify === 'object'

function missingJwtVerify(namespaces: readonly string[]): string {
  const [namespace] = namespaces
  if (namespace === undefined) {
    return "There is nothing to authenticate requests with: register @fastify/jwt on the same server, or give the option 'authenticate'. If a plugin of yours registers @fastify/jwt, wrap that plugin in fastify-plugin, so that it is not encapsulated."
  }
  return `@fastify/jwt is registered with the namespace ${namespaces.map((name) => `'${name}'`).join(', ')}, so there is no request.jwtVerify: give the option 'authenticate', such as (request) => request.${namespace}JwtVerify(), or register @fastify/jwt with jwtVerify: 'jwtVerify'.`
}

/** `resolveRole` can be plain JavaScript. */
function callerFrom(resolved: unknown): Caller {
  const { userId, role } = typeof resolved === 'object' ? (resolved as Record<string, unknown>) : {}
  if (!isId(userId)) {
    throw new Failure(
      'internal',
      `resolveRole must return a userId that is a safe integer, a bigint or a non-empty string without control characters; it returned ${describe(userId === undefined ? resolved : userId)}.`,
      { callback: 'resolveRole' }
    )
  }
  if (typeof role !== 'string') {
    throw new Failure(
      'internal',
      `resolveRole must return a role that is a string; it returned ${describe(role === undefined ? resolved : role)}.`,
      { callback: 'resolveRole' }
    )
  }
  return { userId: String(userId), role }
}

/** Drivers can end a text at NUL, and replace half a surrogate pair by another character. */
const isId = (userId: unknown): boolean =>
  typeof userId === 'string'
    ? /^[^\p{Cc}\p{Cs}]+$/u.test(userId)
    : typeof userId === 'bigint' || Number.isSafeInteger(userId)

/** @returns logs each unknown role once, which reveals a misspelt role such as `ADMIN` */
export function roleNoticer({ log }: FastifyInstance, knownRoles: ReadonlySet<string>): (role: string) => void {
  const logged = new Set<string>()
  return (role) => {
    // The limit bounds the memory.
    if (knownRoles.has(role) || logged.has(role) || logged.size === 100) return
    logged.add(role)
    log.warn(
      { role: role.slice(0, 64), known: [...knownRoles] },
      'The role is unknown, so its callers see what any other role sees. Check its spelling, or give it a reach in the option visibility.'
    )
  }
}
