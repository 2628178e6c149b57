/** Masks the search term in Fastify's request logs (contract 104). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { factsOf, reportOf } from '../errors/error-details.js'

export interface LogSerializers {
  req?: (request: FastifyRequest) => unknown
}

/** Pairs without personal data. */
const harmless = /^((page|limit)=\d{1,16}|(status|processor_status)=[a-z_]{0,32})$/

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

/**
 * The name, the message and the stack of a thrown value, without the values of the request and without SQL.
 *
 * @param userId the id of the caller, if it is known
 */
export function maskError(thrown: unknown, { url, headers }: FastifyRequest, userId = '') {
  const reported = reportOf(thrown)
  const pairs = url
    .replace(/^[^?;#]*/, '')
    .slice(1)
    .split('&')
  const texts = [
    userId,
    ...pairs.filter((pair) => !harmless.test(pair)).flatMap((pair) => [pair, pair.slice(pair.indexOf('=') + 1)]),
    ...`${headers.authorization} ${headers.cookie}`.split(/[\s;=]+/)
  ]
  const forms = new Set(texts.flatMap(formsOf).toSorted((a, b) => b.length - a.length))
  const masks = [...forms].map(
    (form) => new RegExp(form.length > 2 ? literal(form) : `(?<!\\w)${literal(form)}(?!\\w)`, 'gi')
  )
  // MySQL and MariaDB quote the statement after `near`.
  const mask = (text = '') =>
    masks.reduce((masked, form) => masked.replace(form, '***'), text.replace(/near '.*$/s, "near '…'"))
  const [name, message] = [mask(reported.name), mask(reported.message)]
  const { at } = factsOf(reported)
  return { name, message, stack: [`${name}: ${message}`, ...(at ? [mask(String(at))] : [])].join('\n') }
}

/** The forms in which SQL and drivers write a value. */
function formsOf(text: string): string[] {
  const value = decoded(text)
  const hex = Buffer.from(value).toString('hex')
  return [text, value, value.replaceAll("'", "''"), value.replace(/[!%_]/g, '!$&'), hex].filter((form) => form !== '')
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

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
