/** How the matrix shows what it found. */

/** @typedef {import('../support/matrix.js').MatrixRow} Row */

const headings = ['tried', 'identical', 'different']

/**
 * One line: what was tried, how much of it came out identical or different, and the name.
 *
 * @param {Row} row
 */
export const lineOf = ({ tried, identical, different, name }) =>
  `${numbers([tried, identical, different.length])}  ${name}`

/** @param {(string | number)[]} cells */
const numbers = (cells) => cells.map((cell, index) => String(cell).padStart(headings[index]?.length ?? 0)).join('  ')

const indent = ' '.repeat(numbers(headings).length + 4)

/**
 * All rows, part by part; below a row what was refused and why, and what was different.
 *
 * @param {Row[]} rows
 */
export const tableOf = (rows) =>
  [...new Set(rows.map(({ part }) => part))]
    .map((part) => {
      const lines = rows
        .filter((row) => row.part === part)
        .flatMap((row) => [
          lineOf(row),
          ...(row.refused ? [below(`refused: ${row.refused}`)] : []),
          ...row.different.map((difference) => below(`different: ${difference}`))
        ])
      return [`## ${part}`, `${numbers(headings)}  name`, ...lines].join('\n')
    })
    .join('\n\n')

/** @param {string} text */
const below = (text) => `${indent}${text.trim().replaceAll('\n', `\n${indent}`)}`

/**
 * @param {string} part
 * @param {Row[]} rows of all parts
 */
export function summaryOf(part, rows) {
  const own = rows.filter((row) => row.part === part)
  /** @param {(row: Row) => number} count */
  const sum = (count) => own.reduce((total, row) => total + count(row), 0)
  const counts = [
    `${own.length} rows`,
    `${sum(({ tried }) => tried)} tried`,
    `${sum(({ identical }) => identical)} identical`,
    `${sum(({ different }) => different.length)} different`,
    `${own.filter(({ refused }) => refused).length} rows with something refused, and why`
  ]
  return `${part}: ${counts.join(', ')}`
}
