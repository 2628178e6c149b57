/** The package as a host installs it: the packed tarball, in folders that have nothing else. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withoutTap } from '../support/running/without-tap.mjs'

export const packageName = 'fastify-assessment-payment-listing'
export const root = fileURLToPath(new URL('../..', import.meta.url))

const execute = promisify(execFile)
const ending = new AbortController()

/** Runs a program to its end. Rejects with what it printed when it fails. */
export async function run(
  program: string,
  parameters: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}
): Promise<string> {
  try {
    const limits = { maxBuffer: 2 ** 26, signal: ending.signal, killSignal: 'SIGKILL' as const }
    const env = { ...process.env, ...options.env }
    const { stdout } = await execute(...withoutTap(program, parameters), { ...limits, ...options, env })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${stdout}${stderr}`.trim() || message)
  }
}

/** A new folder that is gone when this process ends, also when it is interrupted. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'listing-matrix-'))
  process.once('exit', () => {
    // a program that still runs would write into it again
    ending.abort()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  return folder
}

/** The tarball: that of TARBALL, or the package, built and packed into the folder. */
export async function tarball(folder: string) {
  if (process.env.TARBALL) return resolve(process.env.TARBALL)
  await run('npm', ['run', '--silent', 'build'], { cwd: root })
  const { filename } = await pack(folder)
  return join(folder, filename)
}

type Packed = { filename: string; size: number; files: { path: string; size: number }[] }

/** Packs what is built. */
export function pack(folder: string) {
  // A build would delete `dist`, which other tests read at the same time.
  return npmPack(root, '--ignore-scripts', `--pack-destination=${folder}`)
}

/** Packs a folder. */
export async function npmPack(folder: string, ...parameters: string[]): Promise<Packed> {
  const packed = await run('npm', ['pack', '--json', '--loglevel=error', ...parameters], { cwd: folder })
  return JSON.parse(packed)[0]
}

/** Makes the folder a fresh clone of the checkout, with its changes that are not committed. */
export async function cloneTo(folder: string) {
  // The checkout may belong to another user, as in a container.
  const parameters = ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = (await run('git', parameters, { cwd: root })).split('\0')
  for (const path of paths) if (path && existsSync(join(root, path))) cpSync(join(root, path), join(folder, path))
}

/** Makes the folder with these packages and nothing else. */
export async function install(folder: string, dependencies: Record<string, string>) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  const quietly = ['--loglevel=error', '--no-audit', '--no-fund', '--no-package-lock']
  await run('npm', ['install', ...quietly], { cwd: folder })
}

/** The newest Node of each major version, and the oldest that package.json allows. */
const wanted = ['20', '22', '24', '26', '20.19.0']

/** The Node versions that the package is tried on, as the npm package `node` brings them. */
export async function findNodes(folder: string) {
  const found = []
  for (const version of wanted) {
    const parameters = ['--yes', '--loglevel=error', `--package=node@${version}`, 'node', '--print']
    const print = `process.versions.node + ' ' + process.execPath`
    const line = (await run('npx', [...parameters, print], { cwd: folder })).trim()
    const space = line.indexOf(' ')
    found.push({ version: line.slice(0, space), path: line.slice(space + 1) })
  }
  return found
}
