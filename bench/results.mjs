/** What was measured, one file a scale, so that the documents can be made again without measuring. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Results
 * @property {number} scale
 * @property {string} command
 * @property {{ rounds: number, seconds: number, requests: number, slow: number, patience: number }} method
 * @property {Record<string, string>} machine
 * @property {Record<string, string>} versions
 * @property {Record<string, number>} data rows by table, and hits by term
 * @property {import('./measure.mjs').Measured[]} scenarios
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
 * Keeps them. A run of some scenarios or servers puts these in the place of the old ones.
 *
 * @param {Results} results
 */
export function keep(results) {
  const old = keptResults().find(({ scale }) => scale === results.scale)
  const scenarios = new Map(old?.scenarios.map((measured) => [measured.name, measured]))
  for (const measured of results.scenarios) {
    const before = scenarios.get(measured.name)
    scenarios.set(measured.name, { ...measured, results: { ...before?.results, ...measured.results } })
  }
  const { soak = old?.soak } = results
  const all = { ...results, scenarios: [...scenarios.values()], ...(soak && { soak }) }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `scale-${results.scale}.json`), `${JSON.stringify(all)}\n`)
}
