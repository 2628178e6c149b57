/**
 * Tries every combination that the README promises and prints one table of what came out:
 * `npm run test:matrix`, or some parts of it, `npm run test:matrix -- hosts drivers`. The size that a change must pass,
 * `-- --size short`, takes a part of the combinations. Needs the network for the parts that install other versions.
 * Fails when anything differs.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { command, step, withDatabases } from '../support/steps.mjs'
import { failure } from './report.mjs'
import { lineOf, summaryOf, tableOf } from './table.mjs'

/** @param {string} name */
const tap = (name) => `npx tap --disable-coverage --reporter=min test/matrix/${name}.matrix.ts`
/** @param {string} name */
const script = (name) => `node test/matrix/${name}.mjs`

/** Each appends its findings to the file of MATRIX_REPORT. */
const parts = [
  { name: 'hosts', title: 'the same bytes in every host', run: tap('hosts') },
  { name: 'drivers', title: 'the same bytes with every driver setting', run: tap('drivers') },
  { name: 'databases', title: 'the tests of the lists on MySQL', run: script('databases') },
  { name: 'runtimes', title: 'the same bytes on every Node, Fastify and Kysely', run: script('runtimes') },
  { name: 'consumers', title: 'hosts of every kind with every TypeScript', run: script('consumers') }
]

const folder = mkdtempSync(join(tmpdir(), 'listing-matrix-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'report')
writeFileSync(file, '')

/** @returns {import('./table.mjs').Row[]} */
const findings = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

await command(async () => {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { size: { type: 'string', default: 'full' } }
  })
  if (!['short', 'full'].includes(values.size)) throw new Error(`The size is short or full, not '${values.size}'.`)
  const unknown = names.find((name) => !parts.some((part) => part.name === name))
  if (unknown) throw new Error(`There is no part '${unknown}'; there are: ${parts.map(({ name }) => name).join(', ')}.`)

  const env = { ...(await withDatabases()), MATRIX: values.size, MATRIX_REPORT: file }
  const wanted = parts.filter(({ name }) => names.length === 0 || names.includes(name))
  const failed = []
  for (const { name, title, run } of wanted) {
    // the scripts say themselves how far they are
    const progress = run === tap(name) ? follow() : undefined
    const problem = await failure(() => step(`${name}: ${title}`, run, env))
    progress?.stop()
    if (problem) failed.push(name)
  }

  const rows = findings()
  console.log(`\n${tableOf(rows)}\n`)
  for (const { name } of wanted) console.log(summaryOf(name, rows))
  const different = new Set(rows.filter((row) => row.different.length > 0).map(({ part }) => part))
  const bad = new Set([...failed, ...different])
  if (bad.size > 0) throw new Error(`Not as it must be: ${[...bad].join(', ')}.`)
})

/** Prints each finding when it comes. */
function follow() {
  let printed = findings().length
  const print = () => {
    for (const row of findings().slice(printed)) {
      printed++
      console.log(lineOf(row))
    }
  }
  const timer = setInterval(print, 1000)
  return {
    stop: () => {
      clearInterval(timer)
      print()
    }
  }
}
