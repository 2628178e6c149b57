/** The plugin: mounts each list in an encapsulated scope. Comments cite the rules of docs/contract.md. */
import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { checkWhenReady } from './checks/on-ready.js'
import { checkLogger, type LogSerializers } from './http/request-log.js'
import { roleNoticer } from './http/role-notices.js'
import { type Assembly, mountList } from './http/route.js'
import type { ListingOptions } from './options/options.js'
import { sourcesOf } from './options/request-database.js'
import { type GivenOptions, settingsOf } from './options/settings.js'
import { finder } from './question/find.js'

/** @internal @throws TypeError when an option is wrong */
export function assemble(options: object): Assembly {
  const settings = settingsOf(options as GivenOptions)
  return { settings, sources: sourcesOf(settings), find: finder(settings.timeout) }
}

/** @internal */
export function pluginOf<Options extends object>(assemblyOf: (options: Options) => Assembly) {
  const plugin: FastifyPluginAsync<Options> = async (app, options) => {
    const assembly = assemblyOf(options)
    const { settings, sources } = assembly
    app.addHook('onReady', async () => checkLogger(app))
    checkWhenReady(app, sources.only, settings)
    const noticeUnknown = roleNoticer(app, settings)
    const { logSerializers } = options as { logSerializers?: LogSerializers }
    for (const list of settings.lists) {
      app.register(async (scope) => mountList(scope, list, assembly, noticeUnknown, logSerializers))
    }
  }
  return fp(plugin, {
    name: 'fastify-assessment-payment-listing',
    // Fastify 5.8.3 calls itself 5.8.2.
    fastify: '>=5.8.2 <6',
    // The hooks, the error handler and the compilers must not apply to the host's routes.
    encapsulate: true
  })
}

/**
 * The Fastify plugin. It mounts `GET /assessment/list` and `GET /payment/list`, or the lists of the
 * option `lists`, under the `prefix` of its registration.
 *
 * @throws from `app.ready()`: TypeError with the code `FST_LISTING_INVALID_OPTION` when an option is wrong, and Error
 *   with `FST_LISTING_NO_AUTHENTICATION` without `authenticate` and @fastify/jwt, or with `FST_LISTING_DATABASE_MISFIT`
 *   when the start-up check stops the boot
 * @example
 * app.register(listing, { prefix: '/api', db, resolveRole })
 */
const listing: FastifyPluginAsync<ListingOptions> = pluginOf(assemble)

export default listing
