/** The assembly: what happens to a request in our scope, in the order in which it happens. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { checkWhenReady } from './checks/on-ready.js'
import { sourcesOf } from './database/source.js'
import { identifyCallers } from './http/caller.js'
import { startDeadlines } from './http/deadline.js'
import { failureHandlers } from './http/error-handler.js'
import { keepDocument } from './http/openapi.js'
import { guardReplies } from './http/reply-guard.js'
import type { LogSerializers } from './http/request-log.js'
import { type ListContext, mountList } from './http/route.js'
import { lists } from './lists/index.js'
import type { ListingOptions } from './options/options.js'
import { type Settings, settingsOf } from './options/settings.js'

const plugin: FastifyPluginAsync<ListingOptions> = async (app, given) => {
  const settings = settingsOf(given)

  // Requests are read and answers written by ourselves, so that no setting of the host can change them;
  // these two keep the host's compilers, of whatever kind, away from our schemas.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)

  const reaches: ListContext['reaches'] = new WeakMap()
  const forbidden = new Map(lists.map(({ records, texts }) => [records, settings.messages[texts.forbidden]]))
  const { answer, answerNow } = failureHandlers(reaches, forbidden, settings.messages)
  // It comes after the error handler of the routes, and before the host's: what a hook does to an error body can fail.
  app.setErrorHandler(answerNow)
  guardReplies(app)

  const sources = sourcesOf(settings)
  const deadlineOf = startDeadlines(app, settings.timeout, answerNow)
  const context: ListContext = {
    settings,
    reaches,
    deadlineOf,
    answerFailure: answer,
    sourceOf: sources.of,
    callerOf: identifyCallers(app, settings, knownRoles(settings), deadlineOf),
    operationSuffix: suffixOf(app),
    logSerializers: (given as { logSerializers?: LogSerializers }).logSerializers,
    checkAgain: checkWhenReady(app, sources.only, settings)
  }
  const schemas = lists.map((list) => mountList(app, list, context))
  keepDocument(app, schemas)
}

/** Every role that some list names. */
function knownRoles({ visibility }: Settings): ReadonlySet<string> {
  return new Set(
    lists.flatMap(({ roles, records }) => [...Object.keys(roles), ...Object.keys(visibility[records] ?? {})])
  )
}

/** The suffixes that a server's registrations have taken. */
const suffixes = new WeakMap<object, Set<string>>()

/**
 * Operation ids must be unique in a document. The first registration in a server has plain ones; a further
 * one appends its prefix, `listPaymentsV2`, and a number where two prefixes come out alike.
 */
function suffixOf({ server, prefix }: FastifyInstance): string {
  const taken = suffixes.get(server) ?? new Set()
  const words = prefix.replace(/[^a-z0-9]+(.?)/gi, (_separator, next: string) => next.toUpperCase())
  let suffix = taken.size === 0 ? '' : words
  for (let number = 2; taken.has(suffix); number++) suffix = `${words}${number}`
  suffixes.set(server, taken.add(suffix))
  return suffix
}

/** The plugin, for `app.register`. */
const listing: FastifyPluginAsync<ListingOptions> = fp(plugin, {
  name: 'fastify-assessment-payment-listing',
  fastify: '5.x',
  // prefix, hooks, error handlers and compilers stay in our own scope
  encapsulate: true
})

export default listing
