/**
 * Runs the whole suite of the lists on every supported database: SQLite, the MySQL or MariaDB of
 * TEST_MYSQL_URL, the PostgreSQL of TEST_POSTGRES_URL, and the newest MySQL that can be had. Each test must
 * pass on each: `node test/matrix/databases.mjs`.
 */

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { startMysql } from '../support/mysql.mjs'
import { failure, reporter } from './report.mjs'

const suites = [
  'assessments',
  'payments',
  'list',
  'find',
  'plan',
  'search',
  'strategy',
  'traits',
  'visibility',
  'source',
  'dialects',
  'migrations',
  'check',
  'reliability/visibility',
  // with the conformance checks, which the test command asks of one database only
  ...readdirSync('test/examples/schemas').map((file) => `examples/schemas/${file.replace('.test.ts', '')}`)
].map((name) => `test/${name}.test.ts`)

const report = reporter('databases')
const { TEST_MYSQL_URL = '', TEST_POSTGRES_URL = '' } = process.env

await tryOn('SQLite', 'sqlite')
await tryOn(await mysqlVersion(TEST_MYSQL_URL), 'mysql')
await tryOn(await postgresVersion(TEST_POSTGRES_URL), 'postgres')
/** @type {import('../support/private-server.mjs').PrivateServer | undefined} */
let server
const refused = await failure(async () => {
  server = await startMysql()
  await tryOn(await mysqlVersion(server.url), 'mysql', { TEST_MYSQL_URL: server.url })
})
await server?.stop()
if (refused) {
  console.log(`\n!!! No MySQL could be had, so that only MariaDB was tried: ${refused}\n`)
  // the network is not the library's
  const { exitCode } = process
  report('MySQL', 0, [], refused)
  process.exitCode = exitCode
}

/**
 * @param {string} name
 * @param {string} database
 * @param {NodeJS.ProcessEnv} [env]
 */
async function tryOn(name, database, env) {
  let output = ''
  const child = spawn('npx', ['tap', '--disable-coverage', '--reporter=tap', ...suites], {
    env: { ...process.env, ...env, TEST_DATABASE: database },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  await new Promise((resolve) => child.once('close', resolve))
  const results = output.match(/^ *(not )?ok \d+.*$/gm) ?? []
  const wrong = results.filter((line) => /^ *not ok/.test(line)).map((line) => line.trim())
  if (results.length < suites.length) wrong.push(`only ${results.length} results: ${output.slice(-2000)}`)
  report(name, results.length, wrong)
}

/** @param {string} url */
async function mysqlVersion(url) {
  const connection = await createConnection(url)
  const [[row]] = /** @type {[{ version: string }[], unknown]} */ (
    /** @type {unknown} */ (await connection.query('select version() as version'))
  )
  await connection.end()
  const version = String(row?.version)
  return /MariaDB/.test(version) ? `MariaDB ${version.replace(/-.*/, '')}` : `MySQL ${version.replace(/-.*/, '')}`
}

/** @param {string} connectionString */
async function postgresVersion(connectionString) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return `PostgreSQL ${String(rows[0]?.server_version).replace(/ .*/, '')}`
}
