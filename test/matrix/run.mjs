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
import { columns, failure, headings, lineOf } from './report.mjs'

/** Each reports its rows. */
const parts = {
  hosts: 'the same bytes in every host',
  drivers: 'the same bytes with every driver setting',
  databases: 'the tests of the lists on MySQL',
  runtimes: 'the same bytes on every Node, Fastify and Kysely',
  consumers: 'hosts of every kind with every TypeScript'
}
const inTap = ['hosts', 'drivers']

/** @param {string} part */
const programOf = (part) =>
  inTap.includes(part)
    ? `npx tap --disable-coverage --reporter=min test/matrix/${part}.matrix.ts`
    : `node --import=./test/support/typescript.mjs test/matrix/${part}.ts`

const folder = mkdtempSync(join(tmpdir(), 'listing-matrix-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'report')
writeFileSync(file, '')

await command(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { size: { type: 'string', default: 'full' } }
  })
  if (!['short', 'full'].includes(values.size)) throw new Error(`The size is short or full, not '${values.size}'.`)
  const names = Object.keys(parts)
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no part '${unknown}'; there are: ${names.join(', ')}.`)

  const env = { ...(await withDatabases()), MATRIX: values.size, MATRIX_REPORT: file }
  const bad = new Set()
  for (const [part, title] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(part)) continue
    if (await failure(() => step(`${part}: ${title}`, programOf(part), env))) bad.add(part)
  }

  /** @type {import('./report.mjs').Row[]} */
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  for (const part of new Set(rows.map((row) => row.part))) {
    const own = rows.filter((row) => row.part === part)
    console.log(`\n${tableOf(part, own)}\n\n${summaryOf(part, own)}`)
    if (own.some(({ different }) => different.length > 0)) bad.add(part)
  }
  if (bad.size > 0) throw new Error(`Not as it must be: ${[...bad].join(', ')}.`)
})

/**
 * The rows of a part; below a row what was refused and why, and what was different.
 *
 * @param {string} part
 * @param {import('./report.mjs').Row[]} rows
 */
function tableOf(part, rows) {
  const indent = ' '.repeat(columns(headings).length + 4)
  const lines = rows.flatMap((row) => [
    lineOf(row),
    ...[row.refused ? `refused: ${row.refused}` : [], row.different.map((difference) => `different: ${difference}`)]
      .flat()
      .map((text) => indent + text.trim().replaceAll('\n', `\n${indent}`))
  ])
  return [`## ${part}`, `${columns(headings)}  name`, ...lines].join('\n')
}

/**
 * @param {string} part
 * @param {import('./report.mjs').Row[]} rows
 */
function summaryOf(part, rows) {
  /** @param {(row: import('./report.mjs').Row) => number} count */
  const sum = (count) => rows.reduce((total, row) => total + count(row), 0)
  const counts = [
    `${rows.length} rows`,
    `${sum(({ tried }) => tried)} tried`,
    `${sum(({ identical }) => identical)} identical`,
    `${sum(({ different }) => different.length)} different`,
    `${rows.filter(({ refused }) => refused).length} rows with something refused, and why`
  ]
  return `${part}: ${counts.join(', ')}`
}
