/** A folder in which smoke.mjs runs against the tarball, with the versions of its packages that are wanted. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import typescript from 'typescript'
import { install, packageName, root } from './tarball.mjs'

/**
 * @param {string} folder
 * @param {string} tarball
 * @param {Record<string, string>} packages versions by name
 */
export async function prepare(folder, tarball, packages) {
  await install(folder, { [packageName]: `file:${tarball}`, 'node-sqlite3-wasm': '^0.8.60', ...packages })
  // the repository's layout, so that the scripts' imports of `src` lead to the installed package
  const exported = `export * from '${packageName}'\nexport { default } from '${packageName}'\n`
  write(join(folder, 'src/index.js'), exported)
  write(join(folder, 'src/database/migrations.js'), exported)
  for (const name of ['test/support/world', 'examples/sqlite'])
    transpile(join(root, `${name}.ts`), join(folder, `${name}.js`))
  mkdirSync(join(folder, 'test/matrix'))
  for (const name of ['smoke.mjs', 'questions.mjs']) {
    copyFileSync(join(import.meta.dirname, name), join(folder, 'test/matrix', name))
  }
}

/**
 * Writes a TypeScript file as JavaScript.
 *
 * @param {string} from
 * @param {string} to
 * @param {import('typescript').ModuleKind} [module]
 */
export function transpile(from, to, module = typescript.ModuleKind.ESNext) {
  const compilerOptions = { module, target: typescript.ScriptTarget.ES2022, esModuleInterop: true }
  write(to, typescript.transpileModule(readFileSync(from, 'utf8'), { compilerOptions }).outputText)
}

/**
 * The versions that were installed, by package.
 *
 * @param {string} folder
 * @param {string[]} names
 * @returns {Record<string, string>}
 */
export function installed(folder, names) {
  const versions = names.map((name) => {
    const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
    return [name, JSON.parse(manifest).version]
  })
  return Object.fromEntries(versions)
}

/**
 * @param {string} path
 * @param {string} text
 */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
