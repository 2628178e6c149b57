/** The built library in a host as its README shows it, with plugins of Kysely, or with selects that only name columns. */
import { CamelCasePlugin, Kysely, MysqlDialect, WithSchemaPlugin } from 'kysely'
import { createPool } from 'mysql2'
import { fastify, listen } from './fastify.mjs'
import { settings } from './serve.mjs'

const { database } = settings()
/** @param {string} flag */
const asks = (flag) => process.argv.includes(flag)
const path = asks('--package') ? process.argv[process.argv.indexOf('--package') + 1] : '../../dist/index.js'
/** @type {typeof import('../../dist/index.js')} */
const { default: listing, assessments, payments } = await import(String(path))
const db = new Kysely({
  dialect: new MysqlDialect({ pool: createPool({ uri: database, connectionLimit: 10 }) }),
  plugins: [
    ...(asks('--camel-case') ? [new CamelCasePlugin()] : []),
    ...(asks('--schema') ? [new WithSchemaPlugin(new URL(database).pathname.slice(1))] : [])
  ]
})
/** @param {string} table @param {string[]} columns */
const named = (table, columns) =>
  db.selectFrom(`${table} as t`).select(columns.map((column) => `t.${column} as ${column}`))
const renaming = () => ({
  assessments: named('assessments', Object.keys(assessments.columns)),
  payments: named('payments', Object.keys(payments.columns)),
  users: named('users', ['user_id', 'first_name', 'last_name', 'email', 'avatar_url']),
  memberships: named('memberships', ['user_id', 'org_name']),
  links: named('links', ['owner_id', 'user_id'])
})
const staff = /** @type {const} */ ({ linked: 'practitioner_id', by: 'staff' })
const app = await fastify()
await app.register(listing, {
  db,
  ...(asks('--renaming') && { tables: renaming() }),
  roles: { assessments: { Desk: staff, Lead: [{ own: 'user_id' }, staff] } },
  // the check's own reads are no request's
  checkOnReady: 'off',
  timeout: 600_000,
  resolveRole: ({ user }) => {
    const { sub, role } = /** @type {import('./fastify.mjs').Token} */ (user)
    return { userId: sub, role }
  }
})
await listen(app)
