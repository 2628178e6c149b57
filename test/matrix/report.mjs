/** What a part of the matrix found: a line on the terminal, and one of JSON in the file of MATRIX_REPORT. */
import { appendFileSync } from 'node:fs'

/**
 * @typedef {object} Finding
 * @property {'databases' | 'runtimes' | 'consumers'} part
 * @property {string} name the combination
 * @property {number} tried how many things were tried
 * @property {number} identical how many of them came out as they must
 * @property {string} [refused] why nothing could be tried
 * @property {string[]} different what came out otherwise
 */

/**
 * @param {Finding['part']} part
 * @returns {(name: string, tried: number, different: string[], refused?: string) => void}
 */
export function reporter(part) {
  return (name, tried, different, refused) => {
    /** @type {Finding} */
    const finding = { part, name, tried, identical: tried - different.length, different, ...(refused && { refused }) }
    if (process.env.MATRIX_REPORT) appendFileSync(process.env.MATRIX_REPORT, `${JSON.stringify(finding)}\n`)
    console.log(`${name}: ${refused ? 'refused' : `${finding.identical} of ${tried} as they must be`}`)
    for (const line of refused ? [refused] : different) console.log(`  ${line.replaceAll('\n', '\n  ')}`)
    if (refused || different.length > 0) process.exitCode = 1
  }
}

/**
 * Does something whose failure is a finding, not the end.
 *
 * @param {() => Promise<unknown>} act
 * @returns {Promise<string | undefined>} why it failed
 */
export async function failure(act) {
  try {
    await act()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Where two texts differ, with what stands around; undefined when they are the same.
 *
 * @param {string} found
 * @param {string} expected
 */
export function difference(found, expected) {
  if (found === expected) return undefined
  let place = 0
  while (found[place] === expected[place]) place++
  /** @param {string} text */
  const excerpt = (text) => JSON.stringify(text.slice(Math.max(0, place - 40), place + 40))
  return `at ${place} ${excerpt(found)}, not ${excerpt(expected)}`
}
