/**
 * Runs every test of the lists that needs a server on the servers that `npm test` does not use, and compares the versions
 * of all servers with those that docs/operation.md names.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Dialect, Kysely, MysqlDialect, PostgresDialect, sql } from 'kysely'
import { createPool } from 'mysql2'
import pg from 'pg'
import { sqlite } from '../../examples/sqlite.js'
import { startMysql, startNewestMariadb } from '../support/mysql.mjs'
import { startDebianPostgres } from '../support/postgres.mjs'
import type { PrivateServer } from '../support/private-server.mjs'
import { listTests, packageTests, processesOf } from '../support/test-files.mjs'
import { failure, report } from './report.mjs'

type Kind = 'mysql' | 'postgres'

const part = 'databases'
const variables = { mysql: 'TEST_MYSQL_URL', postgres: 'TEST_POSTGRES_URL' }

/** `npm test` uses the MariaDB of Debian 12, and the newest PostgreSQL. */
const others: readonly [name: string, kind: Kind, start: () => Promise<PrivateServer>][] = [
  ['the newest MariaDB', 'mysql', startNewestMariadb],
  ['the newest MySQL', 'mysql', startMysql],
  ['the PostgreSQL of Debian', 'postgres', startDebianPostgres]
]

const ran = [await versionAt(sqlite(), 'SQLite', 'sqlite_version()')]
for (const kind of ['mysql', 'postgres'] as const) ran.push(await versionOf(kind, String(process.env[variables[kind]])))

for (const [name, kind, start] of others) {
  let server: PrivateServer | undefined
  const refused = await failure(async () => {
    server = await start()
    const version = await versionOf(kind, server.url)
    ran.push(version)
    await tryOn(version, kind, server.url)
  })
  await server?.stop()
  if (refused) report({ part, name, tried: 0, different: [refused] })
}

const [mariadb, mysql, postgres, embedded] = ['MariaDB', 'MySQL', 'PostgreSQL', 'SQLite'].map(versionsOf)
const sentence = `The tests run on ${mariadb}, ${mysql}, ${postgres}, and ${embedded}.`
const isNamed = readFileSync('docs/operation.md', 'utf8').includes(sentence)
const missing = isNamed ? [] : [`it lacks this sentence: ${sentence}`]
report({ part, name: 'the versions in docs/operation.md', tried: ran.length, different: missing })

async function tryOn(name: string, kind: Kind, url: string) {
  /** A test of the kind of server has one of these. */
  const opens = new RegExp(`'${kind}'|${kind}Pool|for \\(const name of databases|checkSchema\\(`)
  const suites = [...listTests, ...packageTests].filter((name) => opens.test(readFileSync(`test/${name}`, 'utf8')))
  let output = ''
  const child = spawn('npx', ['tap', '--disable-coverage', '--reporter=tap', ...processesOf(suites)], {
    env: { ...process.env, [variables[kind]]: url, TEST_DATABASE: kind },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  const results = output.match(/^ *(not )?ok \d+.*$/gm) ?? []
  const wrong = results.filter((line) => /^ *not ok/.test(line)).map((line) => line.trim())
  const isWhole = code === 0 && results.length >= suites.length
  if (!isWhole && wrong.length === 0) wrong.push(`tap ended with ${code}: ${output.slice(-2000)}`)
  report({ part, name, tried: results.length, different: wrong })
}

function versionOf(kind: Kind, url: string): Promise<string> {
  if (kind === 'mysql') return versionAt(new MysqlDialect({ pool: createPool(url) }), 'MySQL')
  return versionAt(new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }), 'PostgreSQL')
}

/** The name and the version of a server, such as MariaDB 10.11.19. */
async function versionAt(dialect: Dialect, name: string, expression = 'version()'): Promise<string> {
  const db = new Kysely({ dialect })
  const { rows } = await sql<{ version: string }>`select ${sql.raw(expression)} as version`.execute(db)
  await db.destroy()
  const version = String(rows[0]?.version)
  return `${version.includes('MariaDB') ? 'MariaDB' : name} ${/\d+(\.\d+)+/.exec(version)?.[0]}`
}

/** The versions of a server that ran, such as MariaDB 10.11 and 11.8. A version of PostgreSQL is one number. */
function versionsOf(name: string): string {
  const form = name === 'PostgreSQL' ? /\d+/ : /\d+\.\d+/
  const versions = ran.filter((version) => version.startsWith(name)).map((version) => Number(form.exec(version)?.[0]))
  return `${name} ${versions.toSorted((a, b) => a - b).join(' and ')}`
}
