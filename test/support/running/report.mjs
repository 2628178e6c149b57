/** What the long commands report: rows from their steps, and the tables and pages that they make of the rows. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chosen, step, withDatabases } from './steps.mjs'

/**
 * Runs the chosen parts of a long suite, each a step that adds rows to a file, one line of JSON each.
 *
 * @param {string} what a part is
 * @param {Record<string, string>} programs of all parts
 * @param {string[]} sizes
 * @param {(size: string, file: string) => NodeJS.ProcessEnv} envOf what the steps learn
 */
export async function runParts(what, programs, sizes, envOf) {
  const folder = mkdtempSync(join(tmpdir(), 'listing-report-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'rows')
  writeFileSync(file, '')
  const { size, isAll, parts } = chosen(what, Object.keys(programs), sizes)
  const env = { ...(await withDatabases()), ...envOf(size, file) }
  /** @type {Set<string>} */
  const failed = new Set()
  for (const [part, program] of Object.entries(programs)) {
    if (parts.includes(part)) await step(part, program, env).catch(() => failed.add(part))
  }
  const rows = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return { rows: rows.map((row) => JSON.parse(row)), failed, isWhole: isAll && size === sizes[0] }
}

/**
 * A table in Markdown.
 *
 * @param {string[]} headings those that end with a space are of numbers
 * @param {(string | number)[][]} rows
 */
export function markdownTable(headings, rows) {
  const rule = headings.map((heading) => (heading.endsWith(' ') ? '---:' : '---'))
  return [headings.map((heading) => heading.trim()), rule, ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

/**
 * How a page of results came about.
 *
 * @param {string} script of npm
 * @param {number} start milliseconds
 */
export function originOf(script, start) {
  const minutes = Math.round((performance.now() - start) / 60_000)
  const date = new Date().toISOString().slice(0, 10)
  const machine = `Node.js ${process.versions.node} on ${cpus().length} × ${cpus()[0]?.model}`
  return `Written by \`npm run ${script}\`; never by hand. ${date}, in ${minutes} minutes with ${machine}`
}
