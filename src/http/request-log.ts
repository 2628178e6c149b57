/** Keeps the search term out of Fastify's request lines for our routes. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The pino serializers that can show a search term. */
export interface LogSerializers {
  req?: (request: FastifyRequest) => unknown
}

/** Pairs of a query string that hold no personal data. All other pairs are masked. */
const harmless = /^((page|limit)=\d{1,16}|(status|processor_status)=[a-z_]{0,32})$/

/** `/assessment/list?search=jane@example.org&page=2` becomes `/assessment/list?***&page=2`. */
export const maskUrl = (url: string): string =>
  url
    // A request can hold the whole URL (RFC 9112, section 3.2.2), with a name and a password.
    .replace(/^([a-z]+:\/\/)[^/]*@/i, '$1***@')
    // Fastify's router ends a path at each of these
    .replace(/[?;#].*$/s, (query) => {
      const pairs = query.slice(1).split('&')
      return `${query[0]}${pairs.map((pair) => (harmless.test(pair) ? pair : '***')).join('&')}`
    })

/**
 * Serializers for our routes: the host's own `req` serializer gets a request without the term.
 *
 * @param registered the `logSerializers` that the host registered us with
 */
export function maskingSerializers(app: FastifyInstance, registered: LogSerializers = {}) {
  const logger = app.log as { [serializers]?: LogSerializers }
  const serialize = registered.req ?? logger[serializers]?.req
  return {
    req: (request: FastifyRequest) => {
      const url = maskUrl(request.url)
      // Fastify sets `originalUrl` where the host rewrites URLs.
      const raw = derived(request.raw as RawRequest, { url, originalUrl: url })
      return serialize?.(derived(request, { url, originalUrl: url, query: {}, raw })) ?? { url }
    }
  }
}

type RawRequest = FastifyRequest['raw'] & { originalUrl?: string }

/** An object that differs from the given one in some properties. */
const derived = <T extends object>(object: T, properties: Partial<Record<keyof T, unknown>>): T =>
  Object.create(object, Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }])))

/** The symbol under which pino exposes the serializers of a logger. */
const serializers = Symbol.for('pino.serializers')
