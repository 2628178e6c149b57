/**
 * What happens inside of a request: the statements, from Kysely's `log`, and the steps, which the plugin publishes on a
 * channel of its own. The demo keeps the last requests for its page. Values of parameters belong into no log of yours.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { ListingStep } from 'fastify-assessment-payment-listing'
import type { LogEvent } from 'kysely'
import { formatted } from './format-sql.js'

interface Statement {
  sql: string
  parameters: readonly unknown[]
  milliseconds: number
  failed: boolean
  /** Of the list, once it has ended. */
  step?: string
}

export interface Inside {
  statements: Statement[]
  steps: Pick<ListingStep, 'step' | 'milliseconds' | 'failed'>[]
}

/** Requests that are kept, and statements of one request: an export runs thousands. */
const most = 50

const running = new AsyncLocalStorage<Inside>()

/** For the option `log` of Kysely. */
export function logStatement({ query, queryDurationMillis, level }: LogEvent): void {
  const inside = running.getStore()
  if (!inside || inside.statements.length === most) return
  inside.statements.push({
    sql: formatted(query.sql),
    parameters: query.parameters,
    milliseconds: queryDurationMillis,
    failed: level === 'error'
  })
}

/** Before the lists are registered: their routes take the hooks that there are. The id is in the answer's `x-request-id`. */
export function watchRequests(app: FastifyInstance): void {
  const last = new Map<string, Inside>()
  const onStep = (message: unknown) => {
    const { step, milliseconds, failed } = message as ListingStep
    const inside = running.getStore()
    if (!inside || inside.steps.length === most) return
    inside.steps.push({ step, milliseconds, failed })
    for (const statement of inside.statements) statement.step ??= step
  }
  subscribe('fastify-assessment-payment-listing:step', onStep)

  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.schema?.hide) return done()
    const inside: Inside = { statements: [], steps: [] }
    last.set(request.id, inside)
    const [oldest] = last.keys()
    if (oldest && last.size > most) last.delete(oldest)
    reply.header('x-request-id', request.id)
    running.run(inside, done)
  })

  app.get<{ Params: { id: string } }>('/demo/requests/:id', { schema: { hide: true } }, async (request, reply) => {
    const inside = last.get(request.params.id)
    if (!inside) return reply.code(404).send({ error: `The demo keeps the last ${most} requests: ask again.` })
    reply.header('cache-control', 'no-store').type('application/json')
    // an id may be a bigint
    return JSON.stringify(inside, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  })
}
