/**
 * Module hooks that run the tests' TypeScript in Node. esbuild removes the types in a fraction of the time that the
 * compiler needs to start; the type check is a separate step. (tsx also removes types, but writes a file as one line,
 * in which coverage does not see the code that did not run.) The first process caches the output of esbuild, and the
 * others read the cache. Packages of hundreds of modules are bundled into one file, because the hooks of tap and of this
 * file cost more per module than the module.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  // A test ends before V8's optimizations pay off, so V8 optimizes fifteen times later.
  setFlagsFromString('--interrupt-budget=1000000')
  // Node runs the hooks in another thread.
  register(import.meta.url)
}

/** Resolves `./page.js` to `page.ts`. @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  if (/^\..*\.js$/.test(specifier) && context.parentURL) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
    if (existsSync(url)) return next(url.href, context)
  }
  const packaged = packages.get(specifier)
  if (packaged) return { url: new URL(packaged, await folderOfPackages()).href, format: 'module', shortCircuit: true }
  return next(specifier, context)
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  return { format: 'module', source: await javascriptOf(fileURLToPath(url)), shortCircuit: true }
}

const options = /** @type {const} */ ({ loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline' })
const modules = new URL('../../../node_modules/', import.meta.url)
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
  // esbuild takes longer to start than all cached files take to read.
  const { transform } = await import('esbuild')
  const { code } = await transform(text, { ...options, sourcefile })
  // The rename is atomic, so another process never reads an unfinished file.
  const unfinished = new URL(`${name}.${process.pid}`, cache)
  await writeFile(unfinished, code)
  await rename(unfinished, kept)
  return code
}

/** The bundled packages, and the names of their bundles. */
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

/** The folder of the bundles. The first process makes it. */
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
    // The bundles share their common modules.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: options.target
  })
  // The rename fails if another process was faster.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  return folder
}
