/** The assembly: what happens to a request in our scope, in the order in which it happens. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { identifyCallers } from './caller.js'
import { checkWhenReady } from './check.js'
import { mountList } from './list.js'
import { lists } from './lists.js'
import type { LogSerializers } from './log.js'
import type { ListingOptions } from './options.js'
import { keepDocument } from './schema.js'
import { readOptions, type Settings } from './settings.js'
import { sourcesOf } from './source.js'

const plugin: FastifyPluginAsync<ListingOptions> = async (app, given) => {
  const settings = readOptions(given)

  // Requests are read and answers written by ourselves, so that no setting of the host can change them;
  // these two keep the host's compilers, of whatever kind, away from our schemas.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)

  // Every answer of this scope is somebody's own (contract B6).
  app.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('cache-control', 'private, no-store')
    done()
  })

  const context = {
    settings,
    sourceOf: sourcesOf(settings),
    callerOf: identifyCallers(app, settings, knownRoles(settings)),
    operationSuffix: suffixOf(app),
    logSerializers: (given as { logSerializers?: LogSerializers }).logSerializers,
    checkAgain: checkWhenReady(app, settings)
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
