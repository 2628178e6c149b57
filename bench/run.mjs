/** The benchmark: `npm run bench -- 1`; options.ts says what it can be told. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = import.meta.dirname

/** @param {string} cwd @param {string[]} args */
const npm = (cwd, ...args) => execFileSync('npm', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })

/** This Node, or a newer one where it is older than Platformatic's sql-mapper asks for. */
function node() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath
  const parameters = ['--yes', '--loglevel=error', '--package=node@22', 'node', '--print', 'process.execPath']
  // a folder without packages of its own
  return execFileSync('npx', parameters, { cwd: tmpdir(), encoding: 'utf8' }).trim()
}

// its own packages, since rivals are no dependency of the library
if (!existsSync(join(folder, 'node_modules'))) npm(folder, 'ci', '--loglevel=error')
if (!process.argv.includes('--report')) {
  npm(join(folder, '..'), 'run', '--silent', 'build')
  npm(folder, 'run', '--silent', 'build')
}
const parameters = ['--disable-warning=ExperimentalWarning', join(folder, 'bench.ts'), ...process.argv.slice(2)]
const bench = spawn(node(), parameters, { stdio: 'inherit' })
// a terminal interrupts both
process.on('SIGINT', () => {})
process.on('SIGTERM', () => bench.kill())
bench.once('exit', (code) => {
  process.exitCode = code ?? 1
})
