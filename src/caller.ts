/**
 * Who is calling: authenticates the request, asks the host for the role, and fails closed. Both happen
 * in `onRequest` hooks, before anything else of the request is looked at.
 */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isAnswered, unlessAnswered } from './answered.js'
import { describe } from './describe.js'
import { Failure } from './errors.js'
import type { Settings } from './settings.js'
import type { Caller } from './visibility.js'

/** The caller of a request that got past the hooks. */
export type CallerOf = (request: FastifyRequest) => Caller

/** What @fastify/jwt adds to a server and its requests, as far as it is used here. */
interface JwtServer {
  jwt?: { options?: { verify?: { extractToken?: unknown; onlyCookie?: unknown } } }
}
interface JwtRequest {
  jwtVerify(options?: { extractToken(): string; onlyCookie: false }): Promise<unknown>
}

/**
 * Adds the hooks to our scope.
 *
 * @param knownRoles every role that a list names; any other one is logged once
 */
export function identifyCallers(app: FastifyInstance, settings: Settings, knownRoles: ReadonlySet<string>): CallerOf {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const noteRole = roleNotes(app, knownRoles)

  if (settings.authenticate) {
    // Fastify takes both styles, callback and promise; its types know them as two.
    app.addHook('onRequest', settings.authenticate as onRequestHookHandler)
  } else {
    app.addHook('onRequest', authenticateByToken)
    // The host may register @fastify/jwt after us.
    app.addHook('onReady', async () => {
      if (!app.hasRequestDecorator('jwtVerify')) {
        throw new Error(
          "There is nothing to authenticate requests with: register @fastify/jwt on the same server, or give the option 'authenticate'."
        )
      }
    })
  }

  app.addHook('onRequest', async (request, reply) => {
    const answer: unknown = await unlessAnswered(request, reply, () => settings.resolveRole(request))
    if (isAnswered(request, reply)) return
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

/** A `token68` after the scheme (RFC 9110, section 11.2; RFC 6750, section 2.1). */
const bearer = /^Bearer +([\w\-.~+/]+=*)$/i

/** The default: the host's @fastify/jwt, with a token in the header only (contract B6). */
async function authenticateByToken(request: FastifyRequest): Promise<void> {
  const token = bearer.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined) throw new Failure('unauthorized', 'There is no Bearer token in the header.')
  const verify = (request.server as unknown as JwtServer).jwt?.options?.verify
  const { jwtVerify } = request as unknown as JwtRequest
  // A host may have told its @fastify/jwt to look elsewhere, and a cookie is sent by a browser unasked.
  const fromHeader = verify?.extractToken || verify?.onlyCookie
  await jwtVerify.call(request, ...(fromHeader ? [{ extractToken: () => token, onlyCookie: false as const }] : []))
}

/** Checks what the host's callback returned; it may be plain JavaScript. */
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

/** A driver may end a text at NUL, and writes half a surrogate pair as another character. */
const isId = (userId: unknown): boolean =>
  typeof userId === 'string'
    ? /^[^\p{Cc}\p{Cs}]+$/u.test(userId)
    : typeof userId === 'bigint' || Number.isSafeInteger(userId)

/** Logs each role that no list names once, so that a host that says `ADMIN` finds out. */
function roleNotes(app: FastifyInstance, knownRoles: ReadonlySet<string>): (role: string) => void {
  const noted = new Set<string>()
  return (role) => {
    // bounded, should a host make up roles as it goes
    if (knownRoles.has(role) || noted.has(role) || noted.size === 100) return
    noted.add(role)
    app.log.warn(
      { role: role.slice(0, 64), known: [...knownRoles] },
      'A role is none of the known ones, so it may see its own payments and no assessments.'
    )
  }
}
