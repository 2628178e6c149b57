/**
 * Runs the long reliability suites: `npm run test:reliability`. The arguments `-- faults` select one suite, and
 * `-- --size middle` selects a smaller size. The run prints one table of figures. The whole long run also writes the
 * table to test/RELIABILITY.md. The run fails if a figure has a failure.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { command, step, withDatabases } from '../support/steps.mjs'

const suites = [
  'visibility.test',
  'input.test',
  'callers.test',
  'start',
  'faults',
  'cluster',
  'load',
  'soak',
  'logs.test'
]
const document = join(import.meta.dirname, '../RELIABILITY.md')

const folder = mkdtempSync(join(tmpdir(), 'listing-reliability-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'figures')
writeFileSync(file, '')

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { size: { type: 'string', default: 'long' } }
  })
  const names = suites.map((suite) => suite.replace('.test', ''))
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no suite '${unknown}'; there are: ${names.join(', ')}.`)

  const seed = process.env.RELIABILITY_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
  const env = {
    ...(await withDatabases()),
    RELIABILITY: values.size,
    RELIABILITY_SEED: seed,
    RELIABILITY_FIGURES: file
  }
  /** @type {string[]} */
  const failed = []
  const start = performance.now()
  for (const [index, suite] of suites.entries()) {
    const name = String(names[index])
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const tap = `npx tap --disable-coverage --jobs=1 --timeout=3600 --reporter=tap test/reliability/${suite}.ts`
    await step(`${name} (${index + 1} of ${suites.length}), seed ${seed}`, tap, env).catch(() => failed.push(name))
  }

  const table = tableOf(figures())
  console.log(`\n${table}\n`)
  if (failed.length > 0) throw new Error(`Not as it must be: ${failed.join(', ')}.`)
  if (figures().some(({ broken }) => broken > 0)) throw new Error('Something broke.')
  if (positionals.length === 0 && values.size === 'long') {
    const minutes = Math.round((performance.now() - start) / 60_000)
    writeFileSync(document, documentOf(table, seed, minutes))
  }
})

/** @returns {import('./sizes.js').Figure[]} */
function figures() {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

/** @param {import('./sizes.js').Figure[]} figures */
function tableOf(figures) {
  const number = new Intl.NumberFormat('en')
  const rows = figures.map(({ what, tried, broken, worst = '' }) => [
    what,
    number.format(tried),
    number.format(broken),
    worst
  ])
  return [['what', 'tried', 'broken', 'worst'], ['---', '---:', '---:', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

/**
 * @param {string} table
 * @param {string} seed
 * @param {number} minutes
 */
function documentOf(table, seed, minutes) {
  return `# Reliability

Written by \`npm run test:reliability\`; never by hand. ${new Date().toISOString().slice(0, 10)}, in ${minutes} minutes with Node.js ${process.versions.node} on ${cpus().length} × ${cpus()[0]?.model}; seed ${seed} (\`RELIABILITY_SEED=${seed} npm run test:reliability\` makes the same choices).

${table}
`
}
