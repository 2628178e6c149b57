/** Masks the search term in Fastify's request logs (contract 104). */
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { List } from '../lists/list.js'
import { querySchema } from '../lists/paging-parameters.js'

export interface LogSerializers {
  req?: (request: FastifyRequest) => unknown
}

/** Pairs without personal data. */
const harmless = /^(page|limit)=\d{1,16}$/

/** `/list?search=jane@example.org&page=2` becomes `/list?search=***&page=2`. An unknown name can be personal data. */
export const maskUrl = (url: string, names: ReadonlySet<string>): string =>
  url
    // An absolute URL (RFC 9112, section 3.2.2) can hold a password.
    .replace(/^([a-z]+:\/\/)[^/]*@/i, '$1***@')
    // Fastify's router ends a path at each of these.
    .replace(/[?;#].*$/s, (query) => {
      const pairs = query.slice(1).split('&')
      const masked = (pair: string) => {
        const [name = ''] = pair.split('=', 1)
        return name !== pair && names.has(name) ? `${name}=***` : '***'
      }
      return `${query[0]}${pairs.map((pair) => (harmless.test(pair) ? pair : masked(pair))).join('&')}`
    })

type Logger = FastifyBaseLogger & { [serializers]?: LogSerializers }

const serializers = Symbol.for('pino.serializers')

/** @param registered the `logSerializers` of the plugin's registration */
export function maskingSerializers(app: FastifyInstance, list: List, registered: LogSerializers = {}) {
  const serialize = registered.req ?? (app.log as Logger)[serializers]?.req
  const names = new Set(Object.keys(querySchema(list).properties))
  return {
    req: (request: FastifyRequest) => {
      const url = maskUrl(request.url, names)
      // Fastify sets `originalUrl` if the host has a `rewriteUrl`.
      const raw = derived(request.raw, { url, originalUrl: url })
      return serialize?.(derived(request, { url, originalUrl: url, query: {}, raw })) ?? { url }
    }
  }
}

const derived = <T extends object>(object: T, properties: object): T =>
  Object.create(object, Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, { value }])))

/** Warns of a logger that may ignore `logSerializers`. Only pino tells without a line. */
export function checkLogger(app: FastifyInstance): void {
  let isUsed = false
  const req = () => {
    isUsed = true
  }
  try {
    const raw = { method: 'GET', url: '/', headers: {}, socket: {} } as FastifyRequest['raw']
    const logger: Logger = app.childLoggerFactory(app.log, {}, { serializers: { req } }, raw)
    if (logger[serializers]?.req === req) return
    logger.info({ req: { url: '/' } }, 'This line tests whether the log masks search terms.')
  } catch {
    // A factory of the host may need a real request.
  }
  if (isUsed) return
  const text =
    'The log may show search terms: the logger of a request does not use the serializers of child(), as pino does.'
  app.log.warn(text)
}
