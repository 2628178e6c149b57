/** The built library in a host as its README shows it. */
import { Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import listing from '../../dist/index.js'
import { fastify, listen } from './fastify.mjs'
import { settings } from './serve.mjs'

const db = new Kysely({
  dialect: new MysqlDialect({ pool: createPool({ uri: settings().database, connectionLimit: 10 }) })
})
const app = await fastify()
await app.register(listing, {
  db,
  shareTotals: process.argv.includes('--share-totals'),
  // the check's own reads are no request's
  checkOnReady: 'off',
  timeout: 600_000,
  resolveRole: ({ user }) => {
    const { sub, role } = /** @type {import('./fastify.mjs').Token} */ (user)
    return { userId: sub, role }
  }
})
await listen(app)
