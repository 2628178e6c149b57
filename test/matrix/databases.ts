/**
 * Runs every test of the lists that needs a server on the servers that `npm test` does not use, and compares the versions
 * of all servers with those that docs/operation.md names.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { sqlite } from '../../examples/sqlite.js'
import { listTests, packageTests, processesOf } from '../support/running/test-files.mjs'
import { startMysql, startNewestMariadb } from '../support/servers/mysql.mjs'
import { startDebianPostgres, startOldPostgres } from '../support/servers/postgres.mjs'
import type { PrivateServer } from '../support/servers/private-server.mjs'
import { failure, report } from './report.mjs'

type Kind = 'mysql' | 'postgres'

const part = 'databases'
const kinds = {
  mysql: { variable: 'TEST_MYSQL_URL', open: (url: string): Dialect => new MysqlDialect({ pool: createPool(url) }) },
  postgres: {
    variable: 'TEST_POSTGRES_URL',
    open: (connectionString: string): Dialect => new PostgresDialect({ pool: new pg.Pool({ connectionString }) })
  }
}

/** `npm test` uses the MariaDB of Debian 12, and the newest PostgreSQL. */
const others: readonly [name: string, kind: Kind, start: () => Promise<PrivateServer>][] = [
  ['the newest MariaDB', 'mysql', startNewestMariadb],
  ['the newest MySQL', 'mysql', startMysql],
  ['the PostgreSQL of Debian', 'postgres', startDebianPostgres],
  ['PostgreSQL 16', 'postgres', () => startOldPostgres('16.14.0-beta.17')],
  ['PostgreSQL 17', 'postgres', () => startOldPostgres('17.10.0-beta.17')]
]

const ran = [await versionOf(sqlite(), 'sqlite_version()')]
for (const { variable, open } of Object.values(kinds)) ran.push(await versionOf(open(String(process.env[variable]))))

for (const [name, kind, start] of others) {
  let server: PrivateServer | undefined
  const refused = await failure(async () => {
    server = await start()
    const version = await versionOf(kinds[kind].open(server.url))
    ran.push(version)
    await tryOn(version, kind, server.url)
  })
  await server?.stop()
  if (refused) report({ part, name, tried: 0, different: [refused] })
}

const versions = ['MariaDB', 'MySQL', 'PostgreSQL', 'SQLite'].map((name) => {
  // A version of PostgreSQL is one number.
  const form = name === 'PostgreSQL' ? /\d+/ : /\d+\.\d+/
  const numbers = ran.filter((version) => version.startsWith(name)).map((version) => Number(form.exec(version)?.[0]))
  const list = new Intl.ListFormat('en')
  return `${name} ${list.format(numbers.toSorted((a, b) => a - b).map(String))}`.replace(', and', ' and')
})
const sentence = `The tests run on ${versions.slice(0, 3).join(', ')}, and ${versions[3]}.`
const isNamed = readFileSync('docs/operation.md', 'utf8').includes(sentence)
const missing = isNamed ? [] : [`it lacks this sentence: ${sentence}`]
report({ part, name: 'the versions in docs/operation.md', tried: ran.length, different: missing })

async function tryOn(name: string, kind: Kind, url: string) {
  /** A test of the kind of server has one of these. */
  const opens = new RegExp(`'${kind}'|${kind}Pool|of databases|on(Databases|Servers)\\(|checkSchema\\(`)
  const suites = [...listTests, ...packageTests].filter((name) => opens.test(readFileSync(`test/${name}`, 'utf8')))
  const { status, stdout } = spawnSync('npx', ['tap', '--disable-coverage', '--reporter=tap', ...processesOf(suites)], {
    env: { ...process.env, [kinds[kind].variable]: url, TEST_DATABASE: kind },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28
  })
  const results = stdout.match(/^ *(not )?ok \d+.*$/gm) ?? []
  const wrong = results.filter((line) => /^ *not ok/.test(line)).map((line) => line.trim())
  const isWhole = status === 0 && results.length >= suites.length
  if (!isWhole && wrong.length === 0) wrong.push(`tap ended with ${status}: ${stdout.slice(-2000)}`)
  report({ part, name, tried: results.length, different: wrong })
}

/** The name and the version of a server, such as MariaDB 10.11.19. */
async function versionOf(dialect: Dialect, expression = 'version()'): Promise<string> {
  const db = new Kysely({ dialect })
  const { rows } = await sql<{ version: string }>`select ${sql.raw(expression)} as version`.execute(db)
  await db.destroy()
  const version = String(rows[0]?.version)
  const [name = expression === 'version()' ? 'MySQL' : 'SQLite'] = version.match(/MariaDB|PostgreSQL/) ?? []
  return `${name} ${/\d+(\.\d+)+/.exec(version)?.[0]}`
}
