/** The steps of a test command, which are processes, and the database servers that the steps share. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { isLeftOut, titles } from '../servers/left-out.mjs'
import { startMariadb } from '../servers/mysql.mjs'
import { dropTestDatabases, startPostgres } from '../servers/postgres.mjs'
import { Lacking } from '../servers/private-server.mjs'

/** @type {import('node:child_process').ChildProcess | undefined} */
let running
/** A signal ends the command. */
let isEnding = false
/** @type {{ stop: () => Promise<void> }[]} */
const servers = []

/** Something that the end of the command stops. @param {{ stop: () => Promise<void> }} server */
export const stopAtEnd = (server) => servers.push(server)

/**
 * Builds tap and runs the steps. An error of a step fails the command. In any case, all started processes are ended.
 *
 * @param {() => Promise<void>} steps
 */
export async function command(steps) {
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143]
  ])) {
    process.once(signal, async () => {
      isEnding = true
      // Ends the step and its child processes.
      if (running?.exitCode === null) process.kill(-Number(running.pid), signal)
      await stopServers()
      process.exit(code)
    })
  }
  try {
    await buildTap()
    await steps()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  } finally {
    await stopServers()
  }
}

/**
 * What the arguments of a command choose: some parts, or all, and a size, the first one unless they name another.
 *
 * @param {string} what a part is
 * @param {string[]} names of all parts
 * @param {string[]} sizes
 */
export function chosen(what, names, sizes) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { size: { type: 'string', default: sizes[0] }, quick: { type: 'boolean', default: false } }
  })
  const { size = '', quick } = values
  if (!sizes.includes(size)) throw new Error(`The size is ${sizes.join(' or ')}, not '${size}'.`)
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no ${what} '${unknown}'; there are: ${names.join(', ')}.`)
  const isAll = positionals.length === 0
  return { size, quick, isAll, parts: isAll ? names : positionals }
}

/**
 * @param {string} title
 * @param {string} command for the shell
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function step(title, command, env = process.env) {
  // After a signal no step starts. The long suites go on after a failed step, such as the one that the signal ended.
  if (isEnding) await new Promise(() => {})
  const start = performance.now()
  console.log(`\n# ${title}`)
  const child = spawn(command, { shell: true, stdio: 'inherit', env, detached: true })
  running = child
  const code = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  console.log(`# ${title}: ${Math.round((performance.now() - start) / 1000)} s`)
  if (code !== 0) throw new Error(`${title}: failed`)
}

/**
 * Builds tap with the plugins of package.json: without its compiler, which costs each test file two seconds. tap itself
 * would do so only after the run has started, so the first run in a fresh clone would still use the compiler.
 */
async function buildTap() {
  const built = readFileSync('node_modules/@tapjs/test/test-built/dist/esm/index.js', 'utf8')
  if (built.includes('@tapjs/typescript')) await step('Build of tap', 'npx tap build')
}

/** Builds what the tests of what is published read. */
export const buildPackage = () => step('Build', 'npm run --silent build -- --noCheck && npm run --silent build:example')

/**
 * The environment with the servers of TEST_MYSQL_URL and TEST_POSTGRES_URL, or with private ones, and without those
 * that TEST_DATABASE leaves out.
 *
 * @param {(title: string, advice: string) => unknown} [leaveOut] is told of a server that the machine lacks; without it,
 *   the lack is an error
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function withDatabases(leaveOut) {
  const env = { ...process.env }
  const found = ['sqlite']
  for (const [name, variable, start] of /** @type {const} */ ([
    ['mysql', 'TEST_MYSQL_URL', startMariadb],
    ['postgres', 'TEST_POSTGRES_URL', startPostgres]
  ])) {
    if (isLeftOut(name)) continue
    try {
      env[variable] = await urlOf(env[variable], start)
      found.push(name)
    } catch (error) {
      if (!leaveOut || !(error instanceof Lacking)) throw error
      leaveOut(titles[name], error.message)
    }
  }
  if (!process.env.TEST_DATABASE) env.TEST_DATABASE = found.join()
  const url = process.env.TEST_POSTGRES_URL
  if (url && !isLeftOut('postgres')) stopAtEnd({ stop: () => dropTestDatabases(url) })
  return env
}

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
  const results = await Promise.allSettled(servers.splice(0).map((server) => server.stop()))
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    console.error(result.reason)
    process.exitCode = 1
  }
}
