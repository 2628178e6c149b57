/**
 * The limit: the same answers by hand, with mysql2 in a Fastify route and for every case the best SQL that
 * is known. `node hand-written.mjs execute` prepares statements, `query` sends text as Kysely does.
 */
import { createPool } from 'mysql2/promise'
import { fastify, listen } from './fastify.mjs'
import { assessments } from './hand-written/assessments.mjs'
import { payments } from './hand-written/payments.mjs'
import { assessmentPage, paymentPage, querystring } from './hand-written/schemas.mjs'
import { settings } from './serve.mjs'

const pool = createPool({ uri: settings().database, connectionLimit: 10, dateStrings: true })
const prepared = process.argv[2] === 'execute'

/** @type {import('./hand-written/sql.mjs').Ask} */
const ask = async (sql, values = []) => {
  const [rows] = await (prepared ? pool.execute(sql, values) : pool.query(sql, values))
  return /** @type {Record<string, any>[]} */ (rows)
}

const app = await fastify()
for (const { path, key, name, list, schema } of [
  { path: '/assessment/list', key: 'assessments', name: 'Assessments', list: assessments, schema: assessmentPage },
  { path: '/payment/list', key: 'data', name: 'Payments', list: payments, schema: paymentPage }
]) {
  const message = `${name} retrieved successfully.`
  app.get(path, {
    schema: { querystring, response: { 200: schema } },
    onRequest: (request) => request.jwtVerify(),
    handler: async (request) => {
      const { sub, role } = /** @type {import('./fastify.mjs').Token} */ (request.user)
      const asked = /** @type {import('./hand-written/sql.mjs').Asked} */ (request.query)
      const { items, total } = await list(ask, { ...asked, userId: sub, role })
      return { status: 'success', message, page: asked.page, limit: asked.limit, total, [key]: items }
    }
  })
}
await listen(app)
