/** The plugin: mounts each list in an encapsulated scope. Comments cite the rules of docs/contract.md. */
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { checkWhenReady } from './checks/on-ready.js'
import { roleNoticer } from './http/caller.js'
import { sourcesOf } from './http/database-of.js'
import { operationSuffixOf } from './http/openapi.js'
import type { LogSerializers } from './http/request-log.js'
import { mountList } from './http/route.js'
import type { ListingOptions } from './options/options.js'
import { type GivenOptions, settingsOf } from './options/settings.js'

const plugin: FastifyPluginAsync<ListingOptions> = async (app, options) => {
  const settings = settingsOf(options as unknown as GivenOptions)

  // The plugin reads queries and serializes answers itself. The host's compilers must not see the schemas.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)

  const sources = sourcesOf(settings)
  const context = {
    settings,
    sourceOf: sources.of,
    noticeRole: roleNoticer(app, settings),
    operationSuffix: operationSuffixOf(app),
    logSerializers: (options as { logSerializers?: LogSerializers }).logSerializers,
    checkAgain: checkWhenReady(app, sources.only, settings)
  }
  for (const list of settings.lists) app.register(async (scope) => mountList(scope, list, context))
}

/**
 * The Fastify plugin. It mounts `GET /assessment/list` and `GET /payment/list`, or the lists of the
 * option `lists`, under the `prefix` of its registration.
 *
 * @throws TypeError when an option is wrong, and Error when the start-up check stops the boot, both from `app.ready()`.
 * @example
 * app.register(listing, { prefix: '/api', db, resolveRole })
 */
const listing: FastifyPluginAsync<ListingOptions> = fp(plugin, {
  name: 'fastify-assessment-payment-listing',
  // Fastify 5.8.3 calls itself 5.8.2.
  fastify: '>=5.8.2 <6',
  // The hooks, the error handler and the compilers must not apply to the host's routes.
  encapsulate: true
})

export default listing
