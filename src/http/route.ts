/** Mounts a list in a scope of its own: the hooks, the route and the failures. */
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { openSession } from '../database/session.js'
import { InvalidOption } from '../errors/boot-error.js'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import { idParameterOf, type List, tablesOf } from '../lists/list.js'
import type { Settings } from '../options/settings.js'
import type { Sources } from '../options/sources.js'
import type { AnswerKind } from '../question/answers/answer.js'
import { answerOf } from '../question/answers/index.js'
import { record } from '../question/answers/record.js'
import { questionReader, recordReader } from '../question/asked/parameters.js'
import type { Question } from '../question/asked/question.js'
import type { Find } from '../question/find.js'
import { timingOf } from '../question/timing.js'
import type { Caller } from '../visibility/caller.js'
import { type Grants, nameOf } from '../visibility/grants.js'
import { contentType, keepFromCaches, pageBody, recordBody } from './answers.js'
import { identifyCallers } from './authentication.js'
import { errorHandlersOf } from './error-answers.js'
import { exchangeOf, openExchanges } from './exchange.js'
import { recordRouteSchema, routeSchema } from './openapi.js'
import { pairsOf } from './query-string.js'
import { type LogSerializers, maskingSerializers } from './request-log.js'
import type { NoticeRole } from './role-notices.js'

export interface ListContext {
  settings: Settings
  sources: Pick<Sources, 'of'>
  find: Find
  noticeUnknown: NoticeRole
  logSerializers: LogSerializers | undefined
}

const taken = ({ prefix }: FastifyInstance, { name, record }: List, path: string) => {
  const [what, more] = path === record?.path ? ['record', "record: { path: '/…', … }"] : ['list', "path: '/…'"]
  const mistake = `List '${name}': the server has a route '${prefix}${path}' already. Register the lists under another `
  return `${mistake}'prefix', or mount the ${what} under another path: ${name}.extend({ ${more} }).`
}

export function mountList(scope: FastifyInstance, list: List, context: ListContext): void {
  const { settings, sources, find } = context
  const questionOf = questionReader(settings)
  const tableNames = Object.values(tablesOf(list))
  const { send, write } = errorHandlersOf(list, settings.messages)

  for (const path of [list.path, list.record?.path ?? []].flat()) {
    const isTaken = scope.hasRoute({ method: 'GET', url: `${scope.prefix}${path}` })
    if (isTaken) throw new InvalidOption(taken(scope, list, path))
  }

  // The hooks run in this order.
  openExchanges(scope, settings.timeout)
  identifyCallers(scope, settings, list, context.noticeUnknown)
  keepFromCaches(scope)
  scope.setErrorHandler(write)

  const mount = <Answer extends object>(
    url: string,
    schema: object,
    kind: AnswerKind<Answer>,
    questionOf: (request: FastifyRequest, caller: Caller, reach: Grants) => Question,
    bodyOf: (found: Answer) => string
  ) =>
    scope.route({
      method: 'GET',
      url,
      exposeHeadRoute: true,
      logSerializers: maskingSerializers(scope, list, context.logSerializers),
      errorHandler: send,
      // For the OpenAPI document alone: the plugin switches Fastify's validation off.
      schema,
      // Disables a host's zod transform.
      config: { swaggerTransform: false } as FastifyContextConfig,
      handler: async function answer(request, reply) {
        const exchange = exchangeOf(reply)
        if (!exchange?.caller || !exchange.reach) throw new Failure('internal', 'The request was not authenticated.')
        const { caller, reach, deadline } = exchange
        const { timed, durations } = timingOf(request.id, list.name, reach)
        const onLateError = (error: unknown) =>
          request.log.warn({ list: list.name, ...failureOf(error).facts }, 'The transaction failed after its answer.')
        const found = await exchange.unlessAnswered(reply, () => {
          const question = questionOf(request, caller, reach)
          return exchange.race('connection', () => {
            const source = sources.of(request)
            return find(kind, question, source.tables(tableNames), openSession(source, deadline, timed, onLateError))
          })
        })
        if (!found) return reply
        request.log.debug({ list: list.name, reach: nameOf(reach), durations }, 'Found.')
        reply.type(contentType)
        return bodyOf(found)
      }
    })

  const { record: one } = list
  const { useSemicolonDelimiter, routerOptions } = scope.initialConfig
  const end = useSemicolonDelimiter || Object(routerOptions).useSemicolonDelimiter ? /[?;#]/ : undefined
  const pairsIn = ({ raw }: FastifyRequest) => pairsOf(String(raw.url), end)
  mount(
    list.path,
    routeSchema(scope, list, settings),
    answerOf(list),
    (request, caller, reach) => questionOf(list, caller, reach, pairsIn(request)),
    (found) => pageBody(found, list)
  )
  if (!one) return
  const parameter = idParameterOf(one)
  const recordOf = recordReader(list, settings)
  const idIn = ({ params }: FastifyRequest) => String((params as Record<string, unknown>)[parameter])
  mount(
    one.path,
    recordRouteSchema(scope, list, one, settings),
    record,
    (request, caller, reach) => recordOf(caller, reach, pairsIn(request), idIn(request)),
    ({ item }) => recordBody(one, item)
  )
}
