/** What was measured, one file a scale, so that the documents can be made again without measuring. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Results
 * @property {number} scale
 * @property {string} command
 * @property {string} commit of which the library was
 * @property {{ rounds: number, seconds: number, requests: number, slow: number, patience: number }} method
 * @property {Record<string, string>} machine
 * @property {Record<string, string>} versions
 * @property {Record<string, number>} data rows by table, and hits by term
 * @property {import('./measure.mjs').Measured[]} scenarios
 * @property {Record<string, import('./each.mjs').Read>} [each] by reader
 * @property {Record<string, Soak>} [soak] by server
 */

/** @typedef {{ second: number[], memory: number[], requests: number }} Soak megabytes at those seconds */

const folder = join(import.meta.dirname, 'results')

/** @returns {Results[]} by scale */
export function keptResults() {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
    .sort((one, other) => one.scale - other.scale)
}

/**
 * Keeps them in the place of the run before at this scale: what stands side by side was measured side by side.
 *
 * @param {Results} results
 */
export function keep(results) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `scale-${results.scale}.json`), `${JSON.stringify(results)}\n`)
}
