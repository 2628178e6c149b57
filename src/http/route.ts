/** Mounts the route of a list: allows the caller, reads the query, finds the page and answers. */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SourceOf } from '../database/source.js'
import { Failure } from '../errors/failure.js'
import type { List } from '../lists/list.js'
import { type Reach, reachOf, visibilityOf } from '../lists/reach.js'
import { querySchema } from '../lists/schemas.js'
import type { Settings } from '../options/settings.js'
import { finder } from '../query/find.js'
import { timingOf } from '../query/timing.js'
import type { CallerOf } from './caller.js'
import type { DeadlineOf } from './deadline.js'
import type { FailureHandlers } from './error-handler.js'
import { type RouteSchema, routeSchema } from './openapi.js'
import { queryReader } from './query-string.js'
import { isAnswering } from './reply-guard.js'
import { type LogSerializers, maskingSerializers } from './request-log.js'
import { contentType, pageBody } from './response.js'

/** What the plugin gives to each list. */
export interface ListContext {
  settings: Settings
  callerOf: CallerOf
  deadlineOf: DeadlineOf
  sourceOf: SourceOf
  answerFailure: FailureHandlers['answer']
  /** The reach of each request whose caller is known. */
  reaches: WeakMap<FastifyRequest, Reach>
  /** Appended to the `operationId`, which must be unique in a server. */
  operationSuffix: string
  /** The `logSerializers` of the host's registration. */
  logSerializers: LogSerializers | undefined
  /** Runs the start-up check again, because a table or column is missing. */
  checkAgain(): void
}

/** Mounts a list's route in our scope, and gives its schema. */
export function mountList(app: FastifyInstance, list: List, context: ListContext): RouteSchema {
  const { settings, callerOf, deadlineOf, sourceOf, reaches } = context
  const { messages } = settings
  const query = querySchema(list.parameters, settings)
  const read = queryReader(query, settings.unknownParameters, messages, splitsAtSemicolon(app))
  const visibility = visibilityOf(list.roles, list.otherRoles, settings.visibility[list.records])
  const find = finder(list, settings)
  const schema = routeSchema(list, query, context.operationSuffix, settings)
  // `swaggerTransform`: for hosts whose swagger transforms zod schemas
  const config = { list: list.records, swaggerTransform: false } as FastifyContextConfig

  app.route({
    method: 'GET',
    url: list.path,
    exposeHeadRoute: true,
    // The longest limit there is. A shorter limit of the server would answer before `timeout`.
    ...((app.initialConfig as { handlerTimeout?: number }).handlerTimeout && { handlerTimeout: 2 ** 31 - 1 }),
    logSerializers: maskingSerializers(app, context.logSerializers),
    errorHandler: context.answerFailure,
    schema,
    config,
    onRequest: async function allow(request: FastifyRequest) {
      const reach = reachOf(visibility, callerOf(request).role)
      reaches.set(request, reach)
      if (reach === 'none') throw new Failure('forbidden', 'The role may not see this list.')
    },
    handler: async function answer(request: FastifyRequest, reply: FastifyReply) {
      const caller = callerOf(request)
      // `allow` has noted the reach.
      const reach = reaches.get(request) as Reach
      const { race, ...deadline } = deadlineOf(request)
      const { timed, taken } = timingOf(request, list.records, reach)
      const asked = { caller, reach, ...read(String(request.raw.url)), timed, ...deadline }
      try {
        const found = await race(() => find(asked, sourceOf(request)))
        // A hook of the host has answered without returning the reply. Fastify waits for the end of that answer.
        if (isAnswering(reply)) return reply
        request.log.debug({ list: list.records, reach, milliseconds: taken }, 'Found.')
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

/** Whether the host's router also ends a path at a `;`. The option has two places, and a type in one of them. */
function splitsAtSemicolon({ initialConfig }: FastifyInstance): boolean {
  const places: { useSemicolonDelimiter?: boolean }[] = [initialConfig, { ...initialConfig.routerOptions }]
  return places.some(({ useSemicolonDelimiter }) => useSemicolonDelimiter)
}
