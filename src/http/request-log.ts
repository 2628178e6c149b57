/** Masks the search term in Fastify's request logs (contract 104). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isMissing } from '../errors/driver-errors.js'
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

/** A client can send thousands of values. More values than this hide the whole message. */
const maxValues = 200

/** `authorization`, `cookie`, `x-api-key`, `x-session-id` … */
const secretHeader = /auth|cookie|key|token|session|secret/i

/** Characters of a message that are shown. */
const maxLength = 1_000

const sql = /\bselect\b.+\bfrom\b|\binsert\s+into\b|\bupdate\b.+\bset\b|\bdelete\s+from\b/is

/**
 * The name, the message and the stack of a thrown value, without the values of the request, without SQL and, for an
 * error of a driver, without quoted texts, which can be values of records.
 *
 * @param userId the id of the caller, if it is known
 */
export function maskError(thrown: unknown, request: FastifyRequest, userId = '') {
  const reported = reportOf(thrown)
  const isOfDriver = reported.errno !== undefined || /^[0-9A-Z]{5}$/.test(reported.code ?? '')
  const values = valuesOf(request, userId)
  const mask = (text = '') => {
    if (values.length > maxValues || sql.test(text)) return '***'
    // The names of missing tables and columns are quoted too.
    const quoted = isOfDriver && !isMissing(reported) ? text.replace(/"[^"]*"?|'[^']*'?/g, "'…'") : text
    return values.reduce(withoutValue, quoted.slice(0, maxLength))
  }
  const [name, message] = [mask(reported.name), mask(reported.message)]
  const { at = '' } = factsOf(reported)
  return { name, message, stack: `${name}: ${message}\n${at}` }
}

/** The values of the query, of headers with credentials and of the token's claims, the longest first. */
function valuesOf({ url, headers, user }: FastifyRequest & { user?: unknown }, userId: string): string[] {
  const parts = [
    ...url
      .replace(/^[^?;#]*/, '')
      .split(/[?;#&]/)
      .filter((pair) => !/^(page|limit)=/.test(pair)),
    ...Object.entries(headers).flatMap(([name, value]) => (secretHeader.test(name) ? String(value) : []))
  ]
  const claims = Object.values(Object(user)).map(String)
  const values = [
    userId,
    ...claims,
    ...parts.flatMap((part) => part.split(/[\s;,="]+/).flatMap((text) => [text, decoded(text)]))
  ]
  return [...new Set(values.filter(Boolean))].sort((a, b) => b.length - a.length)
}

/** A value is also masked in the forms that SQL and drivers give it. A short value must be a word of its own. */
function withoutValue(text: string, value: string): string {
  const start = value.slice(0, 64)
  const forms = [start, start.replaceAll("'", "''"), start.replace(/[!%_]/g, '!$&'), Buffer.from(start).toString('hex')]
  const pattern = [...new Set(forms)].map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const whole = value.length < 3 ? `(?<!\\w)(${pattern})(?!\\w)` : value === start ? pattern : `(${pattern})\\S*`
  return text.replace(new RegExp(whole, 'gi'), '***')
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
