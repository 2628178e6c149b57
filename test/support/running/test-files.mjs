/** The test files of each command, and the files that run in one process. */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const all = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))

/**
 * The tests of what is published around the lists: the tarball, the release, the code of README and docs, the examples,
 * the benchmark's documents, what an editor shows, and the test command itself. These tests read the build, and
 * `npm run test:package` runs them.
 */
const isOfPackage = (/** @type {string} */ name) =>
  /^(bench|examples|package)\/|^docs\/(blocks|who-sees-what)\./.test(name)

/** The quick run leaves out the long tests, and the tests of the conformance kit. */
const isLong = (/** @type {string} */ name) => /^(reliability|conformance)\//.test(name)

export const packageTests = all.filter(isOfPackage)
export const listTests = all.filter((name) => !isOfPackage(name))
export const quickTests = listTests.filter((name) => !isLong(name))

/** Another command that runs at the same time has other files. */
const cache = `.tap/${process.pid}/tests`
process.once('exit', () => rmSync(dirname(cache), { recursive: true, force: true }))

/**
 * The files of one folder of `test` run in one process, because a process takes a second before its first test. A file
 * directly in `test` has a process of its own, and so has a file of `package` or `suites`, which take long. The largest
 * process starts first.
 *
 * @param {string[]} names
 * @returns {string[]} a file for each process
 */
export function processesOf(names) {
  mkdirSync(cache, { recursive: true })
  /** @type {Map<string, string[]>} */
  const processes = new Map()
  for (const name of names) {
    const folder = dirname(name)
    const key = ['.', 'package', 'suites'].includes(folder) ? name : folder.replaceAll('/', '-')
    processes.set(key, [...(processes.get(key) ?? []), name])
  }
  return [...processes]
    .sort(([, one], [, other]) => sizeOf(other) - sizeOf(one))
    .map(([key, files]) => {
      if (files[0] === key) return `test/${key}`
      const imports = files.map((name) => `import '../../../test/${name}'\n`)
      writeFileSync(`${cache}/${key}.mjs`, imports.join(''))
      return `${cache}/${key}.mjs`
    })
}

/** @param {string[]} names */
const sizeOf = (names) => names.reduce((size, name) => size + statSync(`test/${name}`).size, 0)
