/**
 * Lets Node run the tests' TypeScript: esbuild takes the types away, in a fraction of the time that the
 * compiler needs to start. What the types say is checked before, in one go. (tsx does the same, but on one line
 * a file, in which coverage no longer sees what was not run.) Every test file is a process, and most processes load
 * the same files: the first process keeps what esbuild makes of a file, and the others read it.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// Node runs the hooks in a thread of their own
if (isMainThread) register(import.meta.url)

/** `./page.js` is what `page.ts` will be. @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
  if (/^\..*\.js$/.test(specifier) && context.parentURL) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
    if (existsSync(url)) return next(url.href, context)
  }
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

const cache = new URL('../../node_modules/.cache/typescript/', import.meta.url)
const options = /** @type {const} */ ({ loader: 'ts', format: 'esm', target: 'node20', sourcemap: 'inline' })
const version = await readFile(new URL('../../node_modules/esbuild/package.json', import.meta.url), 'utf8')
if (!isMainThread) mkdirSync(cache, { recursive: true })

/** @param {string} sourcefile */
async function javascriptOf(sourcefile) {
  const text = await readFile(sourcefile, 'utf8')
  const name = createHash('sha1')
    .update(JSON.stringify([sourcefile, text, options, version]))
    .digest('hex')
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
