/**
 * The test command: type check, lint, build, then tap on SQLite, on a MariaDB or MySQL and on a PostgreSQL,
 * which are those of TEST_MYSQL_URL and TEST_POSTGRES_URL or private ones. Arguments go to tap:
 * `npm test -- test/page.test.ts`.
 */
import { spawn } from 'node:child_process'
import { startMariadb } from './support/mariadb.mjs'
import { startPostgres } from './support/postgres.mjs'

/** @type {import('node:child_process').ChildProcess | undefined} */
let running
for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143]
])) {
  process.once(signal, async () => {
    // the step and all that it has started
    if (running?.exitCode === null) process.kill(-Number(running.pid), signal)
    await stopServers()
    process.exit(code)
  })
}

/**
 * @param {string} title
 * @param {string} command
 * @param {NodeJS.ProcessEnv} [env]
 */
async function step(title, command, env = process.env) {
  console.log(`\n# ${title}`)
  const child = spawn(command, { shell: true, stdio: 'inherit', env, detached: true })
  running = child
  const code = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  if (code !== 0) throw new Error(`${title}: failed`)
}

/** @param {string} text */
const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/** @type {import('./support/private-server.mjs').PrivateServer[]} */
const servers = []
/**
 * @param {string | undefined} given
 * @param {typeof startMariadb} start
 */
async function urlOf(given, start) {
  if (given) return given
  const server = await start()
  servers.push(server)
  return server.url
}

async function stopServers() {
  for (const server of servers.splice(0)) await server.stop()
}

try {
  await step('Type check', 'npm run --silent typecheck')
  await step('Lint', 'npm run --silent lint')
  await step('Build', 'npm run --silent build && npm run --silent build:example')
  const env = {
    ...process.env,
    TEST_MYSQL_URL: await urlOf(process.env.TEST_MYSQL_URL, startMariadb),
    TEST_POSTGRES_URL: await urlOf(process.env.TEST_POSTGRES_URL, startPostgres)
  }
  await step('Test', `tap ${process.argv.slice(2).map(quote).join(' ')}`, env)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await stopServers()
}
