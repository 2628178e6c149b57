/**
 * Runs the long reliability suites: `npm run test:reliability`. The arguments `-- faults` select one suite, and
 * `-- --size middle` selects a smaller size. The run prints one table of figures. The whole long run also writes the
 * table to test/RELIABILITY.md. The run fails if a figure has a failure.
 */
import { writeFileSync } from 'node:fs'
import { markdownTable, originOf, reportFile } from '../support/report.mjs'
import { chosen, command, step, withDatabases } from '../support/steps.mjs'

const suites = 'visibility.test input.test callers.test start faults cluster load soak logs.test'.split(' ')
const { file, rows } = reportFile()
const start = performance.now()

await command(async () => {
  const names = suites.map((suite) => suite.replace('.test', ''))
  const { size, isAll, parts } = chosen('suite', names, ['long', 'middle', 'short'])
  const seed = process.env.RELIABILITY_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
  const env = { ...(await withDatabases()), RELIABILITY: size, RELIABILITY_SEED: seed, RELIABILITY_FIGURES: file }
  /** @type {string[]} */
  const failed = []
  for (const [index, name] of names.entries()) {
    if (!parts.includes(name)) continue
    const tap = `npx tap --disable-coverage --jobs=1 --timeout=3600 --reporter=tap test/reliability/${suites[index]}.ts`
    await step(`${name}, seed ${seed}`, tap, env).catch(() => failed.push(name))
  }

  /** @type {import('./sizes.js').Figure[]} */
  const figures = rows()
  const table = markdownTable(
    ['what', 'tried ', 'broken ', 'worst'],
    figures.map(({ what, tried, broken, worst = '' }) => [what, tried.toLocaleString('en'), broken, worst])
  )
  console.log(`\n${table}\n`)
  if (failed.length > 0) throw new Error(`Not as it must be: ${failed.join(', ')}.`)
  if (figures.some(({ broken }) => broken > 0)) throw new Error('Something broke.')
  if (!isAll || size !== 'long') return
  const choices = `seed ${seed} (\`RELIABILITY_SEED=${seed} npm run test:reliability\` makes the same choices)`
  const text = `# Reliability\n\n${originOf('test:reliability', start)}; ${choices}.\n\n${table}\n`
  writeFileSync('test/RELIABILITY.md', text)
})
