/** The body of a 200 answer, and the headers of every answer (contract 25 to 31 and 105). */
import type { FastifyInstance } from 'fastify'
import type { List, RecordRoute } from '../lists/list.js'
import type { Answered } from '../question/answers/index.js'

export const contentType = 'application/json; charset=utf-8'

export const noStore = 'private, no-store'

/** Contract 105. Runs after the host's `onSend` hooks, which the host's own `onRoute` can add. */
export function keepFromCaches(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      function addCacheControl(_request, reply, _payload, done) {
        // The second answer of a hook that does not return the reply would end the process.
        if (reply.raw.headersSent) return
        reply.header('cache-control', noStore)
        done()
      }
    ]
  })
}

export const recordBody = ({ messages, key }: RecordRoute, item: unknown): string =>
  JSON.stringify({ status: 'success', message: messages.found, [key]: item })

export const pageBody = ({ items, ...numbers }: Answered, { key, messages }: Pick<List, 'key' | 'messages'>): string =>
  JSON.stringify({ status: 'success', message: messages.found, ...numbers, [key]: items })
