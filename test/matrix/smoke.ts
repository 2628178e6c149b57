/**
 * Asks a host with the lists every request, on SQLite and on the servers of TEST_MYSQL_URL and TEST_POSTGRES_URL when
 * there are any, and prints the answers by database. Runs in a folder of runtimes.ts, where `src` is the installed
 * package.
 */
import { CamelCasePlugin, type Dialect, Kysely, MysqlDialect, PostgresDialect } from 'kysely'
import { createPool } from 'mysql2'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { sqlite } from '../../examples/sqlite.js'
import listing from '../../src/index.js'
import { fill } from '../support/fixtures/world.js'
import type { Db } from '../support/servers/databases.js'
import { textOf } from './client.js'
import { build, clientOf, type Host, type Lists } from './host.js'
import { requestsToRuntimes as requests, roleOf } from './requests.js'

interface CamelTables {
  users: { userId: number; firstName: string; lastName: string; email: string; avatarUrl: string | null }
}

async function answersOf(dialect: Dialect): Promise<string[]> {
  const db: Db = new Kysely({ dialect })
  await fill(db)
  const lists: Lists = { db, resolveRole: ({ user }) => roleOf(user), timeout: 2000 }
  const camel = db.withPlugin(new CamelCasePlugin()) as unknown as Kysely<CamelTables>
  const names = ['userId as user_id', 'firstName as first_name', 'lastName as last_name'] as const
  const users = camel.selectFrom('users').select([...names, 'email', 'avatarUrl as avatar_url'])
  const host: Host = {
    name: 'lists with and without plugins of Kysely',
    after: (app) => app.register(listing, { ...lists, prefix: '/camel', db: camel, tables: { users } })
  }
  const app = await build(host, lists)
  const client = clientOf(host, await app.listen({ host: '127.0.0.1', port: 0 }))
  // The headers of a connection are those of Node's version.
  const ask = async (request: (typeof requests)[number]) =>
    textOf(await client.ask(request), ['connection', 'keep-alive'])
  try {
    return await Promise.all(requests.map(ask))
  } finally {
    client.close()
    await app.close()
    await db.destroy()
  }
}

const database = `listing_matrix_${process.pid}`
const own = (url: string) => Object.assign(new URL(url), { pathname: database }).href

async function answersOfMysql(url: string): Promise<string[]> {
  const server = await createConnection(url)
  await server.query(`create database ${database} character set utf8mb4`)
  try {
    return await answersOf(new MysqlDialect({ pool: createPool(own(url)) }))
  } finally {
    await server.query(`drop database ${database}`)
    await server.end()
  }
}

async function answersOfPostgres(url: string): Promise<string[]> {
  const server = new pg.Client(url)
  await server.connect()
  await server.query(`create database ${database}`)
  try {
    return await answersOf(new PostgresDialect({ pool: new pg.Pool({ connectionString: own(url) }) }))
  } finally {
    await server.query(`drop database ${database}`)
    await server.end()
  }
}

const { TEST_MYSQL_URL, TEST_POSTGRES_URL } = process.env
const found = {
  SQLite: await answersOf(sqlite()),
  ...(TEST_MYSQL_URL && { MySQL: await answersOfMysql(TEST_MYSQL_URL) }),
  ...(TEST_POSTGRES_URL && { PostgreSQL: await answersOfPostgres(TEST_POSTGRES_URL) })
}
process.stdout.write(JSON.stringify(found))
