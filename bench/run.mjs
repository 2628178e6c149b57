/** The benchmark: `npm run bench -- 1`; see options.mjs, or ask for `--help`. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { optionsOf, usage } from './options.mjs'

const root = join(import.meta.dirname, '..')

/** @param {string} cwd @param {string[]} args */
const npm = (cwd, ...args) => execFileSync('npm', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })

try {
  const options = optionsOf(process.argv.slice(2))
  if (options.help) console.log(usage)
  else {
    // its own packages, since rivals are no dependency of the library
    if (!existsSync(join(import.meta.dirname, 'node_modules'))) npm(import.meta.dirname, 'ci', '--loglevel=error')
    if (!options.report) {
      npm(root, 'run', '--silent', 'build')
      npm(import.meta.dirname, 'run', '--silent', 'build')
    }
    const { bench } = await import('./bench.mjs')
    await bench(options)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
