/**
 * Builds the package: the JavaScript of each source file, and the declarations that a host can reach. The arguments go
 * to the compiler. A build without errors prints nothing, because it runs within `npm pack --json`.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const { default: ts } = await import('typescript').catch(() => {
  console.error('The build needs TypeScript: run npm ci first.')
  process.exit(1)
})

rmSync('dist', { recursive: true, force: true })
const compiler = ['node_modules/typescript/bin/tsc', '-p', 'src', ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

/** @type {{ exports: Record<string, { types?: string }> }} */
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'))

/** @type {Set<string>} */
const reachable = new Set()
for (const { types } of Object.values(exports)) if (types) reach(join(types))

/** @param {string} path */
function reach(path) {
  if (reachable.has(path)) return
  reachable.add(path)
  for (const { fileName } of ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles) {
    if (fileName.startsWith('.')) reach(join(path, '..', fileName.replace(/\.js$/, '.d.ts')))
  }
}

for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  const path = join('dist', name)
  if (path.endsWith('.d.ts') && !reachable.has(path)) rmSync(path)
  if (path.endsWith('.js')) removeComments(path)
}

/**
 * The JavaScript has no comments, because what explains a declaration stands in the declarations, and the reasons in the
 * repository. They would be a tenth of the package, and spaces instead of tabs 1 kB of it.
 *
 * @param {string} path
 */
function removeComments(path) {
  const comments = /^ *(\/\*\*(?:(?!\*\/)[\s\S])*\*\/|\/\/ .*)\n/gm
  const tabs = (/** @type {string} */ spaces) => '\t'.repeat(spaces.length / 4)
  const script = readFileSync(path, 'utf8')
  writeFileSync(path, script.replace(comments, '').replace(/^( {4})+/gm, tabs))
}
