/** What a part of the matrix finds: a line on the terminal, and a line of JSON in the file of MATRIX_REPORT. */
import { appendFileSync } from 'node:fs'

/**
 * @typedef {object} Row
 * @property {string} part
 * @property {string} name the combination
 * @property {number} tried the number of compared answers
 * @property {string | undefined} [refused] the message to the operator, if the answer was a refusal with a reason
 * @property {string[]} different one line for each answer that came out otherwise
 */

/** @param {Row} row */
export function report(row) {
  console.error(`${row.tried} tried, ${row.different.length} different: ${row.name}`)
  if (process.env.MATRIX_REPORT) appendFileSync(process.env.MATRIX_REPORT, `${JSON.stringify(row)}\n`)
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
