/**
 * Runs every test of the lists that is of a MySQL or MariaDB on the newest MySQL that can be had: `node
 * test/matrix/databases.mjs`. `npm test` runs them on SQLite, MariaDB and PostgreSQL.
 */

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { startMysql } from '../support/mysql.mjs'
import { failure, reporter } from './report.mjs'

/** Whatever is tried on the databases of the test command opens them with one of these. */
const opens = /for \(const name of databases|checkSchema\(/
const suites = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((path) => opens.test(readFileSync(path, 'utf8')))

const report = reporter('databases')
/** @type {import('../support/private-server.mjs').PrivateServer | undefined} */
let server
const refused = await failure(async () => {
  server = await startMysql()
  await tryOn(server.url)
})
await server?.stop()
if (refused) {
  console.log(`\n!!! No MySQL could be had: ${refused}\n`)
  // the network is not the library's
  const { exitCode } = process
  report('MySQL', 0, [], refused)
  process.exitCode = exitCode
}

/** @param {string} url */
async function tryOn(url) {
  const name = await mysqlVersion(url)
  let output = ''
  const child = spawn('npx', ['tap', '--disable-coverage', '--reporter=tap', ...suites], {
    env: { ...process.env, TEST_MYSQL_URL: url, TEST_DATABASE: 'mysql' },
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
