/**
 * Runs the demo: `npm start`, `npm start -- --rows 1000000`, or `DATABASE_URL=mysql://… PORT=8080 npm start`. Says at once
 * what cannot be, compiles what has changed, and starts the server.
 */
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
  await Promise.all([compile('src', 'dist'), compile('examples', 'examples/dist')])
  const server = new URL('../dist/demo/server.js', import.meta.url).href
  await (await import(server)).serve(settings)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

/** Compiles the files that are newer than what was made of them. @param {string} from @param {string} to */
async function compile(from, to) {
  const changed = readdirSync(root + from, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.ts$/.test(name) && !/^(dist|node_modules)\b/.test(name))
    .filter((name) => timeOf(`${root}${to}/${name.replace(/ts$/, 'js')}`) < timeOf(`${root}${from}/${name}`))
  if (changed.length === 0) return
  const { build } = await import('esbuild')
  await build({
    entryPoints: changed.map((name) => `${root}${from}/${name}`),
    outbase: root + from,
    outdir: root + to,
    platform: 'node'
  })
}

/** When a file was written, or 0 where there is none. @param {string} path */
function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
