/**
 * Runs every test of the lists that is of a MySQL or MariaDB on the newest MySQL that can be had. `npm test` runs them
 * on SQLite, MariaDB and PostgreSQL.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { startMysql } from '../support/mysql.mjs'
import type { PrivateServer } from '../support/private-server.mjs'
import { listTests, packageTests, processesOf } from '../support/test-files.mjs'
import { failure, report } from './report.mjs'

/** A test of a MySQL or MariaDB has one of these. */
const opens = /'mysql'|mysqlPool|for \(const name of databases|checkSchema\(/
const suites = [...listTests, ...packageTests].filter((name) => opens.test(readFileSync(`test/${name}`, 'utf8')))

const part = 'databases'
let server: PrivateServer | undefined
const refused = await failure(async () => {
  server = await startMysql()
  await tryOn(server.url)
})
await server?.stop()
// No failure, because the network is not the library's.
if (refused) report({ part, name: 'MySQL, which could not be had', tried: 0, different: [], refused })

async function tryOn(url: string) {
  const name = await mysqlVersion(url)
  let output = ''
  const child = spawn('npx', ['tap', '--disable-coverage', '--reporter=tap', ...processesOf(suites)], {
    env: { ...process.env, TEST_MYSQL_URL: url, TEST_DATABASE: 'mysql' },
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

async function mysqlVersion(url: string) {
  const connection = await createConnection(url)
  const [rows] = await connection.query<RowDataPacket[]>('select version() as version')
  await connection.end()
  return `MySQL ${rows[0]?.version}`
}
