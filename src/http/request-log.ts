/** Masks the search term in Fastify's request logs (contract 104). */
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface LogSerializers {
  req?: (request: FastifyRequest) => unknown
}

/** Pairs without personal data. A host's filter can have any name. */
const harmless = /^(page|limit)=\d{1,16}$/

/** `/assessment/list?search=jane@example.org&page=2` becomes `/assessment/list?***&page=2`. */
export const maskUrl = (url: string): string =>
  url
    // An absolute URL (RFC 9112, section 3.2.2) can hold a password.
    .replace(/^([a-z]+:\/\/)[^/]*@/i, '$1***@')
    // Fastify's router ends a path at each of these.
    .replace(/[?;#].*$/s, (query) => {
      const pairs = query.slice(1).split('&')
      return `${query[0]}${pairs.map((pair) => (harmless.test(pair) ? pair : '***')).join('&')}`
    })

/** @param registered the `logSerializers` of the plugin's registration */
export function maskingSerializers(app: FastifyInstance, registered: LogSerializers = {}) {
  const logger = app.log as { [serializers]?: LogSerializers }
  const serialize = registered.req ?? logger[serializers]?.req
  return {
    req: (request: FastifyRequest) => {
      const url = maskUrl(request.url)
      // Fastify sets `originalUrl` if the host has a `rewriteUrl`.
      const raw = derived(request.raw as RawRequest, { url, originalUrl: url })
      return serialize?.(derived(request, { url, originalUrl: url, query: {}, raw })) ?? { url }
    }
  }
}

type RawRequest = FastifyRequest['raw'] & { originalUrl?: string }

const derived = <T extends object>(object: T, properties: Partial<Record<keyof T, unknown>>): T =>
  Object.create(object, Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }])))

const serializers = Symbol.for('pino.serializers')
