/** Mounts a list in a scope of its own: the hooks, the route and the failures. */
import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import { openSession } from '../database/session.js'
import { Failure } from '../errors/failure.js'
import { type List, tablesOf } from '../lists/list.js'
import { contentType, pageBody, querySchema } from '../lists/schemas.js'
import type { Settings } from '../options/settings.js'
import type { Finder } from '../query/find.js'
import { identifyCallers } from './caller.js'
import type { Sources } from './database-of.js'
import { exchangeOf, openExchanges } from './exchange.js'
import { failuresOf } from './failures.js'
import { routeSchema } from './openapi.js'
import { queryReader } from './query-string.js'
import { type LogSerializers, maskingSerializers } from './request-log.js'
import { timingOf } from './timing.js'

export interface ListContext {
  settings: Settings
  sources: Pick<Sources, 'of'>
  find: Finder['find']
  noticeRole(role: string): void
  /** Makes the `operationId` unique in a server. */
  operationSuffix: string
  logSerializers: LogSerializers | undefined
  /** Repeats the start-up check. */
  checkAgain(): void
}

export function mountList(scope: FastifyInstance, list: List, context: ListContext): void {
  const { settings, sources, find } = context
  const { messages } = settings
  const querystring = querySchema(list.parameters, settings)
  const read = queryReader(querystring, settings.unknownParameters, messages, splitsAtSemicolon(scope), list.filters)
  const tables = Object.values(tablesOf(list))
  const failures = failuresOf(list, messages)

  // Runs when a hook fails on the error body of the route's error handler.
  scope.setErrorHandler(failures.write)

  // The `onRequest` hooks run in this order.
  openExchanges(scope, settings.timeout, failures.write)
  identifyCallers(scope, settings, list, context.noticeRole)

  scope.route({
    method: 'GET',
    url: list.path,
    exposeHeadRoute: true,
    // The longest time of a timer. The server's own limit would answer before the deadline.
    ...((scope.initialConfig as { handlerTimeout?: number }).handlerTimeout && { handlerTimeout: 2 ** 31 - 1 }),
    logSerializers: maskingSerializers(scope, context.logSerializers),
    errorHandler: failures.send,
    schema: routeSchema(scope, list, querystring, context.operationSuffix, settings),
    // Disables a host's zod transform.
    config: { swaggerTransform: false } as FastifyContextConfig,
    handler: async function answer(request, reply) {
      const exchange = exchangeOf(reply)
      const { caller, reach, deadline } = exchange
      if (!caller || !reach) throw new Failure('internal', 'The request was not authenticated.')
      const { timed, durations } = timingOf(request.id, list.name, reach)
      const listRequest = { caller, reach, ...read(String(request.raw.url)) }
      try {
        const found = await exchange.race('connection', () => {
          const source = sources.of(request)
          return find(listRequest, openSession(source, source.now(tables), deadline, timed))
        })
        // A hook of the host answered without returning the reply. Fastify waits for that answer.
        if (exchange.state !== 'open') return reply
        request.log.debug({ list: list.name, reach, milliseconds: durations }, 'Found.')
        reply.type(contentType)
        return pageBody({ message: list.found, key: list.key, ...found })
      } catch (error) {
        if (exchange.state !== 'open') return reply
        if (error instanceof Failure && error.isMisfit) context.checkAgain()
        throw error
      }
    }
  })
}

/** The option has two places. Fastify's types know one of them. */
function splitsAtSemicolon({ initialConfig }: FastifyInstance): boolean {
  const options: { useSemicolonDelimiter?: boolean }[] = [initialConfig, { ...initialConfig.routerOptions }]
  return options.some(({ useSemicolonDelimiter }) => useSemicolonDelimiter)
}
