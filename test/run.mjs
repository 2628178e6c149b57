/**
 * The test command: type check, lint, build, then tap on SQLite and on a MariaDB or MySQL, which is that
 * of TEST_MYSQL_URL or a private one. Arguments go to tap: `npm test -- test/page.test.ts`.
 */
import { spawn } from 'node:child_process'
import { startMariadb } from './support/mariadb.mjs'

/**
 * @param {string} title
 * @param {string} command
 * @param {NodeJS.ProcessEnv} [env]
 */
async function step(title, command, env = process.env) {
  console.log(`\n# ${title}`)
  const child = spawn(command, { shell: true, stdio: 'inherit', env })
  const code = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  if (code !== 0) throw new Error(`${title}: failed`)
}

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`

let database
try {
  await step('Type check', 'npm run --silent typecheck')
  await step('Lint', 'npm run --silent lint')
  await step('Build', 'npm run --silent build && npm run --silent build:example')
  const given = process.env.TEST_MYSQL_URL
  if (!given) database = await startMariadb()
  const url = given ?? database?.url
  await step('Test', `tap ${process.argv.slice(2).map(quote).join(' ')}`, { ...process.env, TEST_MYSQL_URL: url })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await database?.stop()
}
