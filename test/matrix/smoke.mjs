/**
 * Asks a host with the lists every question, on SQLite and on the server of TEST_MYSQL_URL when there is
 * one, and prints the answers by database. Runs in a folder of runtimes.mjs, where `src` is the installed
 * package and nothing else is.
 */
import jwt from '@fastify/jwt'
import Fastify from 'fastify'
import { CamelCasePlugin, Kysely, MysqlDialect } from 'kysely'
import { createPool } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import { sqlite } from '../../examples/sqlite.js'
import listing from '../../src/index.js'
import { callers, fill } from '../support/world.js'
import { questions } from './questions.mjs'

/** @typedef {import('../support/databases.js').Db} Db */
/** @typedef {{ users: { userId: number, firstName: string, lastName: string, email: string, avatarUrl: string | null } }} CamelTables */

/** @param {Db} db */
async function buildHost(db) {
  const app = Fastify()
  await app.register(jwt, { secret: 'a secret of at least thirty-two characters' })
  /** @param {import('fastify').FastifyRequest} request */
  const resolveRole = ({ user }) => {
    const { sub, role } = /** @type {{ sub: string, role: string }} */ (user)
    return { userId: sub, role }
  }
  await app.register(listing, { db, resolveRole })

  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  await app.register(listing, { prefix: '/broken', db, resolveRole: () => Promise.reject(new Error('No.')) })
  await app.register(listing, { prefix: '/away', db, resolveRole: () => Promise.reject(away) })
  await app.register(listing, { prefix: '/slow', db, timeout: 100, resolveRole: () => new Promise(() => {}) })

  const camel = /** @type {Kysely<CamelTables>} */ (/** @type {unknown} */ (db.withPlugin(new CamelCasePlugin())))
  const users = camel
    .selectFrom('users')
    .select([
      'userId as user_id',
      'firstName as first_name',
      'lastName as last_name',
      'email',
      'avatarUrl as avatar_url'
    ])
  await app.register(listing, { prefix: '/camel', db: camel, resolveRole, tables: { users } })
  return app
}

/**
 * @param {Db} db
 * @returns {Promise<string[]>} an answer for each question: status, body and headers
 */
async function answers(db) {
  await fill(db)
  const app = await buildHost(db)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  /** @param {string} caller */
  const authorization = (caller) => {
    const found = callers.find(({ role }) => role === caller)
    return found ? `Bearer ${app.jwt.sign({ sub: String(found.userId), role: found.role })}` : 'Bearer a.bad.one'
  }
  const all = []
  for (const { caller, method, path } of questions) {
    const headers = caller === 'nobody' ? {} : { authorization: authorization(caller) }
    const response = await fetch(address + path, { method, headers })
    // these are the HTTP server's own and change from run to run or from Node to Node
    const own = [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    const body = Buffer.from(await response.arrayBuffer())
    all.push(`${response.status} ${body.toString('latin1')}\n${JSON.stringify(own)}`)
  }
  await app.close()
  return all
}

/** @param {string} url */
async function answersOfMysql(url) {
  const database = `listing_matrix_${process.pid}`
  const server = await createConnection(url)
  await server.query(`create database ${database} character set utf8mb4`)
  try {
    const { hostname, port, username, password } = new URL(url)
    const user = decodeURIComponent(username)
    const pool = { host: hostname, port: Number(port || 3306), user, password: decodeURIComponent(password), database }
    return await answersOf(new MysqlDialect({ pool: createPool(pool) }))
  } finally {
    await server.query(`drop database ${database}`)
    await server.end()
  }
}

/** @param {import('kysely').Dialect} dialect */
async function answersOf(dialect) {
  /** @type {Db} */
  const db = new Kysely({ dialect })
  try {
    return await answers(db)
  } finally {
    await db.destroy()
  }
}

const url = process.env.TEST_MYSQL_URL
const found = { SQLite: await answersOf(sqlite()), ...(url && { MySQL: await answersOfMysql(url) }) }
process.stdout.write(JSON.stringify(found))
