/**
 * Programs of Debian's unstable suite, which has the newest servers. Their files and libraries are in a folder of the
 * project, so the packages of the system do not change.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, unpacked } from './private-server.mjs'

/**
 * Downloads and unpacks a package and its dependencies, with separate package lists.
 *
 * @param {string} name of the folder
 * @param {string} wanted the package
 * @returns {string} the folder, which has what a system has in `/usr`
 * @throws Error with the reason why there is no package
 */
export const bringUnstable = (name, wanted) =>
  join(
    unpacked(name, (folder) => {
      for (const path of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, path), { recursive: true })
      // An empty status means that no package is installed, so apt downloads every library too.
      writeFileSync(join(folder, 'status'), '')
      writeFileSync(join(folder, 'sources.list'), `deb ${mirror()} sid main\n`)
      const APT_CONFIG = join(folder, 'apt.conf')
      writeFileSync(
        APT_CONFIG,
        `Dir::Etc::sourcelist "${join(folder, 'sources.list')}"; Dir::Etc::sourceparts "/dev/null";
        Dir::Etc::preferencesparts "/dev/null"; Dir::State::Lists "${join(folder, 'lists')}";
        Dir::State::status "${join(folder, 'status')}"; Dir::Cache "${join(folder, 'cache')}";
        APT::Install-Recommends "false"; APT::Sandbox::User "root"; Acquire::Languages "none";`
      )
      for (const args of [['update'], ['install', '-y', '--download-only', wanted]]) {
        execFileSync('apt-get', ['-qq', ...args], { env: { ...env, APT_CONFIG }, stdio: 'pipe' })
      }
      return join(folder, 'cache/archives')
    }),
    'usr'
  )

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
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { env, encoding: 'utf8' })
  const url = targets.split('\n').find((url) => /\/debian\/?$/.test(url))
  if (!url) throw new Error('This machine has no Debian packages.')
  return url
}
