/** The Node versions that the package is tried on, as the npm package `node` brings them. */
import { run } from './tarball.js'

/** The newest of each major version, and the oldest that package.json allows. */
const wanted = ['20', '22', '24', '20.19.0']

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
