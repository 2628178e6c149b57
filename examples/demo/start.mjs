/**
 * Runs the demo: `npm start`, `npm start -- --rows 1000000`, or `DATABASE_URL=mysql://… PORT=8080 npm start`. Says at once
 * what cannot be, compiles what has changed, and starts the server.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ensureFree, readSettings } from './settings.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
try {
  const settings = readSettings(process.env, process.argv.slice(2))
  const { name, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  console.log(`${name} ${version}, the demo`)
  await ensureFree(settings.port)
  console.log(settings.port ? `Starting on http://127.0.0.1:${settings.port}/ …` : 'Starting on a free port …')
  buildPackage()
  await compileExamples()
  const server = new URL('../dist/demo/server.js', import.meta.url).href
  await (await import(server)).serve(settings)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Builds the package if a source is newer. */
function buildPackage() {
  if (sourcesIn('src').every((name) => timeOf(`${root}src/${name}`) < timeOf(`${root}dist/index.js`))) return
  const parameters = [`${root}.release/build.mjs`, '--noCheck']
  execFileSync(process.execPath, parameters, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Compiles the examples that are newer than what was made of them. */
async function compileExamples() {
  const outdir = `${root}examples/dist`
  const changed = sourcesIn('examples').filter(
    (name) => timeOf(`${outdir}/${name.replace(/ts$/, 'js')}`) < timeOf(`${root}examples/${name}`)
  )
  if (changed.length === 0) return
  const { build } = await import('esbuild')
  const entryPoints = changed.map((name) => `${root}examples/${name}`)
  await build({ entryPoints, outbase: `${root}examples`, outdir, platform: 'node' })
}

/** @param {string} folder */
function sourcesIn(folder) {
  const names = readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /(?<!\.d)\.ts$/.test(name) && !/^(dist|node_modules)\b/.test(name))
}

/** When a file was written, or 0 where there is none. @param {string} path */
function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
