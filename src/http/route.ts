/** Mounts the route of a list. */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openSession } from '../database/session.js'
import { Failure } from '../errors/failure.js'
import { aliasesOf, type List } from '../lists/list.js'
import { reachOf, visibilityOf } from '../lists/reach.js'
import { contentType, pageBody, querySchema } from '../lists/schemas.js'
import type { Settings } from '../options/settings.js'
import { finder } from '../query/find.js'
import { callerOf } from './caller.js'
import type { SourceOf } from './database-of.js'
import type { FailureHandlers } from './error-handler.js'
import { type RouteSchema, routeSchema } from './openapi.js'
import { queryReader } from './query-string.js'
import { isAnswering } from './reply-guard.js'
import { type LogSerializers, maskingSerializers } from './request-log.js'
import { type RequestState, stateOf } from './request-state.js'
import { timingOf } from './timing.js'

export interface ListContext {
  settings: Settings
  sourceOf: SourceOf
  sendFailure: FailureHandlers['sendFailure']
  /** Makes the `operationId` unique in a server. */
  operationSuffix: string
  logSerializers: LogSerializers | undefined
  /** Repeats the start-up check. */
  checkAgain(): void
}

/** @returns the schema of the route, for `keepDocument` */
export function mountList(app: FastifyInstance, list: List, context: ListContext): RouteSchema {
  const { settings, sourceOf } = context
  const { messages } = settings
  const querystring = querySchema(list.parameters, settings)
  const read = queryReader(querystring, settings.unknownParameters, messages, splitsAtSemicolon(app))
  const visibility = visibilityOf(list.roles, list.otherRoles, settings.visibility[list.name])
  const find = finder(list, settings)
  const tables = Object.values(aliasesOf(list))
  const schema = routeSchema(list, querystring, context.operationSuffix, settings)
  // `swaggerTransform: false` disables a host's zod transform.
  const config = { list: list.name, swaggerTransform: false } as FastifyContextConfig

  app.route({
    method: 'GET',
    url: list.path,
    exposeHeadRoute: true,
    // The longest time of a timer. The server's own limit would answer before the deadline.
    ...((app.initialConfig as { handlerTimeout?: number }).handlerTimeout && { handlerTimeout: 2 ** 31 - 1 }),
    logSerializers: maskingSerializers(app, context.logSerializers),
    errorHandler: context.sendFailure,
    schema,
    config,
    onRequest: async function allow(request: FastifyRequest) {
      const reach = reachOf(visibility, callerOf(request).role)
      stateOf(request).reach = reach
      if (reach === 'none') throw new Failure('forbidden', 'The role may not see this list.')
    },
    handler: async function answer(request: FastifyRequest, reply: FastifyReply) {
      const { caller, reach, deadline } = stateOf(request) as Required<RequestState>
      const { timed, durations } = timingOf(request, list.name, reach)
      const listRequest = { caller, reach, ...read(String(request.raw.url)) }
      try {
        const found = await deadline.race('connection', () => {
          const source = sourceOf(request)
          return find(listRequest, openSession(source, source.now(tables), deadline, timed))
        })
        // A hook of the host answered without returning the reply. Fastify waits for that answer.
        if (isAnswering(reply)) return reply
        request.log.debug({ list: list.name, reach, milliseconds: durations }, 'Found.')
        reply.type(contentType)
        return pageBody({ message: messages[list.texts.found], key: list.key, ...found })
      } catch (error) {
        if (isAnswering(reply)) return reply
        if (error instanceof Failure && error.facts.missing) context.checkAgain()
        throw error
      }
    }
  })
  return schema
}

/** The option has two places. Fastify's types know one of them. */
function splitsAtSemicolon({ initialConfig }: FastifyInstance): boolean {
  const options: { useSemicolonDelimiter?: boolean }[] = [initialConfig, { ...initialConfig.routerOptions }]
  return options.some(({ useSemicolonDelimiter }) => useSemicolonDelimiter)
}
