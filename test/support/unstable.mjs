/**
 * Brings programs of Debian's unstable suite, which has the newest servers. Their files and libraries are in a folder of
 * the project, so the packages of the system do not change.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { join, resolve } from 'node:path'
import { env } from './private-server.mjs'

/**
 * Downloads and unpacks a package and its dependencies, with separate package lists.
 *
 * @param {string} name of the folder, which is kept for the next run
 * @param {string} wanted the package
 * @returns {string} the folder, which has what a system has in `/usr`
 * @throws Error with the reason why there is no package
 */
export function bringUnstable(name, wanted) {
  const home = resolve('node_modules/.cache', name)
  if (existsSync(home)) return join(home, 'usr')
  console.log(`Bringing ${wanted} from the unstable suite of Debian (nothing is installed) …`)
  const cache = resolve(home, '..')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'apt-'))
  try {
    const unpacked = join(folder, 'unpacked')
    for (const path of ['lists/partial', 'cache/archives/partial', 'unpacked'])
      mkdirSync(join(folder, path), { recursive: true })
    // An empty status means that no package is installed, so apt downloads every library too.
    writeFileSync(join(folder, 'status'), '')
    writeFileSync(join(folder, 'sources.list'), `deb ${mirror()} sid main\n`)
    const configuration = join(folder, 'apt.conf')
    writeFileSync(
      configuration,
      `Dir::Etc::sourcelist "${join(folder, 'sources.list')}"; Dir::Etc::sourceparts "/dev/null";
      Dir::Etc::preferencesparts "/dev/null"; Dir::State::Lists "${join(folder, 'lists')}";
      Dir::State::status "${join(folder, 'status')}"; Dir::Cache "${join(folder, 'cache')}";
      APT::Install-Recommends "false"; APT::Sandbox::User "root"; Acquire::Languages "none";`
    )
    /** @param {string[]} args */
    const aptGet = (...args) =>
      execFileSync('apt-get', ['-qq', ...args], { env: { ...env, APT_CONFIG: configuration }, stdio: 'pipe' })
    aptGet('update')
    aptGet('install', '-y', '--download-only', wanted)
    const archives = join(folder, 'cache/archives')
    for (const name of readdirSync(archives).filter((name) => name.endsWith('.deb'))) {
      execFileSync('dpkg-deb', ['-x', join(archives, name), unpacked])
    }
    renameSync(unpacked, home)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return join(home, 'usr')
}

/**
 * Starts an unpacked program so that it finds its libraries, which are unpacked in the same folder.
 *
 * @param {string} usr
 * @param {string} program
 * @returns {[string, ...string[]]} the command and its first arguments
 */
export const programOf = (usr, program) => [
  join(usr, 'lib64/ld-linux-x86-64.so.2'),
  '--library-path',
  join(usr, 'lib/x86_64-linux-gnu'),
  join(usr, program)
]

/** The Debian mirror of this machine. */
function mirror() {
  const folder = '/etc/apt/sources.list.d'
  const files = [
    '/etc/apt/sources.list',
    ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])
  ]
  const text = files
    .filter(existsSync)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const [url] = /https?:\/\/\S+\/debian\/?(?=\s|$)/m.exec(text) ?? []
  if (!url) throw new Error('This machine has no Debian packages.')
  return url
}
