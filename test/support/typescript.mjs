/**
 * Lets Node run the tests' TypeScript: esbuild takes the types away, in a fraction of the time that the
 * compiler needs to start. What the types say is checked before, in one go. (tsx does the same, but on one line
 * a file, in which coverage no longer sees what was not run.) Every test file is a process, and most processes load
 * the same files: the first process keeps what esbuild makes of a file, and the others read it. Packages of hundreds of
 * modules are one file each, because the hooks of tap and of this file cost more for each module than the module itself.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  // a test ends before it has earned what V8 does to make code fast: V8 waits fifteen times longer
  setFlagsFromString('--interrupt-budget=1000000')
  // Node runs the hooks in a thread of their own
  register(import.meta.url)
}

/** `./page.js` is what `page.ts` will be. @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  if (/^\..*\.js$/.test(specifier) && context.parentURL) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
    if (existsSync(url)) return next(url.href, context)
  }
  const packaged = packages.get(specifier)
  if (packaged) return { url: new URL(packaged, await folderOfPackages()).href, format: 'module', shortCircuit: true }
  return next(specifier, context)
}

const built = new URL('../../dist/', import.meta.url).href

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (url.startsWith(built)) {
    const { source, ...loaded } = await next(url, context)
    // The built package has no map here. Coverage would count what a test does not run of it against `src`.
    return { ...loaded, source: String(source).replace(/^\/\/# sourceMappingURL=.*$/m, '') }
  }
  if (!url.endsWith('.ts')) return next(url, context)
  return { format: 'module', source: await javascriptOf(fileURLToPath(url)), shortCircuit: true }
}

const options = /** @type {const} */ ({ loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline' })
const modules = new URL('../../node_modules/', import.meta.url)
const cache = new URL('.cache/typescript/', modules)
/** @param {string} name */
const manifestOf = (name) => readFile(new URL(`${name}/package.json`, modules), 'utf8')
const version = await manifestOf('esbuild')
if (!isMainThread) mkdirSync(cache, { recursive: true })

/** @param {unknown} value */
const hashOf = (value) => createHash('sha1').update(JSON.stringify(value)).digest('hex')

/** @param {string} sourcefile */
async function javascriptOf(sourcefile) {
  const text = await readFile(sourcefile, 'utf8')
  const name = hashOf([sourcefile, text, options, version])
  const kept = new URL(`${name}.js`, cache)
  if (existsSync(kept)) return readFile(kept, 'utf8')
  // the start of esbuild takes longer than the reading of all files
  const { transform } = await import('esbuild')
  const { code } = await transform(text, { ...options, sourcefile })
  // another process sees the whole file or none
  const unfinished = new URL(`${name}.${process.pid}`, cache)
  await writeFile(unfinished, code)
  await rename(unfinished, kept)
  return code
}

/** The packages that are one file each, and the names of the files. */
const packages = new Map([
  ['kysely', 'kysely.js'],
  ['@sinclair/typebox', 'typebox.js'],
  ['@sinclair/typebox/value', 'typebox-value.js']
])

/** @type {Promise<URL> | undefined} */
let folder
const folderOfPackages = () => {
  folder ??= bundle()
  return folder
}

/** The folder with the packages, which the first process makes. */
async function bundle() {
  const manifests = await Promise.all(['kysely', '@sinclair/typebox'].map(manifestOf))
  const folder = new URL(`${hashOf([...packages, manifests, version])}/`, cache)
  if (existsSync(folder)) return folder
  const { build } = await import('esbuild')
  const unfinished = new URL(`packages.${process.pid}/`, cache)
  await build({
    entryPoints: [...packages].map(([name, file]) => ({ in: name, out: file.replace('.js', '') })),
    outdir: fileURLToPath(unfinished),
    bundle: true,
    // what the entries have in common is there once
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: options.target
  })
  // fails where another process was faster
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}
