/** Mounts a list in a scope of its own: the hooks, the routes, and the bodies of their 200 answers (contract 25 to 31). */
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { openSession } from '../database/session.js'
import { InvalidOption } from '../errors/boot-error.js'
import { failureOf } from '../errors/classify.js'
import { Failure } from '../errors/failure.js'
import { tablesOf } from '../lists/aliases.js'
import { idParameterOf, type List } from '../lists/list.js'
import type { Sources } from '../options/request-database.js'
import type { Settings } from '../options/settings.js'
import type { AnswerKind } from '../question/answers/answer.js'
import { answerOf } from '../question/answers/index.js'
import { record } from '../question/answers/record.js'
import { type Ask, type Pairs, questionReader, recordReader } from '../question/asked/check-parameters.js'
import type { Find } from '../question/find.js'
import { timingOf } from '../question/timing.js'
import { nameOf } from '../visibility/grant.js'
import { identifyCallers } from './authentication.js'
import { contentType, errorHandlersOf, noStore } from './error-answers.js'
import { exchangeOf, openExchanges } from './exchange.js'
import { recordRouteSchema, routeSchema } from './openapi.js'
import { type LogSerializers, maskingSerializers } from './request-log.js'
import type { NoticeRole } from './role-notices.js'

/** @internal What the routes share with the calls without HTTP. */
export interface Assembly {
  readonly settings: Settings
  readonly sources: Sources
  readonly find: Find
}

/** @param logSerializers those of the plugin's registration */
export function mountList(
  scope: FastifyInstance,
  list: List,
  { settings, sources, find }: Assembly,
  noticeUnknown: NoticeRole,
  logSerializers: LogSerializers | undefined
): void {
  const { send, write } = errorHandlersOf(list, settings.messages)
  requireFree(scope, list)

  // The hooks run in this order.
  openExchanges(scope, settings.timeout)
  identifyCallers(scope, settings, list, noticeUnknown)
  keepFromCaches(scope)
  scope.setErrorHandler(write)
  // The schemas are for the OpenAPI document alone. The host's compilers must not see them.
  scope.setValidatorCompiler(() => () => true)
  scope.setSerializerCompiler(() => JSON.stringify)
  const mount = (url: string, schema: object, handler: RouteHandlerMethod) =>
    scope.route({
      method: 'GET',
      url,
      schema,
      handler,
      exposeHeadRoute: true,
      logSerializers: maskingSerializers(scope, list, logSerializers),
      errorHandler: send,
      // Disables a host's zod transform.
      config: { swaggerTransform: false } as FastifyContextConfig
    })

  const tableNames = Object.values(tablesOf(list))
  const queryStart = queryStartOf(scope)
  /** Resolves to undefined if somebody else, such as a hook, has answered. */
  const findFor = async <Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: AnswerKind<Answer>,
    ask: Ask
  ): Promise<Answer | undefined> => {
    const exchange = exchangeOf(reply)
    if (!exchange?.caller || !exchange.reach) throw new Failure('internal', 'The request was not authenticated.')
    const { caller, reach, deadline } = exchange
    const { timed, durations } = timingOf(request.id, list.name, reach)
    const onLateError = (error: unknown) =>
      request.log.warn({ list: list.name, ...failureOf(error).facts }, 'The transaction failed after its answer.')
    const found = await exchange.unlessAnswered(reply, () => {
      const question = ask(caller, reach, pairsOf(String(request.raw.url), queryStart))
      return exchange.race('connection', () => {
        const source = sources.of(request)
        return find(kind, question, source.tables(tableNames), openSession(source, deadline, timed, onLateError))
      })
    })
    if (!found) return undefined
    request.log.debug({ list: list.name, reach: nameOf(reach), durations }, 'Found.')
    reply.type(contentType)
    return found
  }

  const kind = answerOf(list)
  const askPage = questionReader(list, settings)
  // Traces show the name of the handlers.
  mount(list.path, routeSchema(scope, list, settings), async function answer(request, reply) {
    const found = await findFor(request, reply, kind, askPage)
    if (!found) return reply
    const { items, ...numbers } = found
    return bodyOf(list, { ...numbers, [list.key]: items })
  })

  const { record: one } = list
  if (!one) return
  const parameter = idParameterOf(one)
  const askRecord = recordReader(list, settings)
  mount(one.path, recordRouteSchema(scope, list, one, settings), async function answer(request, reply) {
    const id = String((request.params as Record<string, unknown>)[parameter])
    const found = await findFor(request, reply, record, (...asked) => askRecord(...asked, id))
    return found ? bodyOf(one, { [one.key]: found.item }) : reply
  })
}

function requireFree(scope: FastifyInstance, { name, path, record }: List): void {
  for (const each of [path, record?.path ?? []].flat()) {
    const url = `${scope.prefix}${each}`
    if (!scope.hasRoute({ method: 'GET', url })) continue
    const [what, more] = each === path ? ['list', "path: '/…'"] : ['record', "record: { path: '/…', … }"]
    const mistake = `List '${name}': the server has a route '${url}' already. Register the lists under another 'prefix'`
    throw new InvalidOption(`${mistake}, or mount the ${what} under another path: ${name}.extend({ ${more} }).`)
  }
}

/** Contract 105. Runs after the host's `onSend` hooks, which the host's own `onRoute` can add. */
function keepFromCaches(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      function addCacheControl(_request, reply, _payload, done) {
        // The second answer of a hook that does not return the reply would end the process.
        if (reply.raw.headersSent) return
        reply.header('cache-control', noStore)
        done()
      }
    ]
  })
}

/** Where a query string begins. Undefined as usual. */
function queryStartOf({ initialConfig }: FastifyInstance): RegExp | undefined {
  const { useSemicolonDelimiter, routerOptions } = initialConfig
  return useSemicolonDelimiter || Object(routerOptions).useSemicolonDelimiter ? /[?;#]/ : undefined
}

/** Reads a query string, whatever parser the host has. Undefined if it is not percent-encoded UTF-8 (contract 7). */
export function pairsOf(url: string, queryStart = /[?#]/): Pairs | undefined {
  const start = url.search(queryStart)
  const query = start < 0 ? '' : url.slice(start + 1)
  // A request target has neither a `#` nor unencoded characters (RFC 9112, section 3.2).
  if (url[start] === '#' || /[^!-~]|#/.test(query)) return undefined
  // A `+` is a space (contract 7).
  const pairs = query.replaceAll('+', ' ').split('&').filter(Boolean)
  try {
    return pairs.map((pair) => {
      const end = `${pair}=`.indexOf('=')
      return [decodeURIComponent(pair.slice(0, end)), decodeURIComponent(pair.slice(end + 1))]
    })
  } catch {
    return undefined
  }
}

const bodyOf = ({ messages }: { messages: { found: string } }, found: object): string =>
  JSON.stringify({ status: 'success', message: messages.found, ...found })
