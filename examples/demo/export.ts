/** "Download CSV": every record that matches the question, from `listings.each`, as fast as the client reads. */
import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { FastifyInstance } from 'fastify'
import type { DemoCaller, DemoListings } from './page.js'

interface Form {
  token: string
  list: 'assessments' | 'payments' | 'certificates'
  query: string
}

/**
 * A form sends the token in its body, because the browser then streams the answer to the disk, and no address has the
 * token.
 */
export async function csvExport(
  app: FastifyInstance,
  { callers, listings }: { callers: DemoCaller[]; listings: DemoListings }
): Promise<void> {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body))))
  )

  app.post<{ Body: Form }>('/demo/csv', { schema: { hide: true } }, async ({ body, log }, reply) => {
    const { token, list, query } = body
    const caller = callers.find((caller) => caller.token === token)
    if (!caller) return reply.code(401).send({ error: 'The token is none of /demo/callers: load the page again.' })
    const { userId, roles } = caller
    const items = listings.each(list, { caller: { userId, role: roles }, query: parametersOf(query) })
    // A spreadsheet runs a cell that begins with = as a formula.
    const rows = stringify({ header: true, bom: true, escape_formulas: true, cast: { boolean: String } })
    reply.header('content-type', 'text/csv; charset=utf-8').header('cache-control', 'private, no-store')
    reply.header('content-disposition', `attachment; filename="${list}.csv"`)
    // A client that leaves ends the statement. An error in the middle breaks the connection, so the client notices.
    return pipeline(Readable.from(items), rows, (error) => {
      if (error) log.warn(error, 'The export ended early.')
    })
  })
}

/** The parameters of a query string, where a repeated one has several values. */
export function parametersOf(query: string): Record<string, string | string[]> {
  const given = new URLSearchParams(query)
  const of = (name: string) => {
    const values = given.getAll(name)
    return values.length > 1 ? values : String(values[0])
  }
  return Object.fromEntries([...new Set(given.keys())].map((name) => [name, of(name)]))
}
