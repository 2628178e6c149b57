import { pipeline, Readable } from 'node:stream'
import { type Options, stringify } from 'csv-stringify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ListingCall, PaymentItem, PaymentQuery, ResolveRole } from 'fastify-assessment-payment-listing'

/** @param csv such as `{ delimiter: ';' }`, for an Excel that expects a semicolon */
export function addExport(
  app: FastifyInstance,
  listings: { each(name: 'payments', call: ListingCall<PaymentQuery>): AsyncIterable<PaymentItem> },
  resolveRole: ResolveRole,
  csv: Options = {}
) {
  const onRequest = (request: FastifyRequest) => request.jwtVerify()

  app.get<{ Querystring: PaymentQuery }>('/payments.csv', { onRequest }, async (request, reply) => {
    const { query, log, signal } = request
    const payments = listings.each('payments', { caller: await resolveRole(request), query, signal })
    const columns = ['payment_id', 'email', 'amount', 'quantity', 'payment_status', 'paid_at', 'created_at']
    // Excel reads UTF-8 only after a BOM, and runs a cell that begins with = as a formula.
    const rows = stringify({ header: true, columns, bom: true, escape_formulas: true, ...csv })

    async function* logged(items: AsyncIterable<PaymentItem>) {
      let count = 0
      for await (const item of items) {
        yield item
        if (++count % 10_000 === 0) log.info({ count }, 'Exporting payments.')
      }
      log.info({ count }, 'Exported all payments.')
    }

    reply.header('content-type', 'text/csv; charset=utf-8').header('cache-control', 'private, no-store')
    reply.header('content-disposition', 'attachment; filename="payments.csv"')
    // If the client leaves, the statement ends. An error in the middle breaks the connection, so the client notices.
    return pipeline(Readable.from(logged(payments)), rows, (error) => {
      if (error) log.warn(error, 'The export ended early.')
    })
  })
}
