/** The Node that all servers run on: this one, or a newer one where a rival needs it. */
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'

/** What Platformatic's sql-mapper asks for. */
const [major, minor] = [22, 19]

/** @returns {{ path: string, version: string }} */
export function nodeForServers() {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number)
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) {
    return { path: process.execPath, version: process.versions.node }
  }
  const print = "process.versions.node + ' ' + process.execPath"
  const parameters = ['--yes', '--loglevel=error', `--package=node@${major}`, 'node', '--print', print]
  // a folder without packages of its own
  const line = execFileSync('npx', parameters, { cwd: tmpdir(), encoding: 'utf8' }).trim()
  const space = line.indexOf(' ')
  return { version: line.slice(0, space), path: line.slice(space + 1) }
}
