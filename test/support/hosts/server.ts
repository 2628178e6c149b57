/** A host server with @fastify/jwt and the lists, like the server of the README. */
import jwt from '@fastify/jwt'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import listing, { type ListingOptions } from '../../../src/index.js'
import { keepLog, type Line } from './log.js'

declare module '@fastify/jwt' {
  interface FastifyJWT {
    user: { sub: string; role: string }
  }
}

export const secret = 'a secret of at least thirty-two characters'

export interface Answer {
  status: number
  headers: Record<string, unknown>
  text: string
  /** The body of an answer or an error. Any field may be missing. */
  body: {
    status?: unknown
    error?: string
    message?: string
    page?: number
    limit?: number
    total?: number
    assessments?: Record<string, unknown>[]
    data?: Record<string, unknown>[]
  }
}

export interface Caller {
  userId: number | string
  role: string
}

export interface Server {
  app: FastifyInstance
  /** The lines of the log, if the test has set a level. */
  lines: Line[]
  /** The lines as texts. */
  texts: string[]
  /** Sends a GET request with a token of the caller, or with the given headers. */
  get(url: string, caller?: Caller | { headers: Record<string, string> }): Promise<Answer>
}

/** The tokens contain the id and the role. A real host would look up the role. */
export const resolveRole: ListingOptions['resolveRole'] = ({ user: { sub, role } }) => ({ userId: sub, role })

/** The start-up check takes ten times as long as the rest of a boot, so only the tests of the check run it. */
const defaults = { resolveRole, checkOnReady: 'off' } as const

/** The settings of the host server. */
export interface Host {
  server?: FastifyServerOptions
  /** The log level. */
  log?: string
  before?: (app: FastifyInstance) => unknown
}

export type Options = Partial<ListingOptions> & Pick<ListingOptions, 'db'> & { prefix?: string }

export async function serve(t: Test, options: Options, { server, log, before }: Host = {}): Promise<Server> {
  const { logger, lines, texts } = keepLog(log)
  const app = Fastify({ ...server, ...(log !== undefined && { logger }) })
  t.teardown(() => app.close())
  app.register(jwt, { secret })
  await before?.(app)
  app.register(listing, { ...defaults, ...options })
  await app.ready()
  return { app, lines, texts, get: (url, caller) => ask(app, url, caller) }
}

/** A host without @fastify/jwt that accepts every request. */
export async function hostWith(
  t: Test,
  options: Options & Pick<ListingOptions, 'resolveRole'>,
  before?: (app: FastifyInstance) => unknown
): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  before?.(app)
  app.register(listing, { ...defaults, authenticate: async () => undefined, ...options })
  await app.ready()
  return app
}

export async function ask(
  app: FastifyInstance,
  url: string,
  caller: Caller | { headers: Record<string, string> } = { headers: {} }
): Promise<Answer> {
  const headers =
    'headers' in caller
      ? caller.headers
      : { authorization: `Bearer ${app.jwt.sign({ sub: String(caller.userId), role: caller.role })}` }
  const answer = await app.inject({ method: 'GET', url, headers })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    body: answer.headers['content-type'] === 'application/json; charset=utf-8' ? answer.json() : {}
  }
}

/** The status, the total and the items of an answer. */
export const shown = ({ status, body }: Pick<Answer, 'status' | 'body'>) => ({
  status,
  total: body.total,
  items: body.assessments ?? body.data
})

/** The same with the ids of the items instead of the items. */
export const idsOf = ({
  items,
  ...rest
}: Pick<ReturnType<typeof shown>, 'items'> & { status: number; total: number | undefined }) => ({
  ...rest,
  ids: items?.map(({ assessment_id, payment_id }) => assessment_id ?? payment_id)
})
