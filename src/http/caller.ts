/**
 * Who is calling: authenticates the request and asks the host for the role. Both are `onRequest` hooks, which run after
 * the deadline has started and before the query string is read. A request without a caller fails.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { describe } from '../errors/describe.js'
import { Failure } from '../errors/failure.js'
import type { Caller } from '../lists/reach.js'
import type { Settings } from '../options/settings.js'
import type { DeadlineOf } from './deadline.js'
import { isAnswering } from './reply-guard.js'

/** The caller of a request that got past the hooks. */
export type CallerOf = (request: FastifyRequest) => Caller

/**
 * Adds the hooks to our scope.
 *
 * @param knownRoles every role that a list names; any other one is logged once
 */
export function identifyCallers(
  app: FastifyInstance,
  settings: Settings,
  knownRoles: ReadonlySet<string>,
  deadlineOf: DeadlineOf
): CallerOf {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const noteRole = roleNotes(app, knownRoles)
  if (settings.authenticate) addAuthenticate(app, settings.authenticate, deadlineOf)
  else addTokenCheck(app, deadlineOf)

  app.addHook('onRequest', async (request) => {
    const answer: unknown = await deadlineOf(request).race(() => settings.resolveRole(request))
    if (answer === null || answer === undefined) {
      throw new Failure('unauthorized', 'resolveRole does not know the caller.')
    }
    const caller = callerFrom(answer)
    noteRole(caller.role)
    callers.set(request, caller)
  })

  return (request) => {
    const caller = callers.get(request)
    if (!caller) throw new Failure('internal', 'The request was not authenticated.')
    return caller
  }
}

/**
 * Adds the host's own hook, callback or promise style. The hook counts once. Fastify alone would go on after a hook that
 * answers without returning the reply, while an `onSend` hook holds the answer back. Fastify would also accept a second
 * `done`, and one after the deadline.
 */
function addAuthenticate(
  app: FastifyInstance,
  authenticate: NonNullable<Settings['authenticate']>,
  deadlineOf: DeadlineOf
): void {
  app.addHook('onRequest', function (request, reply, done) {
    const { over } = deadlineOf(request)
    let isDone = false
    const end = (error?: unknown) => {
      if (isDone || isAnswering(reply)) return
      isDone = true
      done(error as Error)
    }
    over.addEventListener('abort', () => end(over.reason))
    try {
      const result: unknown = authenticate.call(this, request, reply, end)
      if (isThenable(result))
        result.then(
          () => end(),
          (error) => end(error || new Error('The promise was rejected.'))
        )
    } catch (error) {
      end(error || new Error('Nothing was thrown.'))
    }
  })
}

const isThenable = (value: unknown): value is PromiseLike<unknown> => typeof Object(value).then === 'function'

/** What @fastify/jwt adds to a server, by registration, and to its requests. */
interface JwtRegistration {
  options: { verify: { extractToken?: unknown; onlyCookie?: unknown } }
}
interface JwtRequest {
  jwtVerify(options?: { extractToken(): string; onlyCookie: false }): Promise<unknown>
}

/** A `token68` after the scheme (RFC 9110, section 11.2; RFC 6750, section 2.1). */
const bearer = /^Bearer +([\w\-.~+/]+=*)$/i

/** The default: the host's @fastify/jwt, with a token in the header only (contract 5). */
function addTokenCheck(app: FastifyInstance, deadlineOf: DeadlineOf): void {
  let looksElsewhere = false

  app.addHook('onRequest', async (request) => {
    const token = bearer.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw new Failure('unauthorized', 'There is no Bearer token in the header.')
    const { jwtVerify } = request as unknown as JwtRequest
    // Without options @fastify/jwt keeps its verifier and what it has verified, but takes a single space only.
    const options =
      looksElsewhere || request.headers.authorization?.includes('  ')
        ? [{ extractToken: () => token, onlyCookie: false as const }]
        : []
    await deadlineOf(request).race(() => jwtVerify.call(request, ...options))
  })

  // The host may register @fastify/jwt after us.
  app.addHook('onReady', async () => {
    const { jwt } = app as { jwt?: unknown }
    const namespaces = Object.entries(Object(jwt)).filter(([, value]) => isRegistration(value))
    if (!app.hasRequestDecorator('jwtVerify')) throw new Error(missingJwtVerify(namespaces.map(([name]) => name)))
    // The host can tell @fastify/jwt to take the token from a cookie, which a browser sends unasked. Any registration
    // with a namespace can provide `jwtVerify`, so the options of each one count.
    looksElsewhere = [jwt, ...namespaces.map(([, value]) => value)]
      .filter(isRegistration)
      .some(({ options: { verify } }) => verify.extractToken || verify.onlyCookie)
  })
}

const isRegistration = (value: unknown): value is JwtRegistration =>
  typeof Object(Object(value).options).verify === 'object'

function missingJwtVerify(namespaces: readonly string[]): string {
  const [namespace] = namespaces
  if (namespace === undefined) {
    return "There is nothing to authenticate requests with: register @fastify/jwt on the same server, or give the option 'authenticate'."
  }
  return `@fastify/jwt is registered with the namespace ${namespaces.map((name) => `'${name}'`).join(', ')}, so there is no request.jwtVerify: give the option 'authenticate', such as (request) => request.${namespace}JwtVerify(), or register @fastify/jwt with jwtVerify: 'jwtVerify'.`
}

/** Checks what the host's callback returned, because the callback can be plain JavaScript. */
function callerFrom(answer: unknown): Caller {
  const { userId, role } = typeof answer === 'object' ? (answer as Record<string, unknown>) : {}
  if (!isId(userId)) {
    throw new Failure(
      'internal',
      `resolveRole must return a userId that is a safe integer, a bigint or a non-empty string without control characters; it returned ${describe(userId)}.`
    )
  }
  if (typeof role !== 'string') {
    throw new Failure('internal', `resolveRole must return a role that is a string; it returned ${describe(role)}.`)
  }
  return { userId: String(userId), role }
}

/** A driver can end a text at NUL, and writes half a surrogate pair as another character. */
const isId = (userId: unknown): boolean =>
  typeof userId === 'string'
    ? /^[^\p{Cc}\p{Cs}]+$/u.test(userId)
    : typeof userId === 'bigint' || Number.isSafeInteger(userId)

/** Logs each role that no list names once, so that a host that says `ADMIN` finds out. */
function roleNotes(app: FastifyInstance, knownRoles: ReadonlySet<string>): (role: string) => void {
  const noted = new Set<string>()
  return (role) => {
    // Bounded, because a host can make up roles.
    if (knownRoles.has(role) || noted.has(role) || noted.size === 100) return
    noted.add(role)
    app.log.warn(
      { role: role.slice(0, 64), known: [...knownRoles] },
      'A role is none of the known ones, so it may see its own payments and no assessments.'
    )
  }
}
