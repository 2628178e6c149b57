/** The built library in a host as its README shows it, or with plugins of Kysely. */
import { CamelCasePlugin, Kysely, MysqlDialect, WithSchemaPlugin } from 'kysely'
import { createPool } from 'mysql2'
import listing from '../../dist/index.js'
import { fastify, listen } from './fastify.mjs'
import { settings } from './serve.mjs'

const { database } = settings()
/** @param {string} flag */
const asks = (flag) => process.argv.includes(flag)
const db = new Kysely({
  dialect: new MysqlDialect({ pool: createPool({ uri: database, connectionLimit: 10 }) }),
  plugins: [
    ...(asks('--camel-case') ? [new CamelCasePlugin()] : []),
    ...(asks('--schema') ? [new WithSchemaPlugin(new URL(database).pathname.slice(1))] : [])
  ]
})
const app = await fastify()
await app.register(listing, {
  db,
  // the check's own reads are no request's
  checkOnReady: 'off',
  timeout: 600_000,
  resolveRole: ({ user }) => {
    const { sub, role } = /** @type {import('./fastify.mjs').Token} */ (user)
    return { userId: sub, role }
  }
})
await listen(app)
