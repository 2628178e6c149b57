/** On what and with what it was measured. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { arch, cpus, totalmem } from 'node:os'
import { join } from 'node:path'

export function machine(): Record<string, string> {
  const all = cpus()
  return {
    processor: `${all.length} × ${all[0]?.model ?? 'unknown'}, shared by load, server and database`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${arch()}`
  }
}

/** The library's commit, and whether there are changes beside it. */
export const commit = () =>
  execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
    cwd: import.meta.dirname,
    encoding: 'utf8'
  }).trim()

export const versionsOf = (packages: string[]): Record<string, string> =>
  Object.fromEntries(
    [...new Set(packages)].map((name) => {
      // the library and its host have one Kysely, that of the repository
      const folder = join(import.meta.dirname, name === 'kysely' ? '..' : '.')
      const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
      return [name, JSON.parse(manifest).version]
    })
  )
