/**
 * Runs the long reliability suites: `npm run test:reliability`. The arguments `-- faults` select one suite, and
 * `-- --size middle` selects a smaller size. The run prints one table of figures. The whole long run also writes the
 * table to test/RELIABILITY.md. The run fails if a figure has a failure.
 */
import { writeFileSync } from 'node:fs'
import { markdownTable, originOf, runParts } from '../support/running/report.mjs'
import { command } from '../support/running/steps.mjs'

const suites = ['input.test', 'callers.test', 'start', 'faults', 'cluster', 'soak', 'logs.test']
const tap = 'npx tap --disable-coverage --jobs=1 --timeout=3600 --reporter=tap test'
const programs = {
  'random-lists': `${tap}/suites/random-lists.test.ts`,
  ...Object.fromEntries(suites.map((suite) => [suite.replace('.test', ''), `${tap}/reliability/${suite}.ts`]))
}
const start = performance.now()
const seed = process.env.RELIABILITY_SEED ?? String(Math.floor(Math.random() * 2 ** 31))

await command(async () => {
  /** @param {string} size @param {string} file */
  const envOf = (size, file) => ({ RELIABILITY: size, RELIABILITY_SEED: seed, RELIABILITY_FIGURES: file })
  const { rows, failed, isWhole } = await runParts('suite', programs, ['long', 'middle', 'short'], envOf)
  /** @type {import('./sizes.js').Figure[]} */
  const figures = rows
  const table = markdownTable(
    ['what', 'tried ', 'broken ', 'worst'],
    figures.map(({ what, tried, broken, worst = '' }) => [what, tried.toLocaleString('en'), broken, worst])
  )
  const choices = `seed ${seed} (\`RELIABILITY_SEED=${seed} npm run test:reliability\` makes the same choices)`
  console.log(`\n${choices}\n\n${table}\n`)
  if (failed.size > 0) throw new Error(`Not as it must be: ${[...failed].join(', ')}.`)
  if (figures.some(({ broken }) => broken > 0)) throw new Error('Something broke.')
  const text = `# Reliability\n\n${originOf('test:reliability', start)}; ${choices}.\n\n${table}\n`
  if (isWhole) writeFileSync('test/RELIABILITY.md', text)
})
