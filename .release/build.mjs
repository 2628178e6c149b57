/**
 * Builds the package: the JavaScript, bundled, and the declarations that a host can reach. The arguments go to the
 * compiler. A build without errors prints nothing, because it runs within `npm pack --json`.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [{ default: ts }, { buildSync }] = await Promise.all([import('typescript'), import('esbuild')]).catch(() => {
  console.error('The build needs TypeScript and esbuild: run npm ci first.')
  process.exit(1)
})

// A build that fails leaves the last `dist`. `node_modules` can be a link to another disk, from which no folder moves.
const folder = `.tap/build-${process.pid}`
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const declarations = ['-p', 'src', '--emitDeclarationOnly', '--outDir', folder]
const compiler = ['node_modules/typescript/bin/tsc', ...declarations, ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, compiler, { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const entries = ['index', 'conformance/index']
/** @type {Set<string>} */
const reachable = new Set()
for (const entry of entries) reach(join(folder, `${entry}.d.ts`))

/** @param {string} path */
function reach(path) {
  if (reachable.has(path)) return
  reachable.add(path)
  for (const { fileName } of ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles) {
    if (fileName.startsWith('.')) reach(join(path, '..', fileName.replace(/\.js$/, '.d.ts')))
  }
}

// What explains an export stands in the declarations, and the reasons in the repository. Both comments would be a tenth
// of the package, and spaces instead of tabs 1 kB of it.
const comments = /^ *(\/\*\*(?:(?!\*\/)[\s\S])*\*\/|\/\/ .*)\n/gm
/** The sentence at the top of a source. */
const header = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=import )/

for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const path = join(folder, name)
  if (reachable.has(path)) writeFileSync(path, withTabs(readFileSync(path, 'utf8').replace(header, ''), 4))
  else if (name.endsWith('.ts')) rmSync(path)
}

// Two entries and what they share load a sixth faster than a file for each source, and the package is 14 kB smaller. If
// somebody bundles a single export, they get nearly all of them, but a server needs them anyway. The code stays readable,
// so a stack trace still helps.
const { outputFiles } = buildSync({
  entryPoints: entries.map((entry) => `src/${entry}.ts`),
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  charset: 'utf8',
  outdir: folder,
  outbase: 'src',
  chunkNames: 'shared',
  write: false
})
for (const { path, text } of outputFiles) writeFileSync(path, withTabs(text.replace(comments, ''), 2))
rmSync('dist', { recursive: true, force: true })
renameSync(folder, 'dist')

/**
 * @param {string} code
 * @param {number} width
 */
function withTabs(code, width) {
  return code.replace(/^ +/gm, (spaces) => '\t'.repeat(spaces.length / width) + ' '.repeat(spaces.length % width))
}
