/** What the long commands report: rows from their steps, and the tables and pages that they make of the rows. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file to which steps add rows, one line of JSON each. */
export function reportFile() {
  const folder = mkdtempSync(join(tmpdir(), 'listing-report-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'rows')
  writeFileSync(file, '')
  const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return { file, rows: () => lines().map((line) => JSON.parse(line)) }
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
