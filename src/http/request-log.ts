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

/** A client can send thousands of parameters. More parameters than this hide the whole message. */
const maxParameters = 50

/**
 * The name, the message and the stack of a thrown value, without the values of the request and without SQL.
 *
 * @param userId the id of the caller, if it is known
 */
export function maskError(thrown: unknown, { url, headers }: FastifyRequest, userId = '') {
  const query = url.replace(/^[^?;#]*/, '').slice(1)
  const pairs = query.split('&').filter((pair) => !harmless.test(pair))
  const values = [
    userId,
    ...pairs.slice(0, maxParameters).flatMap((pair) => [pair, afterEquals(pair)]),
    ...String(headers.cookie ?? '')
      .split(';')
      .map(afterEquals),
    // Without the scheme.
    ...String(headers.authorization ?? '')
      .split(' ')
      .slice(1)
  ]
  // The first pattern matches nothing.
  const secrets = new RegExp(['(?!)', ...values.flatMap(formsOf)].join('|'), 'gi')
  // MySQL and MariaDB quote the statement after `near`.
  const mask = (text = '') =>
    pairs.length > maxParameters ? '***' : text.replace(/near '.*$/s, "near '…'").replace(secrets, '***')
  const reported = reportOf(thrown)
  const [name, message] = [mask(reported.name), mask(reported.message)]
  const { at = '' } = factsOf(reported)
  return { name, message, stack: `${name}: ${message}\n${at}` }
}

const afterEquals = (pair: string) => pair.slice(pair.indexOf('=') + 1)

/** Patterns for the forms in which SQL and drivers write a value. A short value must be a word of its own. */
function formsOf(text: string): string[] {
  const value = decoded(text)
  const hex = Buffer.from(value).toString('hex')
  return [text, value, value.replaceAll("'", "''"), value.replace(/[!%_]/g, '!$&'), hex]
    .filter((form) => form !== '')
    .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .map((form) => (form.length > 2 ? form : `(?<!\\w)${form}(?!\\w)`))
}

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
