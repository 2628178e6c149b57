/** What our routes let into the host's log: Fastify's request line without what the client searched for. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Pino's serializers, as far as they may show what a client searched for. */
export interface LogSerializers {
  req?: (request: FastifyRequest) => unknown
}

/** Pairs of a query string that cannot hold personal data; every other one is masked. */
const harmless = /^((page|limit)=\d{1,16}|(status|processor_status)=[a-z_]{0,32})$/

/** `/assessment/list?search=jane@example.org&page=2` becomes `/assessment/list?***&page=2`. */
export const maskUrl = (url: string): string =>
  url
    // a request may name the whole URL (RFC 9112, section 3.2.2), and some clients leave name and password in it
    .replace(/^([a-z]+:\/\/)[^/]*@/i, '$1***@')
    // Fastify's router ends a path at each of these
    .replace(/[?;#].*$/s, (query) => {
      const pairs = query.slice(1).split('&')
      return `${query[0]}${pairs.map((pair) => (harmless.test(pair) ? pair : '***')).join('&')}`
    })

/**
 * Serializers for our routes: the host's own one for `req`, given a request that has the term nowhere.
 *
 * @param registered the `logSerializers` that the host registered us with
 */
export function maskingSerializers(app: FastifyInstance, registered: LogSerializers = {}) {
  const logger = app.log as { [serializers]?: LogSerializers }
  const serialize = registered.req ?? logger[serializers]?.req
  return {
    req: (request: FastifyRequest) => {
      const url = maskUrl(request.url)
      // Fastify puts it there where the host rewrites URLs
      const raw = derived(request.raw as RawRequest, { url, originalUrl: url })
      return serialize?.(derived(request, { url, originalUrl: url, query: {}, raw })) ?? { url }
    }
  }
}

type RawRequest = FastifyRequest['raw'] & { originalUrl?: string }

/** An object like this one, but for some properties. */
const derived = <T extends object>(object: T, properties: Partial<Record<keyof T, unknown>>): T =>
  Object.create(object, Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }])))

/** Where pino keeps a logger's serializers; a part of its interface. */
const serializers = Symbol.for('pino.serializers')
