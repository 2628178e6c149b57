/** Common functions of the tests' private database servers. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {object} PrivateServer
 * @property {string} url
 * @property {() => Promise<void>} stop ends the server, and deletes its files
 * @property {(signal: NodeJS.Signals) => Promise<void>} end ends the server, and keeps its files
 * @property {() => Promise<void>} start starts the server again, and waits until it answers
 */

/** The environment with Debian's server folders in PATH. */
export const env = {
  ...process.env,
  PATH: [process.env.PATH, '/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/lib/postgresql/15/bin'].join(delimiter)
}

export const isRoot = process.getuid?.() === 0

/** Every Debian has this user. */
const nobody = 65_534

/**
 * The command of a server that refuses to run as root.
 *
 * @type {(program: string, ...args: string[]) => [string, ...string[]]}
 */
export const asNobody = (program, ...args) =>
  isRoot
    ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', program, ...args]
    : [program, ...args]

/** Makes a folder one of the user of `asNobody`, with what is in it. @param {string} folder */
export function giveToNobody(folder) {
  if (isRoot) execFileSync('chown', ['-R', `${nobody}:${nobody}`, folder])
  return folder
}

/** The machine has no such server, and none can be installed. The message says what to do. */
export class Lacking extends Error {}

/** @type {string[]} */
const folders = []

/** A new temporary folder for a server's files, until the end of this process at the latest. @param {string} name */
export function newFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `listing-${name}-`))
  folders.push(folder)
  return folder
}

/**
 * Installs Debian packages without starting a service.
 *
 * @param {string[]} packages
 * @param {string} otherwise the advice if the packages cannot be installed
 */
export function install(packages, otherwise) {
  if (!isRoot || !isInstalled('apt-get')) throw new Lacking(otherwise)
  console.log(`Installing ${packages.join(' and ')} for the tests (no service is started) …`)
  /** @param {string[]} args */
  const aptGet = (...args) =>
    execFileSync('apt-get', ['-qq', ...args], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit']
    })
  try {
    aptGet('update')
    aptGet('install', '-y', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold', ...packages)
  } catch {
    throw new Lacking(otherwise)
  }
}

/**
 * A folder in the cache of the project, which is made once and kept for the next run.
 *
 * @param {string} name
 * @param {(folder: string) => string} make brings packages of Debian into the temporary folder, and returns their folder
 */
export function unpacked(name, make) {
  const home = resolve('node_modules/.cache', name)
  if (existsSync(home)) return home
  console.log(`Unpacking ${name} for the tests (nothing is installed) …`)
  mkdirSync(dirname(home), { recursive: true })
  const folder = mkdtempSync(`${home}-`)
  try {
    const archives = make(folder)
    const files = readdirSync(archives).filter((file) => file.endsWith('.deb'))
    for (const file of files) execFileSync('dpkg-deb', ['-x', join(archives, file), join(folder, 'unpacked')], { env })
    renameSync(join(folder, 'unpacked'), home)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return home
}

/**
 * Unpacks Debian packages. Nothing is installed, so no service is started.
 *
 * @param {string} name of the folder
 * @param {string[]} packages with the libraries that the system may lack
 */
export const unpack = (name, packages) =>
  unpacked(name, (folder) => {
    if (!isInstalled('apt-get')) throw new Error(`The tests of ${name} need Debian's packages ${packages.join(', ')}.`)
    if (isRoot) execFileSync('apt-get', ['-qq', 'update'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    execFileSync('apt-get', ['-qq', '-o', 'APT::Sandbox::User=', 'download', ...packages], { env, cwd: folder })
    return folder
  })

/** @param {string} program */
export function isInstalled(program) {
  try {
    execFileSync('which', [program], { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * The servers that run, each with its last signal. An end of this process ends them too.
 *
 * @type {Map<import('node:child_process').ChildProcess, NodeJS.Signals>}
 */
const running = new Map()
process.once('exit', () => {
  for (const [server, lastSignal] of running) server.kill(lastSignal)
  for (const folder of folders) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // The server still writes its last files.
    }
  }
})

/**
 * Starts a server and waits until it answers.
 *
 * @param {{ name: string, command: string, args: string[], folder: string, log: string, url: string,
 *   answers: (url: string) => Promise<unknown>, lastSignal?: NodeJS.Signals }} server a stop deletes `folder`;
 *   `lastSignal` ends the server and its child processes at once
 * @returns {Promise<PrivateServer>}
 */
export async function startServer({ name, command, args, folder, log, url, answers, lastSignal = 'SIGKILL' }) {
  /** @type {import('node:child_process').ChildProcess} */
  let server
  /** @type {Promise<unknown>} */
  let ended
  /** @param {NodeJS.Signals} signal */
  const end = async (signal) => {
    server.kill(signal)
    await ended
  }
  const stop = async () => {
    await end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  const isThere = () =>
    answers(url).then(
      () => true,
      () => false
    )
  const start = async () => {
    // A MariaDB that starts deletes the temporary tables of every MariaDB that shares its folder of temporary files.
    const child = spawn(command, args, { env: { ...env, TMPDIR: folder }, cwd: folder, stdio: 'ignore' })
    server = child
    running.set(child, lastSignal)
    ended = new Promise((resolve) => child.once('exit', resolve)).finally(() => running.delete(child))
    for (let tries = 0; !(await isThere()); tries++) {
      if (server.exitCode === null && server.signalCode === null && tries < 2400) await sleep(50)
      else {
        const reason = readFileSync(log, 'utf8')
        await stop()
        throw new Error(`${name} did not start; its log says:\n${reason}`)
      }
    }
  }
  await start()
  return { url, stop, end, start }
}

/** @returns {Promise<number>} */
export const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
      server.close(() => resolve(port))
    })
  })
