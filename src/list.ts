/** What a list is, and the route that every list answers on. */
import type { TProperties, TSchema } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAnswered, unlessAnswered } from './answered.js'
import type { CallerOf } from './caller.js'
import { contentType, pageBody } from './envelope.js'
import { Failure } from './errors.js'
import { failureHandler } from './failure-handler.js'
import { finder } from './find.js'
import { type LogSerializers, maskingSerializers } from './log.js'
import type { Messages } from './messages.js'
import type { Filter, Reading } from './plan.js'
import { queryReader } from './query.js'
import { querySchema, type RouteSchema, routeSchema } from './schema.js'
import type { Settings } from './settings.js'
import type { SourceOf } from './source.js'
import { timingOf } from './timing.js'
import { type Reach, reachOf, visibilityOf } from './visibility.js'

/** A list, described as data: what it is called, what may be asked, who may see it, what it shows. */
export interface List<Parameter extends TProperties = TProperties> extends Reading {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** The name under which the records stand in the answer. */
  readonly key: string
  /** The schema of the answer. */
  readonly page: TSchema
  /** The parameters beside `page` and `limit`. */
  readonly parameters: Parameter
  readonly filters: Readonly<Record<Exclude<keyof Parameter, 'search'> & string, Filter>>
  /** The reach of each role, and that of every other one. */
  readonly roles: Readonly<Record<string, Reach>>
  readonly otherRoles: Reach
  /** Which messages are its own. */
  readonly texts: { readonly found: keyof Messages; readonly forbidden: keyof Messages }
}

/** What the inside of the plugin hands to a list. */
export interface ListContext {
  settings: Settings
  callerOf: CallerOf
  sourceOf: SourceOf
  /** Appended to the `operationId`, which must be unique in a server. */
  operationSuffix: string
  /** Those that the host registered the plugin with. */
  logSerializers: LogSerializers | undefined
  /** Looks at the database once more: it no longer has what it had. */
  checkAgain(): void
}

/** Mounts a list's route in our scope, and gives its schema. */
export function mountList(app: FastifyInstance, list: List, context: ListContext): RouteSchema {
  const { settings, callerOf, sourceOf } = context
  const { messages } = settings
  const query = querySchema(list.parameters, settings)
  const read = queryReader(query, settings.unknownParameters, messages, splitsAtSemicolon(app))
  const reaches = new WeakMap<FastifyRequest, Reach>()
  const visibility = visibilityOf(list.roles, list.otherRoles, settings.visibility[list.records])
  const find = finder(list, settings)
  const schema = routeSchema(list, query, context.operationSuffix, settings)

  app.route({
    method: 'GET',
    url: list.path,
    exposeHeadRoute: true,
    handlerTimeout: settings.timeout,
    logSerializers: maskingSerializers(app, context.logSerializers),
    errorHandler: failureHandler(list.records, reaches, messages[list.texts.forbidden], messages),
    schema,
    // for hosts whose swagger transforms zod schemas
    config: { swaggerTransform: false },
    onRequest: async function allow(request: FastifyRequest) {
      const reach = reachOf(visibility, callerOf(request).role)
      reaches.set(request, reach)
      if (reach === 'none') throw new Failure('forbidden', 'The role may not see this list.')
    },
    handler: async function answer(request: FastifyRequest, reply: FastifyReply) {
      const caller = callerOf(request)
      const reach = reachOf(visibility, caller.role)
      const parameters = read(String(request.raw.url))
      const over = new AbortController()
      // also where the client left before there was an answer
      reply.raw.once('close', () => over.abort())
      // it may have left while the host found out who it is
      if (reply.raw.destroyed) over.abort()
      try {
        const timeLeft = () =>
          isAnswered(request, reply) || over.signal.aborted ? 0 : settings.timeout - reply.elapsedTime
        const { timed, taken } = timingOf(request, list.records, reach)
        const asked = { caller, reach, parameters, timeLeft, over: over.signal, timed }
        const found = await unlessAnswered(request, reply, () => find(asked, sourceOf(request)))
        // the deadline has answered meanwhile, and has been logged
        if (!found) return
        request.log.debug({ list: list.records, reach, milliseconds: taken }, 'Found.')
        reply.type(contentType)
        return pageBody({ message: messages[list.texts.found], key: list.key, ...found })
      } catch (error) {
        if (error instanceof Failure && error.facts.missing) context.checkAgain()
        throw over.signal.aborted ? new Failure('host', 'The client left before the answer.', {}, 499) : error
      }
    }
  })
  return schema
}

/** Whether the host's router ends a path at a `;` too. The option has two places, and a type in one of them. */
function splitsAtSemicolon({ initialConfig }: FastifyInstance): boolean {
  const places: { useSemicolonDelimiter?: boolean }[] = [initialConfig, { ...initialConfig.routerOptions }]
  return places.some(({ useSemicolonDelimiter }) => useSemicolonDelimiter)
}
