import { Eta } from 'eta'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type {
  FindResult,
  ListingCall,
  PaymentItem,
  PaymentQuery,
  ResolveRole
} from 'fastify-assessment-payment-listing'

// Eta escapes each value.
const eta = new Eta()
const template = eta.compile(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Payments</title>
<form><input name="search" value="<%= it.search %>" aria-label="Search"> <button>Search</button></form>
<p><%= it.total %> payments</p>
<table>
<% for (const payment of it.items) { %>
<tr><td><%= payment.created_at %></td><td><%= payment.email %></td><td><%= payment.amount %></td></tr>
<% } %>
</table>
<% for (const [text, page] of it.links) { %>
<a href="?<%= new URLSearchParams({ search: it.search, page }) %>"><%= text %></a>
<% } %>
</html>`)

export function addPage(
  app: FastifyInstance,
  listings: { find(name: 'payments', call: ListingCall<PaymentQuery>): Promise<FindResult<PaymentItem>> },
  resolveRole: ResolveRole
) {
  const onRequest = (request: FastifyRequest) => request.jwtVerify()

  app.get<{ Querystring: PaymentQuery }>('/payments', { onRequest }, async (request, reply) => {
    const { query, signal } = request
    const found = await listings.find('payments', { caller: await resolveRole(request), query, signal })
    const { page, limit, total } = found
    const links = [...(page > 1 ? [['Newer', page - 1]] : []), ...(page * limit < total ? [['Older', page + 1]] : [])]
    reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'private, no-store')
    return eta.render(template, { ...found, search: query.search ?? '', links })
  })
}
