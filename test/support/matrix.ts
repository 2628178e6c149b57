/** What a matrix of tests found, one JSON line a row, in the file of `MATRIX_REPORT` when that is set. */
import { appendFileSync } from 'node:fs'

export interface MatrixRow {
  /** Which matrix. */
  part: string
  name: string
  /** Answers compared, and how many of them were the same bytes. */
  tried: number
  identical: number
  /** What the operator was told, where the answer was a refusal that says why. */
  refused?: string
  /** One line for each answer that was another. */
  different: string[]
}

export function report(row: MatrixRow): void {
  const file = process.env.MATRIX_REPORT
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`)
}
